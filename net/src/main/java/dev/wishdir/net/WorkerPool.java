package dev.wishdir.net;

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

/** The few threads for work that would hold up a loop, with a queue of a fixed length. */
final class WorkerPool implements AutoCloseable {
    private final long limit;
    private final ThreadPoolExecutor pool;

    /**
     * @param threads how many
     * @param limit nanoseconds that work may wait and take, together
     */
    WorkerPool(String name, int threads, long limit) {
        this.limit = limit;
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
     * Has work done, in a thread of these.
     *
     * @param done gets its result, or what it threw, in any thread
     * @return false if too much is waiting; nothing is done then
     */
    <T> boolean work(Callable<T> work, BiConsumer<@Nullable T, @Nullable Throwable> done) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Future<?> run;
        try {
            run =
                    pool.submit(() -> {
                        try {
                            result.complete(work.call());
                        } catch (Throwable e) {
                            result.completeExceptionally(e);
                        }
                    });
        } catch (RejectedExecutionException e) {
            return false;
        }
        result.orTimeout(limit, TimeUnit.NANOSECONDS);
        result.whenComplete((value, failure) -> {
            if (failure instanceof TimeoutException) {
                run.cancel(true);
            }
            done.accept(value, failure);
        });
        return true;
    }

    /** How much waits for a thread. */
    int waiting() {
        return pool.getQueue().size();
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }
}
