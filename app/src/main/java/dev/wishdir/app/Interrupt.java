package dev.wishdir.app;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command end cleanly on Ctrl-C or SIGTERM: the signal ends {@link #await}, the command
 * closes what it has open, and the process ends with status 0.
 */
final class Interrupt implements AutoCloseable {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook = new Thread(this::onSignal, "interrupt");

    Interrupt() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void onSignal() {
        asked.countDown();
        try {
            if (done.await(10, TimeUnit.SECONDS)) {
                Runtime.getRuntime().halt(0);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the signal, or for some time. */
    boolean await(long time, TimeUnit unit) throws Failure {
        try {
            return asked.await(time, unit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure("interrupted", e);
        }
    }

    boolean asked() {
        return asked.getCount() == 0;
    }

    /** Lets the process end: call it last. */
    @Override
    public void close() {
        done.countDown();
        if (!asked()) {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }
}
