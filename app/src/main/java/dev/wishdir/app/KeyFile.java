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
final class KeyFile implements Consumer<String>, AutoCloseable {
    private static final Set<PosixFilePermission> OWNER =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private final LineQueue lines;

    private KeyFile(LineQueue lines) {
        this.lines = lines;
    }

    /**
     * Opens the file, or makes it.
     *
     * @throws Failure if it can't be written, or not be kept from others
     */
    static KeyFile open(Path file) throws Failure {
        try {
            FileLines lines =
                    new FileLines(
                            file,
                            FileLines.Rotation.NONE,
                            InstantSource.system(),
                            PosixFilePermissions.asFileAttribute(OWNER));
            // It may have been there before.
            Files.setPosixFilePermissions(file, OWNER);
            return new KeyFile(new LineQueue(lines, new LineReport("keys", file.toString())));
        } catch (UnsupportedOperationException e) {
            throw new Failure(
                    "--keys " + file + ": its file system can't keep a file from others", e);
        } catch (IOException e) {
            throw new Failure("--keys: cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void accept(String line) {
        lines.accept(line);
    }

    /** The way to the file. */
    LineQueue lines() {
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
