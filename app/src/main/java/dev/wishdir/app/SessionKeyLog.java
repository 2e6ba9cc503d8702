package dev.wishdir.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The keys of the sessions that a server has encrypted, a line each behind those that are there.
 * Who reads it can read what the players sent, so it is its owner's alone.
 */
final class SessionKeyLog implements Consumer<String>, AutoCloseable {
    private static final Set<PosixFilePermission> OWNER =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private final AsyncLineWriter lines;

    private SessionKeyLog(AsyncLineWriter lines) {
        this.lines = lines;
    }

    /**
     * Opens the file, or makes it.
     *
     * @throws CommandFailedException if it can't be written, or not be kept from others
     */
    static SessionKeyLog open(Path file) throws CommandFailedException {
        try {
            FileLineSink lines =
                    new FileLineSink(
                            file,
                            FileLineSink.Rotation.NONE,
                            InstantSource.system(),
                            PosixFilePermissions.asFileAttribute(OWNER));
            // It may have been there before.
            Files.setPosixFilePermissions(file, OWNER);
            return new SessionKeyLog(
                    new AsyncLineWriter(lines, new WriteFailureReport("keys", file.toString())));
        } catch (UnsupportedOperationException e) {
            throw new CommandFailedException(
                    "--key-log " + file + ": its file system can't keep a file from others", e);
        } catch (IOException e) {
            throw new CommandFailedException(
                    "--key-log: cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void accept(String line) {
        lines.accept(line);
    }

    /** The way to the file. */
    AsyncLineWriter lines() {
        return lines;
    }

    /** Writes what waits; whether all of it is written. */
    boolean isWhole() {
        lines.close();
        return lines.lost() == 0;
    }

    /** Writes what waits. */
    @Override
    public void close() {
        lines.close();
    }
}
