package dev.wishdir.net;

import java.net.InetAddress;

/**
 * Tokens of each {@link Prefix prefix}, in two buckets of a table with a fixed number, found by
 * seeded hashes in constant time: no sender can make memory grow or choose whose buckets it drains.
 * The fuller one counts, so that a network is short of tokens for others' sake only if it shares
 * both: one of 3,000 networks where 600 are busy, where one of 110 would share a single bucket. The
 * clock may step back; it then simply brings no tokens until it moves on.
 */
final class PrefixRateLimiter {
    /** Buckets of each half: a network has one in either. */
    private static final int HALF = 1 << 15;

    private final double most;
    private final double aSecond;
    private final long seed;
    private final double[] spent = new double[2 * HALF];
    private final long[] stamps = new long[2 * HALF];

    PrefixRateLimiter(double most, double aSecond, long seed) {
        this.most = most;
        this.aSecond = aSecond;
        this.seed = seed;
    }

    /** The buckets of an address's network, as one number; the same in all tables of one seed. */
    int buckets(InetAddress of) {
        return buckets(Prefix.network(of));
    }

    /** The buckets of a prefix, as one number; the same in all tables of one seed. */
    int buckets(Prefix of) {
        long hash = seed ^ of.bits();
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

    /** The tokens that are left now. */
    double left(long now, int buckets) {
        return most - Math.min(spent(now, first(buckets)), spent(now, second(buckets)));
    }

    private double spent(long now, int bucket) {
        long elapsed = now - stamps[bucket];
        if (elapsed > 0) {
            spent[bucket] = Math.max(0, spent[bucket] - elapsed / 1e9 * aSecond);
        }
        stamps[bucket] = now;
        return spent[bucket];
    }

    /** Takes tokens, at most as many as a full bucket holds. */
    void take(int buckets, double amount) {
        int first = first(buckets);
        int second = second(buckets);
        spent[first] = Math.min(most, spent[first] + amount);
        spent[second] = Math.min(most, spent[second] + amount);
    }
}
