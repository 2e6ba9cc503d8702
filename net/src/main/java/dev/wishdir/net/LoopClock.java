package dev.wishdir.net;

import java.util.function.LongSupplier;

/**
 * The clock of a loop: it stands still while the loop's thread does.
 *
 * <p>A loop reads it at least once a second. A longer gap is a pause of the machine, a long garbage
 * collection or a stopped process: nothing could be received or sent meanwhile, so only {@link
 * #MAX_GAP_NANOS} of it count, and no deadline passes for want of what could not be heard. The rest
 * is {@linkplain #sleptNanos counted}. Written by the loop's thread only, read by any.
 */
final class LoopClock {
    /** The most of a gap between two readings that counts as passed time, nanoseconds: 1.5 s. */
    static final long MAX_GAP_NANOS = 1_500_000_000L;

    private final LongSupplier source;
    private volatile long last;
    private volatile long slept;

    /**
     * @param source monotonic nanoseconds
     */
    LoopClock(LongSupplier source) {
        this.source = source;
        last = source.getAsLong();
    }

    /** The time, as the loop's thread reads it. */
    long tick() {
        long real = source.getAsLong();
        long gap = real - last;
        if (gap > MAX_GAP_NANOS) {
            slept = slept + gap - MAX_GAP_NANOS;
        }
        last = real;
        return real - slept;
    }

    /** The time, as another thread reads it: not further than the loop's own may be. */
    long read() {
        long since = last;
        return Math.min(source.getAsLong() - since, MAX_GAP_NANOS) + since - slept;
    }

    /** What the thread has slept so far, apart from what counts as passed time, nanoseconds. */
    long sleptNanos() {
        return slept;
    }
}
