package dev.wishdir.app;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long something took, as a histogram of fixed buckets. One thread records, with no more than a
 * few plain additions; any may read.
 */
final class DurationHistogram {
    /** The upper bounds of the buckets, seconds; what is longer is in one more. */
    static final double[] BOUNDS = {
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5
    };

    private static final double SECOND = 1e9;

    private final AtomicLongArray counts = new AtomicLongArray(BOUNDS.length + 1);
    private final AtomicLong nanos = new AtomicLong();

    /** Records one, nanoseconds; what is negative counts as none. */
    void record(long took) {
        long time = Math.max(0, took);
        int bucket = 0;
        while (bucket < BOUNDS.length && time > BOUNDS[bucket] * SECOND) {
            bucket++;
        }
        counts.setRelease(bucket, counts.getPlain(bucket) + 1);
        nanos.setRelease(nanos.getPlain() + time);
    }

    /** How many were recorded in each bucket, the longest last. */
    long[] counts() {
        long[] all = new long[counts.length()];
        for (int i = 0; i < all.length; i++) {
            all[i] = counts.getAcquire(i);
        }
        return all;
    }

    /** All that was recorded together, seconds. */
    double seconds() {
        return nanos.getAcquire() / SECOND;
    }
}
