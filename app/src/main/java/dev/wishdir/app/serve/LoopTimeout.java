package dev.wishdir.app.serve;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * The time-out of one call of the event loop, which runs only while the loop makes no progress.
 *
 * <p>On a busy machine the start of a server takes minutes of real time and the same CPU time as
 * ever. The loop is given up when it uses no CPU time, as it is blocked or has ended, or when it
 * has used as much as no call needs. Polls are counted rather than time: a process that is stopped
 * for a while polls as little as its loop works.
 */
final class LoopTimeout {
    private static final long POLL_MILLIS = 500;

    /** 30 s of polls. */
    static final int MAX_SILENT_POLLS = 60;

    static final long MAX_CPU_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final LongSupplier cpuNanos;
    private final long cpuAtStart;
    private long lastCpu;
    private int silentPolls;

    /**
     * @param cpuNanos CPU time of the loop's thread; negative if unknown
     */
    LoopTimeout(LongSupplier cpuNanos) {
        this.cpuNanos = cpuNanos;
        cpuAtStart = Math.max(0, cpuNanos.getAsLong());
        lastCpu = cpuAtStart;
    }

    /**
     * Waits for what the loop completes.
     *
     * @throws TimeoutException with the reason, if the loop makes no progress
     */
    <T extends @Nullable Object> T await(CompletableFuture<T> done)
            throws ExecutionException, InterruptedException, TimeoutException {
        while (true) {
            try {
                return done.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException _) {
                Optional<String> problem = poll();
                if (problem.isPresent()) {
                    throw new TimeoutException(problem.get());
                }
            }
        }
    }

    /** Reason for which the loop is given up now; empty while it makes progress. Once each poll. */
    Optional<String> poll() {
        long cpu = cpuNanos.getAsLong();
        silentPolls = cpu > lastCpu ? 0 : silentPolls + 1;
        lastCpu = Math.max(lastCpu, cpu);
        if (silentPolls >= MAX_SILENT_POLLS) {
            return Optional.of(
                    "it used no CPU time for " + MAX_SILENT_POLLS * POLL_MILLIS / 1000 + " s");
        }
        if (lastCpu - cpuAtStart >= MAX_CPU_NANOS) {
            return Optional.of(
                    "it has used "
                            + TimeUnit.NANOSECONDS.toSeconds(lastCpu - cpuAtStart)
                            + " s of CPU time");
        }
        return Optional.empty();
    }
}
