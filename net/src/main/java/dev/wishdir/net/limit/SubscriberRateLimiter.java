package dev.wishdir.net.limit;

import java.net.InetAddress;

/**
 * Rate limit by subscriber prefix, one IPv4 address or an IPv6 /64, and by its network, an IPv4 /24
 * or an IPv6 /48. Memory is fixed.
 */
final class SubscriberRateLimiter {
    private final PrefixRateLimiter subscribers;
    private final PrefixRateLimiter networks;

    /**
     * @param burst at once of one subscriber
     * @param perSecond of one subscriber in the long run
     * @param networkFactor the limit of one network, as a multiple of a subscriber's
     * @param seed random, so that a sender can't choose whose tokens it takes
     */
    SubscriberRateLimiter(double burst, double perSecond, int networkFactor, long seed) {
        subscribers = new PrefixRateLimiter(burst, perSecond, seed);
        networks = new PrefixRateLimiter(networkFactor * burst, networkFactor * perSecond, seed);
    }

    /** Whether an address has a token now. Takes none. */
    boolean hasToken(long now, InetAddress from) {
        return hasToken(now, subscribers, Prefix.subscriber(from))
                && hasToken(now, networks, Prefix.all(from).getLast());
    }

    private static boolean hasToken(long now, PrefixRateLimiter limiter, Prefix prefix) {
        return limiter.left(now, limiter.buckets(prefix)) >= 1;
    }

    void take(long now, InetAddress from) {
        take(now, subscribers, Prefix.subscriber(from));
        take(now, networks, Prefix.all(from).getLast());
    }

    private static void take(long now, PrefixRateLimiter limiter, Prefix prefix) {
        int buckets = limiter.buckets(prefix);
        limiter.left(now, buckets);
        limiter.take(buckets, 1);
    }
}
