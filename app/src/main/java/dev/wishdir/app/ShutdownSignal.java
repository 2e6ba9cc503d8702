package dev.wishdir.app;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command end cleanly on Ctrl-C or SIGTERM: the signal ends {@link #await}, the command
 * closes what it has open and prints what it has to say, and the process ends with the command's
 * own status. A command that takes longer than ten seconds is ended as any process.
 */
final class ShutdownSignal {
    private static final long SHUTDOWN_TIMEOUT_SECONDS = 10;

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook = new Thread(this::onSignal, "interrupt");
    private int status;

    /** From now on a signal is not the end of the process at once. */
    void listen() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** The operator asks for the end, as a signal would. */
    void ask() {
        asked.countDown();
    }

    private void onSignal() {
        asked.countDown();
        try {
            if (done.await(SHUTDOWN_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                Runtime.getRuntime().halt(status);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the signal, or for some time. */
    boolean await(long time, TimeUnit unit) throws CommandFailedException {
        try {
            return asked.await(time, unit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("interrupted", e);
        }
    }

    boolean asked() {
        return asked.getCount() == 0;
    }

    /** The command is over, and what it printed is written. */
    void done(int with) {
        status = with;
        done.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // The signal came: the hook ends the process.
        }
    }
}
