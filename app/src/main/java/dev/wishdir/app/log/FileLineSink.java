package dev.wishdir.app.log;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;

/**
 * A file, pipe or device to which lines are appended. Each write goes to the end of the file
 * (O_APPEND), so that a file that another program has truncated continues without a hole. After a
 * partial write, as on a full disk, the file is truncated to its old length. A pipe is opened by
 * the first write, which waits for a reader.
 */
public final class FileLineSink implements LineSink {
    /**
     * Limits at which a file is rotated to {@code FILE.1}, and the number of rotated files that are
     * kept.
     *
     * @param maxBytes maximum size of a file; 0 for no limit
     * @param maxAge maximum age of a file; zero for no limit
     * @param files number of rotated files to keep
     */
    public record Rotation(long maxBytes, Duration maxAge, int files) {
        /** No rotation. */
        public static final Rotation NONE = new Rotation(0, Duration.ZERO, 0);
    }

    private final Path file;
    private final Rotation rotation;
    private final InstantSource clock;
    private final FileAttribute<?>[] attributes;
    private @Nullable FileChannel channel;
    private Instant created = Instant.MAX;

    /**
     * Opens a file, or creates it.
     *
     * @param attributes attributes of a created file; without any, {@link #readableByGroup}
     * @throws IOException if it cannot be written
     */
    public FileLineSink(
            Path file, Rotation rotation, InstantSource clock, FileAttribute<?>... attributes)
            throws IOException {
        this.file = file;
        this.rotation = rotation;
        this.clock = clock;
        this.attributes = attributes.length == 0 ? readableByGroup(file) : attributes;
        if (!isSpecial()) {
            channel = open();
        }
    }

    /**
     * The attributes of a new file with addresses, accounts or names of players, which is not for
     * all users of the machine; none where the file system has no permissions.
     */
    public static FileAttribute<?>[] readableByGroup(Path file) {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-r-----"))
                }
                : new FileAttribute<?>[0];
    }

    /** Whether the file is a pipe or a device, which has no length and waits for its reader. */
    private boolean isSpecial() {
        return Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file);
    }

    private FileChannel open() throws IOException {
        FileChannel opened =
                FileChannel.open(
                        file,
                        Set.of(
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE,
                                StandardOpenOption.APPEND),
                        attributes);
        try {
            created = opened.size() == 0 ? clock.instant() : creationTime();
            if (!isSpecial() && endsInPartialLine()) {
                opened.write(ByteBuffer.wrap(new byte[] {'\n'}));
            }
            return opened;
        } catch (IOException e) {
            opened.close();
            throw e;
        }
    }

    private Instant creationTime() throws IOException {
        Object time = Files.getAttribute(file, "creationTime", LinkOption.NOFOLLOW_LINKS);
        return Instant.parse(time.toString());
    }

    /** Whether the last line has no line break, because a program was killed while writing it. */
    private boolean endsInPartialLine() throws IOException {
        if (!Files.isReadable(file)) {
            return false;
        }
        try (FileChannel reading = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            return reading.read(last, Math.max(0, reading.size() - 1)) > 0 && last.get(0) != '\n';
        }
    }

    @Override
    public void write(String lines) throws IOException {
        byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
        FileChannel to = channel;
        if (to != null && needsRotation(to, bytes.length)) {
            close();
            to = null;
            rotate();
        }
        if (to == null) {
            to = open();
            channel = to;
        }
        long before = isSpecial() ? 0 : to.size();
        try {
            ByteBuffer left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                to.write(left);
            }
        } catch (IOException e) {
            if (isSpecial()) {
                // The reader may be gone: the next write waits for a new one.
                channel = null;
                to.close();
            } else {
                to.truncate(before);
            }
            throw e;
        }
    }

    private boolean needsRotation(FileChannel of, int more) throws IOException {
        if (rotation.files == 0 || isSpecial()) {
            return false;
        }
        long size = of.size();
        return size > 0
                && (rotation.maxBytes > 0 && size + more > rotation.maxBytes
                        || rotation.maxAge.isPositive()
                                && clock.instant().isAfter(created.plus(rotation.maxAge)));
    }

    private void rotate() throws IOException {
        // A link stays a link: its target is rotated, and created again.
        Path target = Files.isSymbolicLink(file) ? file.toRealPath() : file;
        for (int i = rotation.files; i >= 1; i--) {
            Path from = i == 1 ? target : numbered(target, i - 1);
            try {
                Files.move(from, numbered(target, i), StandardCopyOption.REPLACE_EXISTING);
            } catch (NoSuchFileException _) {
                // There are not that many rotated files yet.
            }
        }
    }

    private static Path numbered(Path file, int number) {
        return file.resolveSibling(file.getFileName() + "." + number);
    }

    @Override
    public void reopen() throws IOException {
        close();
        if (!isSpecial()) {
            channel = open();
        }
    }

    @Override
    public void close() throws IOException {
        FileChannel open = channel;
        channel = null;
        if (open != null) {
            open.close();
        }
    }
}
