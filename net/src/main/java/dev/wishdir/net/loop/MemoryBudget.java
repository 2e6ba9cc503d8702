package dev.wishdir.net.loop;

import dev.wishdir.net.limit.MemoryConsumer;
import dev.wishdir.net.limit.TokenBucket;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Limit on the heap that all connections of a server retain together. Past it the connection that
 * retains most is aborted, then the next, until the rest is within the limit. As a {@link Duty} it
 * checks after turns, at most every 50 ms; an idle server costs nothing. One per server, used only
 * by its thread.
 */
public final class MemoryBudget implements Duty {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryBudget.class);
    private static final long CHECK_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final String REASON = "the server is short of memory";

    private record Usage(MemoryConsumer consumer, long bytes) {}

    private final long total;
    private final Counters counters;
    private final Set<MemoryConsumer> consumers = new LinkedHashSet<>();
    private final TokenBucket logLimit = new TokenBucket(3, 1);
    private long retained;
    private long lastCheck;
    private boolean checked;

    /** Whether the log has the addresses of clients. */
    private boolean logAddresses = true;

    /**
     * @param total limit in bytes of heap
     * @param counters where {@code memory.ended} counts aborted connections
     */
    public MemoryBudget(long total, Counters counters) {
        if (total < 1) {
            throw new IllegalArgumentException(
                    "memory budget must be at least 1 byte, is " + total);
        }
        this.total = total;
        this.counters = Objects.requireNonNull(counters, "counters");
    }

    /** A quarter of the JVM's maximum heap. */
    public static MemoryBudget standard(Counters counters) {
        return new MemoryBudget(Runtime.getRuntime().maxMemory() / 4, counters);
    }

    /** Leaves addresses of clients out of the log from now on. */
    public void hideAddresses() {
        logAddresses = false;
    }

    /** Counts a connection until it is removed or aborted. */
    public void add(MemoryConsumer consumer) {
        consumers.add(Objects.requireNonNull(consumer, "consumer"));
    }

    /** Stops counting a connection; does nothing if it is not counted. */
    public void remove(MemoryConsumer consumer) {
        consumers.remove(consumer);
    }

    /** The limit, bytes. */
    public long total() {
        return total;
    }

    /** The bytes that all connections retained at the last check. */
    public long retainedBytes() {
        return retained;
    }

    /** Whether three quarters of the limit are used; files and large replies must then wait. */
    public boolean isShort() {
        return retainedBytes() > total - total / 4;
    }

    @Override
    public long advance(long now) {
        long elapsed = now - lastCheck;
        if (checked && elapsed >= 0 && elapsed < CHECK_INTERVAL_NANOS) {
            return lastCheck + CHECK_INTERVAL_NANOS;
        }
        checked = true;
        lastCheck = now;
        check(now);
        // Only a turn changes anything, and each turn calls this.
        return NEVER;
    }

    private void check(long now) {
        retained = 0;
        for (MemoryConsumer consumer : consumers) {
            retained += consumer.retainedBytes();
        }
        if (retained <= total) {
            return;
        }
        List<Usage> usages = new ArrayList<>();
        for (MemoryConsumer consumer : consumers) {
            usages.add(new Usage(consumer, consumer.retainedBytes()));
        }
        usages.sort(Comparator.comparingLong(Usage::bytes).reversed());
        for (Usage usage : usages) {
            if (retained <= total) {
                return;
            }
            retained -= usage.bytes();
            abort(now, usage);
        }
    }

    /** Removed first, so that it is aborted once whatever {@link MemoryConsumer#abort} does. */
    private void abort(long now, Usage usage) {
        if (!consumers.remove(usage.consumer())) {
            return;
        }
        counters.count("memory.ended");
        int notLogged = logLimit.refused();
        if (logLimit.tryAcquire(now)) {
            LOG.warn(
                    "connections retained more than {} KiB: aborted {}, which retained {} KiB{}",
                    total >> 10,
                    logAddresses ? usage.consumer() : usage.consumer().nameWithoutAddress(),
                    usage.bytes() >> 10,
                    notLogged == 0 ? "" : ", after " + notLogged + " more");
        }
        try {
            usage.consumer().abort(now, REASON);
        } catch (RuntimeException e) {
            LOG.error("defect in the abort of {}", usage.consumer().getClass().getSimpleName(), e);
        }
        if (usage.consumer().isPermanent()) {
            consumers.add(usage.consumer());
        }
    }
}
