package dev.wishdir.net;

import java.net.InetAddress;

/**
 * A bucket of tokens for each {@link Prefix#network network}. The table has a fixed number of
 * buckets, found by a seeded hash in constant time: networks that share one share its tokens, and
 * no sender can make memory grow or choose whose bucket it drains. The clock may step back; it then
 * simply brings no tokens until it moves on.
 */
final class PrefixBuckets {
    private static final int SIZE = 1 << 16;

    private final double most;
    private final double aSecond;
    private final long seed;
    private final double[] spent = new double[SIZE];
    private final long[] stamps = new long[SIZE];

    PrefixBuckets(double most, double aSecond, long seed) {
        this.most = most;
        this.aSecond = aSecond;
        this.seed = seed;
    }

    /** The bucket of an address; the same in all tables of one seed. */
    int bucket(InetAddress of) {
        long hash = seed ^ Prefix.network(of).bits();
        hash = (hash ^ hash >>> 30) * 0xBF58476D1CE4E5B9L;
        hash = (hash ^ hash >>> 27) * 0x94D049BB133111EBL;
        hash = (hash ^ seed ^ hash >>> 31) * 0x9E3779B97F4A7C15L;
        return (int) (hash >>> 48) & SIZE - 1;
    }

    /** The tokens that are left now. */
    double left(long now, int bucket) {
        long elapsed = now - stamps[bucket];
        if (elapsed > 0) {
            spent[bucket] = Math.max(0, spent[bucket] - elapsed / 1e9 * aSecond);
        }
        stamps[bucket] = now;
        return most - spent[bucket];
    }

    /** Takes tokens, at most as many as a full bucket holds. */
    void take(int bucket, double amount) {
        spent[bucket] = Math.min(most, spent[bucket] + amount);
    }
}
