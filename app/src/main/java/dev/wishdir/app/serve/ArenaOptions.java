package dev.wishdir.app.serve;

import dev.wishdir.app.arena.ArenaSource;
import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.DistinctFiles;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.reach.ArenaValidator;

import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The option about the arenas of a server. */
final class ArenaOptions {
    @Option(
            names = "--arena",
            paramLabel = "NAME|FILE|map:NAME",
            split = ",",
            description =
                    "The arenas of blocks, separated by commas: hall, hills, flat, circuit, forts,"
                        + " a file, or map:NAME. map:NAME converts a map of an installed game to"
                        + " blocks; the players of that game get the original map. The server"
                        + " starts with the first, and plays the rounds of a match in all of them;"
                        + " the operator command map changes to these and to shipped ones in all"
                        + " games. A race needs arenas with a course, capture the flag those with"
                        + " flags (default: hall,hills; for a race circuit; for capture the flag"
                        + " forts,hall,hills).")
    private List<String> arenas = List.of();

    /** Adds the files that the option names. */
    void addTo(DistinctFiles all) {
        arenas.stream()
                .filter(it -> !ArenaCatalog.SHIPPED.contains(it))
                .forEach(it -> all.addInput("--arena", Path.of(it)));
    }

    /** The arenas of the match by name, in their order: those of the operator, or the default. */
    Map<String, BlockArena> named(ArenaSource source, MatchOptions match, SettingProblems problems)
            throws CommandFailedException {
        Map<String, BlockArena> all = new LinkedHashMap<>();
        for (String named : arenas.isEmpty() ? match.arenas() : arenas) {
            problems.check(() -> add(source, named, match, all));
        }
        return all;
    }

    private static void add(
            ArenaSource source, String named, MatchOptions match, Map<String, BlockArena> all)
            throws CommandFailedException {
        BlockArena blocks;
        try {
            blocks = source.playable(named);
        } catch (CommandFailedException e) {
            throw new CommandFailedException("--arena: " + e.getMessage(), e);
        }
        match.check(blocks);
        if (match.isFight() && ArenaValidator.spawnsInHeap(blocks)) {
            source.report()
                    .accept(
                            "all spawn points of the arena "
                                    + blocks.name()
                                    + " are near each other: players of a fight spawn in a heap");
        }
        if (all.put(blocks.name(), blocks) != null) {
            throw new CommandFailedException(
                    "--arena: two arenas have the name " + blocks.name() + "; rename one of them");
        }
    }

    /** The arenas of the match, followed by the other shipped ones that it can be played in. */
    static List<BlockArena> offered(
            Map<String, BlockArena> named, ArenaSource source, MatchOptions match)
            throws CommandFailedException {
        Map<String, BlockArena> offered = new LinkedHashMap<>(named);
        for (String shipped : ArenaCatalog.SHIPPED) {
            if (!offered.containsKey(shipped) && match.isPlayable(source.arena(shipped))) {
                offered.put(shipped, source.arena(shipped));
            }
        }
        return List.copyOf(offered.values());
    }
}
