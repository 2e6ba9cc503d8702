package dev.wishdir.app;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The keys of the sessions that a server has encrypted, a line each behind those that are there.
 * Who reads it can read what the players sent, so it is its owner's alone.
 */
final class KeyFile implements Consumer<String>, AutoCloseable {
    private static final Set<PosixFilePermission> OWNER =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private final PrintWriter out;
    private final LineQueue lines;

    private KeyFile(PrintWriter out) {
        this.out = out;
        lines = new LineQueue(out);
    }

    /**
     * Opens the file, or makes it.
     *
     * @throws Failure if it can't be written, or not be kept from others
     */
    static KeyFile open(Path file) throws Failure {
        try {
            FileChannel channel =
                    FileChannel.open(
                            file,
                            Set.of(
                                    StandardOpenOption.CREATE,
                                    StandardOpenOption.WRITE,
                                    StandardOpenOption.APPEND),
                            PosixFilePermissions.asFileAttribute(OWNER));
            // It may have been there before.
            Files.setPosixFilePermissions(file, OWNER);
            return new KeyFile(
                    new PrintWriter(
                            new OutputStreamWriter(
                                    Channels.newOutputStream(channel), StandardCharsets.UTF_8)));
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

    /** Writes what waits. */
    @Override
    public void close() {
        lines.close();
        out.close();
    }
}
