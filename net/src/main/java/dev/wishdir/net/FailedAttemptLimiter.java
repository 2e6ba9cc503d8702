package dev.wishdir.net;

import java.net.InetAddress;

/**
 * Rate limit of wrong answers to a secret, by the household that they come from: an address of
 * IPv4, or a /64 of IPv6. Ask {@link #isAllowed} before an answer is looked at, and record a {@link
 * #recordFailure} one; right answers cost nothing. An answer that is over the limit is not looked
 * at, right or wrong, or the reply would show which.
 *
 * <p>There is no limit on all households together: with one, strangers could lock the operator out.
 * A sender that forges the address of another uses up that one's tries, so keep senders that have
 * proved their address apart from those that have not. Memory is fixed; see {@link AddressLimits}
 * for the standard limits.
 */
public final class FailedAttemptLimiter {
    private final PrefixRateLimiter households;
    private final PrefixRateLimiter networks;

    /**
     * @param most at once, of one household
     * @param aSecond in the long run, of one household
     * @param neighbours how many households of one network, a /24 of IPv4 or a /48 of IPv6, may be
     *     at their limit at once
     * @param seed random, so that a sender can't choose whose tries it uses up
     */
    public FailedAttemptLimiter(double most, double aSecond, int neighbours, long seed) {
        households = new PrefixRateLimiter(most, aSecond, seed);
        networks = new PrefixRateLimiter(neighbours * most, neighbours * aSecond, seed);
    }

    /** Whether an answer from an address is to be looked at now. Takes nothing. */
    public boolean isAllowed(long now, InetAddress from) {
        return has(now, households, Prefix.household(from))
                && has(now, networks, Prefix.all(from).getLast());
    }

    private static boolean has(long now, PrefixRateLimiter tokens, Prefix of) {
        return tokens.left(now, tokens.buckets(of)) >= 1;
    }

    /** An answer was looked at and was wrong. */
    public void recordFailure(long now, InetAddress from) {
        take(now, households, Prefix.household(from));
        take(now, networks, Prefix.all(from).getLast());
    }

    private static void take(long now, PrefixRateLimiter tokens, Prefix of) {
        int buckets = tokens.buckets(of);
        tokens.left(now, buckets);
        tokens.take(buckets, 1);
    }
}
