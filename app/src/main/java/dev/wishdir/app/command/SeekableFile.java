package dev.wishdir.app.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
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
     * The file itself; of a pipe, a copy with its name, which is deleted when the program ends.
     *
     * @throws IOException if the pipe cannot be read, or the copy not be written
     */
    public static Path of(Path file) throws IOException {
        if (!isStream(file)) {
            return file;
        }
        Path folder = Files.createTempDirectory("wishdir-pipe");
        Path copy = folder.resolve(String.valueOf(file.getFileName()));
        folder.toFile().deleteOnExit();
        copy.toFile().deleteOnExit();
        COPIES.put(copy, file);
        try (InputStream in = Files.newInputStream(file)) {
            Files.copy(in, copy);
        }
        return copy;
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
