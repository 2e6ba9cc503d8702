package dev.wishdir.app.serve.file;

import dev.wishdir.app.log.FileLineSink;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Locale;
import java.util.Set;

/**
 * The file system operations of files that the server rewrites, an interface so that tests can make
 * them fail.
 */
public interface FileOperations {
    /** Maximum number of symbolic links from a name to its file. */
    int MAX_LINKS = 40;

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

    /** Removes a file if it is there. */
    void delete(Path file) throws IOException;

    /** The file that a name stands for: the target of a symbolic link. */
    Path target(Path file) throws IOException;

    /**
     * Gives a file the permissions, owner and group of another, if that exists.
     *
     * @throws FileSystemException if this process may not
     */
    void copyAttributes(Path from, Path to) throws IOException;

    /**
     * Replaces the content of a file, which keeps its permissions and its owner: a new version is
     * written next to it, forced to the disk and renamed. After a crash the file is the old or the
     * new version. Where that is not possible, as for a file that is mounted into a container, or
     * in a folder that cannot be written, the file itself is written.
     *
     * @throws IOException if it cannot be replaced
     */
    default void replace(Path file, byte[] content) throws IOException {
        Path target = target(file);
        Path fresh = target.resolveSibling(target.getFileName() + ".new");
        try {
            write(fresh, content);
        } catch (AccessDeniedException _) {
            write(target, content);
            force(target);
            return;
        }
        try {
            copyAttributes(target, fresh);
            force(fresh);
            rename(fresh, target);
        } catch (FileSystemException _) {
            // The new version had room on this disk, so that the file has it, too.
            delete(fresh);
            write(target, content);
            force(target);
        }
        Path folder = target.toAbsolutePath().getParent();
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
                    try (SeekableByteChannel channel =
                            Files.newByteChannel(
                                    file,
                                    Set.of(
                                            StandardOpenOption.CREATE,
                                            StandardOpenOption.WRITE,
                                            StandardOpenOption.TRUNCATE_EXISTING),
                                    FileLineSink.readableByGroup(file))) {
                        ByteBuffer left = ByteBuffer.wrap(content);
                        while (left.hasRemaining()) {
                            channel.write(left);
                        }
                    }
                }

                @Override
                public void delete(Path file) throws IOException {
                    Files.deleteIfExists(file);
                }

                @Override
                public Path target(Path file) throws IOException {
                    Path target = file;
                    for (int links = 0; Files.isSymbolicLink(target); links++) {
                        if (links == MAX_LINKS) {
                            throw new FileSystemLoopException(file.toString());
                        }
                        target = target.resolveSibling(Files.readSymbolicLink(target));
                    }
                    return target;
                }

                @Override
                public void copyAttributes(Path from, Path to) throws IOException {
                    PosixFileAttributeView after =
                            Files.getFileAttributeView(to, PosixFileAttributeView.class);
                    if (after == null || !Files.exists(from)) {
                        return;
                    }
                    PosixFileAttributes own = after.readAttributes();
                    PosixFileAttributes wanted =
                            Files.readAttributes(from, PosixFileAttributes.class);
                    if (!own.owner().equals(wanted.owner())) {
                        after.setOwner(wanted.owner());
                    }
                    if (!own.group().equals(wanted.group())) {
                        after.setGroup(wanted.group());
                    }
                    after.setPermissions(wanted.permissions());
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
