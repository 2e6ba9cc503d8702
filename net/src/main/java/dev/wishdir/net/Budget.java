package dev.wishdir.net;

import java.net.InetAddress;
import java.util.Arrays;

/**
 * How many bytes may be sent to addresses that have not yet proved that they receive at them. Each
 * /24 of IPv4 or /64 of IPv6 has a bucket of tokens, and all together have one more; a reply is
 * sent where both hold enough. So nobody can be flooded through us, and a flood from everywhere
 * costs no more than the total. Half of the total is kept for prefixes that were sent little in the
 * last seconds, and some of it for short answers: so a newcomer's handshake is answered while a
 * hundred prefixes ask without end.
 *
 * <p>The table has a fixed number of buckets, found by a seeded hash in constant time: prefixes
 * that share one share its tokens, and no sender can make memory grow. The clock may step back; it
 * then simply brings no tokens until it moves on. One a server, used by its one thread.
 */
public final class Budget {
    private static final long SECOND = 1_000_000_000L;
    private static final int BUCKETS = 1 << 16;

    /** Answers of a handshake; those to server browsers are longer. */
    private static final int SHORT = 128;

    /** A prefix that was sent no more than this at once, and so much a second, is a newcomer. */
    private static final int NEWCOMER_BURST = 256;

    private static final int NEWCOMER_RATE = 64;

    private final int rate;
    private final int burst;
    private final int totalRate;
    private final long seed;
    private final float[] tokens = new float[BUCKETS];
    private final float[] newcomers = new float[BUCKETS];
    private final long[] stamps = new long[BUCKETS];
    private float totalTokens;
    private long totalStamp;
    private boolean used;

    /**
     * @param rate bytes a second to one prefix
     * @param burst bytes at once to one prefix
     * @param totalRate bytes a second, and at once, to all unproven addresses
     * @param seed random, so that a sender can't choose whose bucket it drains
     */
    public Budget(int rate, int burst, int totalRate, long seed) {
        this.rate = rate;
        this.burst = burst;
        this.totalRate = totalRate;
        this.seed = seed;
    }

    /** 2 KiB a second with bursts of 4 KiB to a prefix, 64 KiB a second to all. */
    public static Budget standard(long seed) {
        return new Budget(2 << 10, 4 << 10, 64 << 10, seed);
    }

    /**
     * Takes tokens for a reply.
     *
     * @param now nanoseconds
     * @return false if the reply must not be sent; nothing is taken then
     */
    public boolean spend(long now, InetAddress to, int bytes) {
        if (!used) {
            used = true;
            Arrays.fill(tokens, burst);
            Arrays.fill(newcomers, NEWCOMER_BURST);
            Arrays.fill(stamps, now);
            totalTokens = totalRate;
            totalStamp = now;
        }
        int bucket = bucket(to);
        long elapsed = now - stamps[bucket];
        tokens[bucket] = refilled(tokens[bucket], elapsed, rate, burst);
        newcomers[bucket] = refilled(newcomers[bucket], elapsed, NEWCOMER_RATE, NEWCOMER_BURST);
        stamps[bucket] = now;
        totalTokens = refilled(totalTokens, now - totalStamp, totalRate, totalRate);
        totalStamp = now;
        if (tokens[bucket] < bytes || totalTokens - kept(newcomers[bucket], bytes) < bytes) {
            return false;
        }
        tokens[bucket] -= bytes;
        newcomers[bucket] = Math.max(0, newcomers[bucket] - bytes);
        totalTokens -= bytes;
        return true;
    }

    /** What of the total is kept for others: newcomers, and shorter answers. */
    private float kept(float newcomer, int bytes) {
        if (newcomer < bytes) {
            return totalRate / 2f;
        }
        return bytes > SHORT ? totalRate / 4f : 0;
    }

    private static float refilled(float tokens, long elapsed, int rate, int most) {
        return elapsed <= 0
                ? tokens
                : (float) Math.min(most, tokens + elapsed * (double) rate / SECOND);
    }

    private int bucket(InetAddress address) {
        byte[] bytes = address.getAddress();
        int prefix = bytes.length == 4 ? 3 : 8;
        long hash = seed;
        for (int i = 0; i < prefix; i++) {
            hash = (hash ^ bytes[i]) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
        }
        return (int) (hash >>> 48) & BUCKETS - 1;
    }
}
