package dev.wishdir.app.serve.file;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.log.AsyncLineWriter;
import dev.wishdir.app.log.FileLineSink;
import dev.wishdir.app.log.WriteFailureReport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A file to which the keys of encrypted sessions are appended, one line each. Only its owner may
 * read it, as the keys decrypt the players' traffic.
 */
public final class SessionKeyLog implements Consumer<String>, AutoCloseable {
    private static final Set<PosixFilePermission> OWNER =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private final AsyncLineWriter lines;

    private SessionKeyLog(AsyncLineWriter lines) {
        this.lines = lines;
    }

    /**
     * Opens the file, or creates it.
     *
     * @throws CommandFailedException if it cannot be written, or cannot be made private
     */
    public static SessionKeyLog open(Path file) throws CommandFailedException {
        try {
            FileLineSink lines =
                    new FileLineSink(
                            file,
                            FileLineSink.Rotation.NONE,
                            InstantSource.system(),
                            PosixFilePermissions.asFileAttribute(OWNER));
            // The file may have existed with other permissions.
            Files.setPosixFilePermissions(file, OWNER);
            return new SessionKeyLog(
                    new AsyncLineWriter(lines, new WriteFailureReport("keys", file.toString())));
        } catch (UnsupportedOperationException e) {
            throw new CommandFailedException(
                    "--key-log "
                            + file
                            + ": its file system has no permissions to make the file private",
                    e);
        } catch (IOException e) {
            throw new CommandFailedException(
                    "--key-log: cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void accept(String line) {
        lines.accept(line);
    }

    /** The queue of lines to the file. */
    public AsyncLineWriter lines() {
        return lines;
    }

    /** Writes the queued lines; returns whether none was lost. */
    public boolean isComplete() {
        lines.close();
        return lines.lost() == 0;
    }

    /** Writes the queued lines. */
    @Override
    public void close() {
        lines.close();
    }
}
