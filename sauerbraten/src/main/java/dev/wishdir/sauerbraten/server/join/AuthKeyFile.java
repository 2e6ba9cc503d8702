package dev.wishdir.sauerbraten.server.join;

import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.wire.ExceptionMessage;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The operator's file of public keys, read again when it has changed. A file with an error changes
 * nothing; the error is logged.
 */
public final class AuthKeyFile {
    /** The option that names the file. */
    public static final String OPTION = "auth-keys";

    private static final long CHECK_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final Logger LOG = LoggerFactory.getLogger(AuthKeyFile.class);

    /** Version of the file. */
    private record Version(FileTime modified, long size) {
        static final Version NONE = new Version(FileTime.fromMillis(0), -1);

        static Version of(Path file) throws IOException {
            BasicFileAttributes is = Files.readAttributes(file, BasicFileAttributes.class);
            return new Version(is.lastModifiedTime(), is.size());
        }
    }

    private record Content(Version version, AuthKeyTable table) {}

    private final Optional<Path> path;
    private final DutyCycle cycle;
    private Content content = new Content(Version.NONE, AuthKeyTable.empty());
    private String lastError = "";
    private long next;
    private boolean reading;

    /**
     * Reads the file.
     *
     * @param path of the file, empty for none
     * @throws IOException if it can't be read, or a line is wrong; the message names the option and
     *     the line
     */
    public AuthKeyFile(String path, DutyCycle cycle) throws IOException {
        this.path = path.isEmpty() ? Optional.empty() : Optional.of(Path.of(path));
        this.cycle = cycle;
        if (this.path.isPresent()) {
            try {
                content = read(this.path.get());
            } catch (IOException e) {
                throw new IOException("option " + OPTION + ": " + ExceptionMessage.of(e), e);
            }
        }
        next = cycle.now() + CHECK_INTERVAL_NANOS;
    }

    /**
     * Checks that the file can be read.
     *
     * @param path of the file, empty for none
     * @throws IllegalArgumentException if it can't, or a line is wrong; the message names the
     *     option
     */
    public static void check(String path) {
        try {
            if (!path.isEmpty()) {
                AuthKeyTable.read(Path.of(path));
            }
        } catch (IOException | InvalidPathException e) {
            throw new IllegalArgumentException(
                    "option " + OPTION + ": " + ExceptionMessage.of(e), e);
        }
    }

    private static Content read(Path file) throws IOException {
        Version version = Version.of(file);
        return new Content(version, AuthKeyTable.read(file));
    }

    AuthKeyTable table() {
        return content.table;
    }

    /** Starts to read the file if it is due; returns when to call again. */
    long advance(long now) {
        if (path.isEmpty()) {
            return Long.MAX_VALUE;
        }
        if (now >= next && !reading) {
            next = now + CHECK_INTERVAL_NANOS;
            Content before = content;
            Path file = path.get();
            reading =
                    cycle.offload(
                            () -> Version.of(file).equals(before.version) ? before : read(file),
                            this::onRead,
                            this::onFailure);
        }
        return next;
    }

    private void onRead(Content read) {
        reading = false;
        lastError = "";
        if (!read.equals(content)) {
            content = read;
            LOG.atInfo()
                    .addKeyValue("event", "auth-keys")
                    .log("sauerbraten: read {} auth keys again", read.table.size());
        }
    }

    private void onFailure(Throwable failure) {
        reading = false;
        String error =
                failure instanceof IOException e ? ExceptionMessage.of(e) : String.valueOf(failure);
        if (!error.equals(lastError)) {
            LOG.atWarn()
                    .addKeyValue("event", "auth-keys")
                    .log("sauerbraten: auth keys not read, the earlier ones stay: {}", error);
        }
        lastError = error;
    }
}
