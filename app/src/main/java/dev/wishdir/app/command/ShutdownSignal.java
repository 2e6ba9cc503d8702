package dev.wishdir.app.command;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command end cleanly on Ctrl-C or SIGTERM. The signal ends {@link #await}; the command then
 * closes its resources and prints its results, and the process ends with the command's own status.
 * A command that takes longer than a minute is ended without that: on a busy machine a server needs
 * some seconds to end its players and to complete its recording.
 */
public final class ShutdownSignal {
    private static final long SHUTDOWN_TIMEOUT_SECONDS = 60;

    private final CountDownLatch requested = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook = new Thread(this::onSignal, "interrupt");
    private int status;

    /** Handles signals from now on. */
    public void listen() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Requests the shutdown, as a signal does. */
    public void request() {
        requested.countDown();
    }

    private void onSignal() {
        requested.countDown();
        try {
            if (done.await(SHUTDOWN_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                SeekableFile.deleteCopies();
                Runtime.getRuntime().halt(status);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the signal at most for the given time; returns whether it has come. */
    public boolean await(long time, TimeUnit unit) throws CommandFailedException {
        try {
            return requested.await(time, unit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("interrupted", e);
        }
    }

    public boolean isRequested() {
        return requested.getCount() == 0;
    }

    /** Reports that the command has ended and its output is written. */
    public void done(int exitStatus) {
        status = exitStatus;
        done.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // The hook already runs, and ends the process.
        }
    }
}
