package dev.wishdir.app.serve;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Writes the newest state of something to a file, on a thread of its own: a later state replaces
 * one that is still pending.
 */
final class BackgroundWriter<T> implements Consumer<T>, AutoCloseable {
    /** Writes a state. */
    @FunctionalInterface
    interface Target<T> {
        void write(T state) throws IOException;
    }

    private final String what;
    private final Path file;
    private final Target<T> target;
    private final Consumer<String> problems;
    private final AtomicReference<@Nullable T> pending = new AtomicReference<>();
    private final ExecutorService thread;

    /**
     * @param what is written, in the plural, as in errors: {@code bans}
     * @param problems receives errors, on another thread
     */
    BackgroundWriter(String what, Path file, Target<T> target, Consumer<String> problems) {
        this.what = what;
        this.file = file;
        this.target = target;
        this.problems = problems;
        thread =
                Executors.newSingleThreadExecutor(
                        Thread.ofPlatform().name(what.replace(' ', '-')).daemon().factory());
    }

    /** Schedules a write. */
    @Override
    public void accept(T state) {
        if (pending.getAndSet(state) == null) {
            thread.execute(this::writePending);
        }
    }

    private void writePending() {
        T state = pending.getAndSet(null);
        if (state == null) {
            return;
        }
        try {
            target.write(state);
        } catch (IOException e) {
            problems.accept(
                    what
                            + " cannot be written to "
                            + file
                            + " and are lost when the server stops: "
                            + e);
        }
    }

    /** Runs a task after all pending writes. */
    <V> Future<V> submit(Callable<V> task) {
        return thread.submit(task);
    }

    /** Waits for pending writes, at most 10 s. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(10, TimeUnit.SECONDS)) {
                problems.accept(what + " were not written to " + file + " within 10 s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
