package dev.wishdir.app.serve;

import dev.wishdir.app.command.CommandFailedException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A file that is updated every two seconds while the server's loop runs. A health check tests its
 * age: unlike a port, strangers cannot keep it busy.
 */
final class HealthFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HealthFile.class);
    private static final long INTERVAL_MILLIS = TimeUnit.SECONDS.toMillis(2);

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
    static HealthFile open(Path file, BooleanSupplier healthy) throws CommandFailedException {
        HealthFile health = new HealthFile(file, healthy);
        try {
            health.write();
        } catch (IOException e) {
            throw new CommandFailedException(
                    "cannot write --health-file " + file + ": " + e.getMessage(), e);
        }
        health.thread.start();
        return health;
    }

    private void run() {
        boolean failing = false;
        try {
            while (!thread.isInterrupted()) {
                Thread.sleep(INTERVAL_MILLIS);
                try {
                    write();
                    failing = false;
                } catch (IOException e) {
                    if (!failing) {
                        LOG.warn("cannot write {}: {}", file, e.getMessage());
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
