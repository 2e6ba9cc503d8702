package dev.wishdir.net.limit;

import java.net.InetAddress;

/**
 * Rate limit of failed attempts (wrong passwords) by subscriber prefix: one IPv4 address or an IPv6
 * /64. Query {@link #isAllowed} before an attempt is checked and call {@link #recordFailure} when
 * it was wrong; right attempts cost nothing. An attempt over the limit must not be checked at all,
 * or the reply would show whether it was right.
 *
 * <p>There is no limit over all subscribers: with one, strangers could lock the operator out. A
 * forged sender uses up the attempts of the address that it forges, so use separate limiters for
 * senders that have proved their address and those that have not. Memory is fixed; {@link
 * AddressLimits} has the standard limits.
 */
public final class FailedAttemptLimiter {
    private final SubscriberRateLimiter limiter;

    /**
     * @param burst failures at once of one subscriber
     * @param perSecond failures a second of one subscriber in the long run
     * @param networkFactor the limit of one network, an IPv4 /24 or an IPv6 /48, as a multiple of a
     *     subscriber's
     * @param seed random, so that a sender can't choose whose attempts it uses up
     */
    public FailedAttemptLimiter(double burst, double perSecond, int networkFactor, long seed) {
        limiter = new SubscriberRateLimiter(burst, perSecond, networkFactor, seed);
    }

    /** Whether an attempt from an address may be checked now. Takes no token. */
    public boolean isAllowed(long now, InetAddress from) {
        return limiter.hasToken(now, from);
    }

    /** Takes a token for an attempt that was wrong. */
    public void recordFailure(long now, InetAddress from) {
        limiter.take(now, from);
    }
}
