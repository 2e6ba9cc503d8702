package dev.wishdir.app;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** What is asked of a file system to keep a file: so little, that a test can have it fail. */
interface FileOperations {
    /**
     * All of a file.
     *
     * @throws java.nio.file.NoSuchFileException if there is none
     */
    byte[] read(Path file) throws IOException;

    /** Writes a file anew; it may have any part of this before {@link #force}. */
    void write(Path file, byte[] content) throws IOException;

    /** Returns when what was written is on the disk. */
    void force(Path file) throws IOException;

    /** Gives a file the name of another, which is replaced, at once. */
    void rename(Path from, Path to) throws IOException;

    /** Returns when the names in a folder are on the disk. */
    void forceFolder(Path folder) throws IOException;

    /** The one of this machine. */
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
                    // Windows opens no folders, and its names are journalled.
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
