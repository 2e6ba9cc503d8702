package dev.wishdir.app;

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
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;

/**
 * A file, a pipe or a device that lines are added to. What is in the file stays; each write goes to
 * its end (O_APPEND), so that a file that another program has cut goes on without a hole. Where a
 * line is written in part, as on a full disk, the part is taken away again. A pipe is opened by the
 * first write, which waits for a reader.
 */
final class FileLineSink implements LineSink {
    /**
     * When a file is put aside, and how many of those are kept: {@code FILE.1} is the newest.
     *
     * @param maxBytes of one file; 0 for any number
     * @param maxAge of one file; zero for any
     * @param files that are kept beside the one that is written
     */
    record Rotation(long maxBytes, Duration maxAge, int files) {
        /** The file is never put aside. */
        static final Rotation NONE = new Rotation(0, Duration.ZERO, 0);
    }

    private final Path file;
    private final Rotation rotation;
    private final InstantSource clock;
    private final FileAttribute<?>[] attributes;
    private @Nullable FileChannel channel;
    private Instant begun = Instant.MAX;

    /**
     * Opens a file, or makes it.
     *
     * @param attributes of a file that is made
     * @throws IOException if it can't be written
     */
    FileLineSink(Path file, Rotation rotation, InstantSource clock, FileAttribute<?>... attributes)
            throws IOException {
        this.file = file;
        this.rotation = rotation;
        this.clock = clock;
        this.attributes = attributes;
        if (!isSpecial()) {
            channel = open();
        }
    }

    /** Whether it is a pipe or a device, which has no length and waits for its reader. */
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
            begun = opened.size() == 0 ? clock.instant() : made();
            if (!isSpecial() && endsInALine()) {
                opened.write(ByteBuffer.wrap(new byte[] {'\n'}));
            }
            return opened;
        } catch (IOException e) {
            opened.close();
            throw e;
        }
    }

    private Instant made() throws IOException {
        Object time = Files.getAttribute(file, "creationTime", LinkOption.NOFOLLOW_LINKS);
        return Instant.parse(time.toString());
    }

    /** Whether the last line has no end, as that of a program that was killed. */
    private boolean endsInALine() throws IOException {
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
        if (to != null && isDue(to, bytes.length)) {
            close();
            to = null;
            putAside();
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
                // The reader may be gone: a new one is waited for.
                channel = null;
                to.close();
            } else {
                to.truncate(before);
            }
            throw e;
        }
    }

    private boolean isDue(FileChannel of, int more) throws IOException {
        if (rotation.files == 0 || isSpecial()) {
            return false;
        }
        long size = of.size();
        return size > 0
                && (rotation.maxBytes > 0 && size + more > rotation.maxBytes
                        || rotation.maxAge.isPositive()
                                && clock.instant().isAfter(begun.plus(rotation.maxAge)));
    }

    private void putAside() throws IOException {
        for (int i = rotation.files; i >= 1; i--) {
            Path from = i == 1 ? file : numbered(i - 1);
            try {
                Files.move(from, numbered(i), StandardCopyOption.REPLACE_EXISTING);
            } catch (NoSuchFileException _) {
                // Not that many yet.
            }
        }
    }

    private Path numbered(int number) {
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
