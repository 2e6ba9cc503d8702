package dev.wishdir.app.serve;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/**
 * The file system operations of files that the server rewrites, an interface so that tests can make
 * them fail.
 */
interface FileOperations {
    /**
     * Reads a whole file.
     *
     * @throws java.nio.file.NoSuchFileException if it does not exist
     */
    byte[] read(Path file) throws IOException;

    /** Writes or replaces a file. Until {@link #force} a crash may leave any part of it. */
    void write(Path file, byte[] content) throws IOException;

    /** Returns when the file's content is on the disk. */
    void force(Path file) throws IOException;

    /** Renames a file atomically, replacing another. */
    void rename(Path from, Path to) throws IOException;

    /** Returns when a folder's entries are on the disk. */
    void forceFolder(Path folder) throws IOException;

    /**
     * Replaces a file atomically: a new version is written next to it, forced to the disk and
     * renamed. After a crash the file is the old or the new version.
     *
     * @throws IOException if it cannot be replaced; its content is unchanged then
     */
    default void replace(Path file, byte[] content) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        write(fresh, content);
        force(fresh);
        rename(fresh, file);
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            forceFolder(folder);
        }
    }

    /** The file system of this machine. */
    FileOperations REAL =
            new FileOperations() {
                @Override
                public byte[] read(Path file) throws IOException {
                    return Files.readAllBytes(file);
                }

                @Override
                public void write(Path file, byte[] content) throws IOException {
                    Files.write(file, content);
                }

                @Override
                public void force(Path file) throws IOException {
                    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                        channel.force(true);
                    }
                }

                @Override
                public void rename(Path from, Path to) throws IOException {
                    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
                }

                @Override
                public void forceFolder(Path folder) throws IOException {
                    // Windows cannot open folders, and journals their entries.
                    String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
                    if (!system.startsWith("windows")) {
                        try (FileChannel channel =
                                FileChannel.open(folder, StandardOpenOption.READ)) {
                            channel.force(true);
                        }
                    }
                }
            };
}
