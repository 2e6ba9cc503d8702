package dev.wishdir.net.loop;

import io.netty.util.concurrent.DefaultThreadFactory;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;

/** Threads for work that would block an event loop, with a bounded queue. */
public final class WorkerPool implements AutoCloseable {
    private final long timeoutNanos;
    private final ThreadPoolExecutor pool;

    /**
     * @param threads number of threads
     * @param timeoutNanos time-out of a task including its wait in the queue, nanoseconds
     */
    public WorkerPool(String name, int threads, long timeoutNanos) {
        this.timeoutNanos = timeoutNanos;
        pool =
                new ThreadPoolExecutor(
                        threads,
                        threads,
                        10,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(DutyCycle.MAX_OFFLOADED_TASKS),
                        new DefaultThreadFactory(name, true));
        pool.allowCoreThreadTimeOut(true);
    }

    /**
     * Runs a task on one of the threads.
     *
     * @param onDone takes its result, or what it threw, on any thread
     * @return false if the queue is full; the task is then not run
     */
    public <T> boolean submit(
            Callable<T> task, BiConsumer<@Nullable T, @Nullable Throwable> onDone) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Future<?> run;
        try {
            run =
                    pool.submit(() -> {
                        try {
                            result.complete(task.call());
                        } catch (Throwable e) {
                            result.completeExceptionally(e);
                        }
                    });
        } catch (RejectedExecutionException e) {
            return false;
        }
        result.orTimeout(timeoutNanos, TimeUnit.NANOSECONDS);
        result.whenComplete((value, failure) -> {
            if (failure instanceof TimeoutException) {
                run.cancel(true);
            }
            onDone.accept(value, failure);
        });
        return true;
    }

    /** The number of queued tasks. */
    public int queued() {
        return pool.getQueue().size();
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }
}
