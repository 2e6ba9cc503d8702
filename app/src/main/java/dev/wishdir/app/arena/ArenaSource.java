package dev.wishdir.app.arena;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.CompiledMapCache;
import dev.wishdir.blocks.reach.ArenaValidator;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.blocks.stock.StockMap;
import dev.wishdir.blocks.stock.StockMapConverter;
import dev.wishdir.game.Game;

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
 * Loads arenas: shipped ones, text files, and maps of the games.
 *
 * @param games games whose maps can be converted to blocks
 * @param options the operator's settings of each game
 * @param report receives lines for the operator about the loaded arenas
 */
public record ArenaSource(
        List<Game> games, Function<Game, Map<String, String>> options, Consumer<String> report) {
    /** Begins the name of a map of an installed game. */
    static final String MAP = "map:";

    private static final String BSP = ".bsp";

    /** Far more than any stock map needs. */
    private static final int MAX_MAP_BYTES = 64 << 20;

    /** The cache folder of compiled arenas, which the launcher sets. */
    private static final Optional<CompiledMapCache> CACHE =
            Optional.ofNullable(System.getProperty("wishdir.made"))
                    .map(folder -> new CompiledMapCache(Path.of(folder)));

    /** A source without settings of the games. */
    public static ArenaSource withDefaults(List<Game> games, Consumer<String> report) {
        return new ArenaSource(games, _ -> Map.of(), report);
    }

    /**
     * Loads an arena by name or file, or a map by {@code map:} and its name or file. Players of the
     * game get the original of a map that was given by its name.
     *
     * @throws CommandFailedException if the arena does not exist or is malformed
     */
    public BlockArena arena(String where) throws CommandFailedException {
        BlockArena arena = load(where);
        return CACHE.map(arena::withCache).orElse(arena);
    }

    /**
     * Loads an arena as {@link #arena} does, and reports its unusable spawn points.
     *
     * @throws CommandFailedException if the arena does not exist or is malformed
     */
    public BlockArena playable(String where) throws CommandFailedException {
        BlockArena arena = arena(where);
        List<String> problems = ArenaValidator.spawnProblems(arena, bodies());
        problems.forEach(report);
        if (!problems.isEmpty()) {
            report.accept("For a list of all problems: wishdir arena check " + where);
        }
        return arena;
    }

    /** The body dimensions of the games' players. */
    List<BodyDimensions> bodies() {
        return games.stream().map(Game::body).flatMap(Optional::stream).toList();
    }

    private BlockArena load(String where) throws CommandFailedException {
        try {
            if (!where.startsWith(MAP)) {
                return ArenaCatalog.load(where);
            }
            String named = where.substring(MAP.length());
            StockMap map = map(named);
            BlockArena arena = StockMapConverter.of(map);
            report.accept(
                    where
                            + " is "
                            + arena
                            + (map.unsupported().isEmpty()
                                    ? ", without losses"
                                    : "; lost from the map:"));
            map.unsupported().forEach(what -> report.accept("  " + what));
            if (isFile(named)) {
                return arena;
            }
            report.accept("Players of " + map.game() + " play the original map.");
            return arena.withOriginal(new BlockArena.Original(map.game(), map.name()));
        } catch (IOException e) {
            throw new CommandFailedException(String.valueOf(e.getMessage()), e);
        }
    }

    private static boolean isFile(String where) {
        return where.contains("/") || where.toLowerCase(Locale.ROOT).endsWith(BSP);
    }

    /**
     * Loads a map of any game.
     *
     * @param where its name, or a {@code .bsp} file
     * @throws IOException if it does not exist or is malformed; the message says why
     */
    public StockMap map(String where) throws IOException {
        if (isFile(where)) {
            return fromFile(Path.of(where));
        }
        for (Game game : games) {
            Optional<byte[]> file = game.mapFile(where, options.apply(game));
            if (file.isPresent()) {
                return game.map(where, file.get())
                        .orElseThrow(() ->
                                new IOException(
                                        "the file of the map '"
                                                + where
                                                + "' is not a map of "
                                                + game.title()));
            }
        }
        throw new IOException(
                "there is no map '"
                        + where
                        + "' in the games' folders: set the folder of the game with "
                        + dataOptions()
                        + ", or give a .bsp file");
    }

    /**
     * The arena or map of a level that a recording names, where this machine has it: shipped, or of
     * an installed game.
     */
    public Optional<BlockArena> ofLevel(String name) {
        if (ArenaCatalog.SHIPPED.contains(name)) {
            return Optional.of(ArenaCatalog.shipped(name));
        }
        Optional<StockMap> map = currentMap(name);
        try {
            return map.isEmpty() ? Optional.empty() : Optional.of(StockMapConverter.of(map.get()));
        } catch (IOException e) {
            report.accept("cannot convert the map " + name + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    /** A game's current map, from the operator's folders; empty if it is not there. */
    public Optional<StockMap> currentMap(String name) {
        for (Game game : games) {
            try {
                Optional<byte[]> file = game.mapFile(name, options.apply(game));
                if (file.isPresent()) {
                    return game.map(name, file.get());
                }
            } catch (IOException e) {
                report.accept("cannot show the map " + name + ": " + e.getMessage());
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
            throw new IOException(
                    path + " is larger than a map can be (" + MAX_MAP_BYTES + " bytes)");
        }
        String name = String.valueOf(path.getFileName()).replaceFirst("(?i)\\.bsp$", "");
        for (Game game : games) {
            Optional<StockMap> map = game.map(name, file);
            if (map.isPresent()) {
                return map.get();
            }
        }
        List<String> formats = games.stream().flatMap(game -> game.mapFormat().stream()).toList();
        throw new IOException(path + " is not a map of " + String.join(" or ", formats));
    }
}
