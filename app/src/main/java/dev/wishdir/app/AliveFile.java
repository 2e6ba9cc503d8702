package dev.wishdir.app;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A file that is written anew every two seconds as long as the server's loop turns: for a health
 * check that no stranger can keep from its answer, as it asks no port.
 */
final class AliveFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AliveFile.class);
    private static final long INTERVAL_MILLIS = TimeUnit.SECONDS.toMillis(2);

    private final Path file;
    private final BooleanSupplier healthy;
    private final Thread thread;

    private AliveFile(Path file, BooleanSupplier healthy) {
        this.file = file;
        this.healthy = healthy;
        thread = Thread.ofPlatform().daemon().name("alive").unstarted(this::run);
    }

    /**
     * Begins to write a file.
     *
     * @param healthy whether the loop turns; asked by another thread
     * @throws CommandFailedException if the file can't be written
     */
    static AliveFile open(Path file, BooleanSupplier healthy) throws CommandFailedException {
        AliveFile alive = new AliveFile(file, healthy);
        try {
            alive.write();
        } catch (IOException e) {
            throw new CommandFailedException(
                    "cannot write --alive " + file + ": " + e.getMessage(), e);
        }
        alive.thread.start();
        return alive;
    }

    private void run() {
        boolean told = false;
        try {
            while (!thread.isInterrupted()) {
                Thread.sleep(INTERVAL_MILLIS);
                try {
                    write();
                    told = false;
                } catch (IOException e) {
                    if (!told) {
                        LOG.warn("cannot write {}: {}", file, e.getMessage());
                    }
                    told = true;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Writes the file if the loop turns. */
    void write() throws IOException {
        if (healthy.getAsBoolean()) {
            Files.writeString(file, ProcessHandle.current().pid() + "\n");
        }
    }

    /** Removes the file: who has ended is not alive. */
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
