package dev.wishdir.record.mcap;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A file that grows at its end. */
interface OutputFile extends Closeable {
    /** Appends all of the bytes; after an exception some of them may be there. */
    void write(byte[] data, int offset, int length) throws IOException;

    /** Cuts the file; the next bytes are appended there. */
    void truncate(long size) throws IOException;

    /** Returns when the disk has what was written. */
    void force() throws IOException;

    /**
     * Creates a file, which only its owner and its group may read where the file system knows them.
     * An interrupt of the writing thread does not close it, as it would a {@code FileChannel}.
     *
     * @throws java.nio.file.FileAlreadyExistsException if there is one
     */
    static OutputFile create(Path path) throws IOException {
        if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createFile(
                    path,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-r-----")));
        } else {
            Files.createFile(path);
        }
        return open(path);
    }

    /**
     * Opens a file to append to, from a place that {@link #truncate} sets.
     *
     * @throws IOException if another process has it open in this way
     */
    static OutputFile open(Path path) throws IOException {
        RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
        if (!lock(file)) {
            file.close();
            throw new IOException("another program writes it");
        }
        return new OutputFile() {
            @Override
            public void write(byte[] data, int offset, int length) throws IOException {
                file.write(data, offset, length);
            }

            @Override
            public void truncate(long size) throws IOException {
                file.setLength(size);
                file.seek(size);
            }

            @Override
            public void force() throws IOException {
                file.getFD().sync();
            }

            @Override
            public void close() throws IOException {
                file.close();
            }
        };
    }

    /** Locks a file until it is closed; true also where the file system has no locks. */
    private static boolean lock(RandomAccessFile file) {
        try {
            return file.getChannel().tryLock() != null;
        } catch (OverlappingFileLockException _) {
            return false;
        } catch (IOException _) {
            return true;
        }
    }
}
