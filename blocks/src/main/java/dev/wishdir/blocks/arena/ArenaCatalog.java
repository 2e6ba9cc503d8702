package dev.wishdir.blocks.arena;

import dev.wishdir.wire.TextFile;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Loads arenas: those shipped with the program, and those of an operator's files. */
public final class ArenaCatalog {
    /** The names of the shipped arenas. */
    public static final List<String> SHIPPED = List.of("hall", "hills", "flat", "circuit", "forts");

    /** The names of the shipped arenas that are made for fights; the first is the default. */
    public static final List<String> FIGHT = List.of("hall", "hills");

    /** The names of the shipped arenas that are made for races; the first is the default. */
    public static final List<String> RACE = List.of("circuit");

    /** The names of the shipped arenas with flags; the first is the default. */
    public static final List<String> FLAGS = List.of("forts", "hall", "hills");

    private static final Map<String, BlockArena> READ = new ConcurrentHashMap<>();

    /** An even room of 64 by 64 by 64 m with walls of 8 m. */
    public static final BlockArena FLAT = shipped("flat");

    /** Maximum size of an arena's file, far more than the largest grid needs. */
    private static final int MAX_FILE_BYTES = 16 << 20;

    private ArenaCatalog() {}

    /**
     * An arena that is shipped with the program.
     *
     * @throws IllegalArgumentException for any other name
     */
    public static BlockArena shipped(String name) {
        if (!SHIPPED.contains(name)) {
            throw new IllegalArgumentException("there is no arena '" + name + "'");
        }
        return READ.computeIfAbsent(name, ArenaCatalog::read);
    }

    private static BlockArena read(String name) {
        try (InputStream in = ArenaCatalog.class.getResourceAsStream(name + ".txt")) {
            if (in == null) {
                throw new IllegalStateException("the arena '" + name + "' was not packed");
            }
            return ArenaText.read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A shipped arena, or the arena of a file.
     *
     * @param where a shipped arena's name, or a path
     * @throws IOException if neither exists, or the file is not a valid arena; the message says
     *     what is wrong
     */
    public static BlockArena load(String where) throws IOException {
        if (SHIPPED.contains(where)) {
            return shipped(where);
        }
        Path file = Path.of(where);
        if (!Files.exists(file)) {
            throw new IOException(
                    "there is no arena and no file '"
                            + where
                            + "'; the arenas are "
                            + String.join(", ", SHIPPED));
        }
        return read(file);
    }

    /**
     * The arena of a file.
     *
     * @throws IOException if the file cannot be read or is not a valid arena; the message says what
     *     is wrong
     */
    public static BlockArena read(Path file) throws IOException {
        try {
            BlockArena arena = ArenaText.read(TextFile.read(file, MAX_FILE_BYTES));
            BuildLimits.check(arena);
            return arena;
        } catch (MalformedArenaException e) {
            throw new IOException(file + ", " + e.getMessage(), e);
        }
    }
}
