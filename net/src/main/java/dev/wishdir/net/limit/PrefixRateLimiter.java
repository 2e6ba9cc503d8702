package dev.wishdir.net.limit;

import java.net.InetAddress;

/**
 * Rate limit by {@link Prefix} in a table of fixed size: each prefix hashes to two token buckets.
 * The hashes are seeded, so that no sender can make memory grow or choose whose buckets it drains.
 * The fuller bucket counts, so a network is limited by others only if it shares both: one of 3,000
 * networks where 600 are busy; with a single bucket it would be one of 110. A bucket is the time at
 * which it is full again (the generic cell rate algorithm). While the clock is behind its last
 * reading, nothing is refilled.
 */
public final class PrefixRateLimiter {
    /** Buckets of each half of the table; a prefix has one in either. */
    private static final int HALF = 1 << 15;

    private final double burst;
    private final double perSecond;
    private final long seed;
    private final long fillNanos;

    /** Times at which the buckets are full again, in the table's own time. */
    private final long[] fullAt = new long[2 * HALF];

    /** The clock when it was last read. */
    private long lastNow;

    /** Nanoseconds by which the clock has gone forward. */
    private long time;

    public PrefixRateLimiter(double burst, double perSecond, long seed) {
        this.burst = burst;
        this.perSecond = perSecond;
        this.seed = seed;
        fillNanos = nanos(burst);
    }

    private long nanos(double amount) {
        return (long) (amount / perSecond * 1e9);
    }

    /** The index of both buckets of an address's network; the same in all tables of one seed. */
    public int buckets(InetAddress prefix) {
        return buckets(Prefix.network(prefix));
    }

    /** The index of both buckets of a prefix; the same in all tables of one seed. */
    public int buckets(Prefix prefix) {
        long hash = seed ^ prefix.bits();
        hash = (hash ^ hash >>> 30) * 0xBF58476D1CE4E5B9L;
        hash = (hash ^ hash >>> 27) * 0x94D049BB133111EBL;
        hash = (hash ^ seed ^ hash >>> 31) * 0x9E3779B97F4A7C15L;
        return (int) (hash >>> 34);
    }

    private static int first(int buckets) {
        return buckets % HALF;
    }

    private static int second(int buckets) {
        return HALF + buckets / HALF;
    }

    /** The tokens left now. */
    public double left(long now, int buckets) {
        time += Math.max(0, now - lastNow);
        lastNow = now;
        long full = Math.min(fullAt[first(buckets)], fullAt[second(buckets)]);
        return burst - Math.max(0, full - time) / 1e9 * perSecond;
    }

    /** Takes tokens, at most those of a full bucket, at the time last read. */
    public void take(int buckets, double amount) {
        long nanos = nanos(amount);
        delay(first(buckets), nanos);
        delay(second(buckets), nanos);
    }

    private void delay(int bucket, long nanos) {
        fullAt[bucket] = Math.min(Math.max(fullAt[bucket], time) + nanos, time + fillNanos);
    }
}
