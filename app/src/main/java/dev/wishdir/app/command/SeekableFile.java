package dev.wishdir.app.command;

import dev.wishdir.game.Game;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Files that are read at any place, or more than once. */
public final class SeekableFile {
    /** Copies of pipes that may not be deleted yet, and the pipes. */
    private static final Map<Path, Path> COPIES = new ConcurrentHashMap<>();

    private SeekableFile() {}

    /** Whether a file gives its bytes only once, in order: a pipe, or a device. */
    public static boolean isStream(Path file) {
        return Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file);
    }

    /**
     * The file itself; of a pipe, a copy with its name, which is deleted when the program ends. A
     * pipe is read once, whoever asks again.
     *
     * @throws IOException if the pipe cannot be read, or the copy not be written
     */
    public static synchronized Path of(Path file) throws IOException {
        if (!isStream(file)) {
            return file;
        }
        for (Map.Entry<Path, Path> made : COPIES.entrySet()) {
            if (made.getValue().equals(file)) {
                return made.getKey();
            }
        }
        Path folder = Files.createTempDirectory("wishdir-pipe");
        Path copy = folder.resolve(String.valueOf(file.getFileName()));
        folder.toFile().deleteOnExit();
        copy.toFile().deleteOnExit();
        COPIES.put(copy, file);
        try (InputStream in = Files.newInputStream(file)) {
            Files.copy(in, copy);
        } catch (IOException e) {
            COPIES.remove(copy);
            throw e;
        }
        return copy;
    }

    /**
     * The value of a game's option: the copy of a pipe that it names, as games check a file before
     * they use it, and look for changes. What cannot be copied is left to the game's own error.
     */
    public static String value(Game.Option option, String value) {
        try {
            return option.file() == Game.Option.FileAccess.READ
                    ? of(Path.of(value)).toString()
                    : value;
        } catch (IOException | InvalidPathException _) {
            return value;
        }
    }

    /** Deletes the copies of pipes: the end of a process that is halted does not. */
    static void deleteCopies() {
        for (Path copy : COPIES.keySet()) {
            try {
                Files.deleteIfExists(copy);
                Files.deleteIfExists(copy.resolveSibling(""));
            } catch (IOException _) {
                // The process ends, and its output is written.
            }
        }
    }

    /** A message in which pipes have their names in place of those of their copies. */
    public static String named(String message) {
        String named = message;
        for (Map.Entry<Path, Path> copy : COPIES.entrySet()) {
            named = named.replace(copy.getKey().toString(), copy.getValue().toString());
        }
        return named;
    }
}
