package dev.wishdir.app.serve.metrics;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.event.EventOptions;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A file that is updated every two seconds while the server's loop runs. A health check tests its
 * age: unlike a port, strangers cannot keep it busy.
 */
public final class HealthFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HealthFile.class);
    private static final long INTERVAL_MILLIS = TimeUnit.SECONDS.toMillis(2);

    private static final String FAILURE = "--health-file: cannot write ";

    /** More than the number of a process has. */
    private static final int MAX_BYTES = 24;

    private final Path file;
    private final BooleanSupplier healthy;
    private final Thread thread;

    private HealthFile(Path file, BooleanSupplier healthy) {
        this.file = file;
        this.healthy = healthy;
        thread = Thread.ofPlatform().daemon().name("health-file").unstarted(this::run);
    }

    /**
     * Starts to update a file.
     *
     * @param healthy whether the loop runs; queried on the file's own thread
     * @throws CommandFailedException if the file cannot be written
     */
    public static HealthFile open(Path file, BooleanSupplier healthy)
            throws CommandFailedException {
        HealthFile health = new HealthFile(file, healthy);
        try {
            refuseOther(file);
            health.write();
        } catch (IOException e) {
            throw new CommandFailedException(FAILURE + file + ": " + e.getMessage(), e);
        }
        health.thread.start();
        return health;
    }

    /**
     * Checks whether {@link #open} would succeed, without writing.
     *
     * @throws CommandFailedException if it would not
     */
    public static void check(Path file) throws CommandFailedException {
        EventOptions.checkWritable(FAILURE, file);
        try {
            refuseOther(file);
        } catch (IOException e) {
            throw new CommandFailedException(FAILURE + file + ": " + e.getMessage(), e);
        }
    }

    private static void refuseOther(Path file) throws IOException {
        if (Files.isRegularFile(file) && !isHealthFile(file)) {
            throw new IOException("it exists and is another file, which is not replaced");
        }
    }

    /** Whether a file is what a server that was killed left: empty, or a number. */
    private static boolean isHealthFile(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            String text = new String(in.readNBytes(MAX_BYTES + 1), StandardCharsets.ISO_8859_1);
            return text.length() <= MAX_BYTES && text.strip().chars().allMatch(Character::isDigit);
        }
    }

    private void run() {
        boolean failing = false;
        try {
            while (!thread.isInterrupted()) {
                Thread.sleep(INTERVAL_MILLIS);
                try {
                    write();
                    failing = false;
                } catch (IOException | RuntimeException | Error e) {
                    // Whatever it is, the next update may succeed.
                    if (!failing) {
                        LOG.warn("cannot write {}: {}", file, e.toString());
                    }
                    failing = true;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Writes the file if the loop runs. */
    void write() throws IOException {
        if (healthy.getAsBoolean()) {
            Files.writeString(file, ProcessHandle.current().pid() + "\n");
        }
    }

    /** Stops the updates and removes the file. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("cannot remove {}: {}", file, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
