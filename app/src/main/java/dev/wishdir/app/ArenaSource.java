package dev.wishdir.app;

import dev.wishdir.game.Game;
import dev.wishdir.world.blocks.ArenaCatalog;
import dev.wishdir.world.blocks.ArenaValidator;
import dev.wishdir.world.blocks.BlockArena;
import dev.wishdir.world.blocks.BodyDimensions;
import dev.wishdir.world.blocks.StockMap;
import dev.wishdir.world.blocks.StockMapConverter;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Where arenas come from: the program, files of text, and maps of the games.
 *
 * @param games whose maps can be made blocks
 * @param options what the operator has set of each
 * @param told what the operator reads of how an arena came to be
 */
record ArenaSource(
        List<Game> games, Function<Game, Map<String, String>> options, Consumer<String> told) {
    private static final String MAP = "map:";
    private static final String BSP = ".bsp";

    /** Far more than any stock map has. */
    private static final int MAX_MAP_BYTES = 64 << 20;

    /** Names the folder in which what is made of arenas is kept; the launcher sets it. */
    private static final Optional<Path> MADE =
            Optional.ofNullable(System.getProperty("wishdir.made")).map(Path::of);

    /** With nothing set for any game. */
    static ArenaSource usual(List<Game> games, Consumer<String> told) {
        return new ArenaSource(games, _ -> Map.of(), told);
    }

    /**
     * An arena by its name or its file, or by {@code map:} and the name or the file of a map. Whose
     * map it is, and it was named, plays the map itself.
     *
     * @throws CommandFailedException if there is no such arena, or a bad one
     */
    BlockArena arena(String where) throws CommandFailedException {
        BlockArena arena = found(where);
        return MADE.map(arena::keptIn).orElse(arena);
    }

    /**
     * An arena as {@link #arena} finds it, to be played: the operator reads which of its spawn
     * points no player can use.
     *
     * @throws CommandFailedException if there is no such arena, or a bad one
     */
    BlockArena playable(String where) throws CommandFailedException {
        BlockArena arena = arena(where);
        List<String> problems = ArenaValidator.spawnProblems(arena, bodies());
        problems.forEach(told);
        if (!problems.isEmpty()) {
            told.accept("All that is wrong with it: wishdir arena check " + where);
        }
        return arena;
    }

    /** The bodies that the games' players have. */
    List<BodyDimensions> bodies() {
        return games.stream().map(Game::body).flatMap(Optional::stream).toList();
    }

    private BlockArena found(String where) throws CommandFailedException {
        try {
            if (!where.startsWith(MAP)) {
                return ArenaCatalog.load(where);
            }
            String named = where.substring(MAP.length());
            StockMap map = map(named);
            BlockArena arena = StockMapConverter.of(map);
            told.accept(
                    where
                            + " is "
                            + arena
                            + (map.lacking().isEmpty()
                                    ? ", with all that the map has"
                                    : "; of the map they lack:"));
            map.lacking().forEach(what -> told.accept("  " + what));
            if (isFile(named)) {
                return arena;
            }
            told.accept("Players of " + map.game() + " play the map itself.");
            return arena.of(new BlockArena.Original(map.game(), map.name()));
        } catch (IOException e) {
            throw new CommandFailedException(String.valueOf(e.getMessage()), e);
        }
    }

    private static boolean isFile(String where) {
        return where.contains("/") || where.toLowerCase(Locale.ROOT).endsWith(BSP);
    }

    /**
     * A map of some game.
     *
     * @param where its name, or a {@code .bsp} file
     * @throws IOException if there is none, or it is broken; the message says what is wrong
     */
    StockMap map(String where) throws IOException {
        if (isFile(where)) {
            return fromFile(Path.of(where));
        }
        for (Game game : games) {
            Optional<byte[]> file = game.mapFile(where, options.apply(game));
            if (file.isPresent()) {
                return game.map(where, file.get())
                        .orElseThrow(() ->
                                new IOException(
                                        "the map '" + where + "' is none of " + game.title()));
            }
        }
        throw new IOException(
                "there is no map '"
                        + where
                        + "' in the games' folders: name that of the game with "
                        + dataOptions()
                        + ", or a .bsp file");
    }

    /** A map that some game plays, as it was found in the operator's folders. */
    Optional<StockMap> played(String name) {
        for (Game game : games) {
            try {
                Optional<byte[]> file = game.mapFile(name, options.apply(game));
                if (file.isPresent()) {
                    return game.map(name, file.get());
                }
            } catch (IOException e) {
                told.accept("the live map can't show " + name + ": " + e.getMessage());
            }
        }
        return Optional.empty();
    }

    private String dataOptions() {
        return games.stream()
                .filter(game ->
                        game.options().stream().anyMatch(option -> option.name().equals("data")))
                .map(game -> "--" + game.name() + "-data")
                .collect(Collectors.joining(" or "));
    }

    private StockMap fromFile(Path path) throws IOException {
        byte[] file;
        try (InputStream in = Files.newInputStream(path)) {
            file = in.readNBytes(MAX_MAP_BYTES + 1);
        } catch (NoSuchFileException e) {
            throw new IOException("there is no file " + path, e);
        }
        if (file.length > MAX_MAP_BYTES) {
            throw new IOException(path + " is too long for a map");
        }
        String name = String.valueOf(path.getFileName()).replaceFirst("(?i)\\.bsp$", "");
        for (Game game : games) {
            Optional<StockMap> map = game.map(name, file);
            if (map.isPresent()) {
                return map.get();
            }
        }
        throw new IOException(path + " is no map of Quake II (IBSP 38) or Quake III (IBSP 46)");
    }
}
