package dev.wishdir.app.serve.metrics;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A histogram of durations with fixed buckets. Only one thread records, with a few plain additions;
 * any thread may read.
 */
public final class DurationHistogram {
    /** The upper bounds of short durations. */
    private static final double[] SHORT_SECONDS = {
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5
    };

    private static final double NANOS_PER_SECOND = 1e9;

    private final double[] bounds;
    private final AtomicLongArray counts;
    private final AtomicLong nanos = new AtomicLong();

    /** A histogram of 0.1 ms to 2.5 s. */
    public DurationHistogram() {
        this(SHORT_SECONDS);
    }

    /**
     * @param bounds the upper bounds of the buckets, seconds, ascending; a further bucket has
     *     longer durations
     */
    DurationHistogram(double[] bounds) {
        this.bounds = bounds.clone();
        counts = new AtomicLongArray(bounds.length + 1);
    }

    /** The upper bounds of the buckets but the last, seconds. */
    double[] bounds() {
        return bounds.clone();
    }

    /** Records a duration in nanoseconds; a negative one counts as 0. */
    public void record(long duration) {
        long time = Math.max(0, duration);
        int bucket = 0;
        while (bucket < bounds.length && time > bounds[bucket] * NANOS_PER_SECOND) {
            bucket++;
        }
        counts.setRelease(bucket, counts.getPlain(bucket) + 1);
        nanos.setRelease(nanos.getPlain() + time);
    }

    /** The number of durations in each bucket, the longest last. */
    long[] counts() {
        long[] all = new long[counts.length()];
        for (int i = 0; i < all.length; i++) {
            all[i] = counts.getAcquire(i);
        }
        return all;
    }

    /** The sum of all durations, in seconds. */
    double seconds() {
        return nanos.getAcquire() / NANOS_PER_SECOND;
    }
}
