package dev.wishdir.net;

import java.net.InetAddress;

/**
 * How many bytes may be sent to addresses that have not yet proved that they receive at them. Each
 * /24 of IPv4 or /64 of IPv6 has a bucket of tokens, and all together have one more; a reply is
 * sent where both hold enough. So nobody can be flooded through us, and a flood from everywhere
 * costs no more than the total. Half of the total is kept for prefixes that were sent little in the
 * last seconds, and some of it for short answers: so a newcomer's handshake is answered while
 * hundreds of prefixes ask without end. Who has repeated a cookie is paid from his own bucket.
 *
 * <p>No sender can make memory grow, and a clock that steps back locks nobody out. One a server,
 * used by its one thread.
 */
public final class AmplificationLimiter {
    /** Answers of a handshake; those to server browsers are longer. */
    private static final int SHORT_ANSWER_BYTES = 128;

    /**
     * A prefix that asked for no more than this at once, and so much a second, is a newcomer: the
     * first answers to as many as may play from one address, some of them twice. What it is not
     * sent counts, too, so that those of a flood are none after a moment.
     */
    private static final int NEWCOMER_BURST_BYTES = AddressLimits.SESSIONS * 64;

    private static final int NEWCOMER_BYTES_PER_SECOND = 128;

    private final int totalRate;
    private final PrefixRateLimiter tokens;
    private final PrefixRateLimiter newcomers;
    private double totalSpent;
    private long totalStamp;

    /**
     * @param rate bytes a second to one prefix
     * @param burst bytes at once to one prefix
     * @param totalRate bytes a second, and at once, to all unproven addresses
     * @param seed random, so that a sender can't choose whose bucket it drains
     */
    public AmplificationLimiter(int rate, int burst, int totalRate, long seed) {
        this.totalRate = totalRate;
        tokens = new PrefixRateLimiter(burst, rate, seed);
        newcomers = new PrefixRateLimiter(NEWCOMER_BURST_BYTES, NEWCOMER_BYTES_PER_SECOND, seed);
    }

    /** 2 KiB a second with bursts of 4 KiB to a prefix, 64 KiB a second to all. */
    public static AmplificationLimiter standard(long seed) {
        return new AmplificationLimiter(2 << 10, 4 << 10, 64 << 10, seed);
    }

    /**
     * Takes tokens for a reply.
     *
     * @param now nanoseconds
     * @return false if the reply must not be sent; nothing is taken then
     */
    public boolean tryAcquire(long now, InetAddress to, int bytes) {
        long elapsed = Math.max(0, now - totalStamp);
        totalSpent = Math.max(0, totalSpent - elapsed / 1e9 * totalRate);
        totalStamp = now;
        int buckets = tokens.buckets(to);
        double kept = kept(newcomers.left(now, buckets), bytes);
        newcomers.take(buckets, bytes);
        if (tokens.left(now, buckets) < bytes || totalRate - totalSpent - kept < bytes) {
            return false;
        }
        tokens.take(buckets, bytes);
        totalSpent += bytes;
        return true;
    }

    /**
     * Takes tokens for a reply to an address that has repeated its cookie: of its network's alone.
     * A cookie is seldom guessed, so that a flood of forged addresses gets no such reply, and none
     * has to compete with the flood.
     *
     * @param now nanoseconds
     * @return false if the reply must not be sent; nothing is taken then
     */
    public boolean tryAcquireVerified(long now, InetAddress to, int bytes) {
        int buckets = tokens.buckets(to);
        if (tokens.left(now, buckets) < bytes) {
            return false;
        }
        tokens.take(buckets, bytes);
        return true;
    }

    /** What of the total is kept for others: newcomers, and shorter answers. */
    private double kept(double newcomer, int bytes) {
        if (newcomer < bytes) {
            return totalRate / 2.0;
        }
        return bytes > SHORT_ANSWER_BYTES ? totalRate / 4.0 : 0;
    }
}
