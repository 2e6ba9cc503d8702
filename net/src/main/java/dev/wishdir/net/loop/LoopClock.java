package dev.wishdir.net.loop;

import java.util.function.LongSupplier;

/**
 * Monotonic clock of an event loop that stands still while the loop's thread is stalled.
 *
 * <p>A loop reads it at least once a second. A longer gap is a pause of the machine, a long garbage
 * collection or a stopped process, in which nothing could be received or sent. Only {@link
 * #MAX_GAP_NANOS} of it count, so that no deadline passes because nothing could be received; {@link
 * #sleptNanos} returns the rest. Written only by the loop's thread, read by any.
 */
public final class LoopClock {
    /** Maximum part of a gap between two readings that counts as elapsed, nanoseconds: 1.5 s. */
    public static final long MAX_GAP_NANOS = 1_500_000_000L;

    private final LongSupplier source;
    private volatile long last;
    private volatile long slept;

    /**
     * @param source monotonic nanoseconds
     */
    public LoopClock(LongSupplier source) {
        this.source = source;
        last = source.getAsLong();
    }

    /** Advances the clock; only for the loop's thread. */
    public long tick() {
        long real = source.getAsLong();
        long gap = real - last;
        if (gap > MAX_GAP_NANOS) {
            slept = slept + gap - MAX_GAP_NANOS;
        }
        last = real;
        return real - slept;
    }

    /** The time for other threads, never ahead of what the loop's thread may read. */
    public long read() {
        long lastReading = last;
        return Math.min(source.getAsLong() - lastReading, MAX_GAP_NANOS) + lastReading - slept;
    }

    /** Total time of stalls that does not count as elapsed, nanoseconds. */
    public long sleptNanos() {
        return slept;
    }
}
