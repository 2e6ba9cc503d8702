package dev.wishdir.net;

import java.net.InetAddress;

/**
 * Wrong answers to a secret by the network that they came from, a /24 of IPv4 or a /64 of IPv6: so
 * many at once, and so many a second in the long run. Ask {@link #mayTry} before a try is looked
 * at, and tell of a {@link #wrong} one; right ones cost nothing. A try that may not be made is not
 * looked at, right or wrong, or its answer would tell.
 *
 * <p>Who forges a network's address uses up its tries. So this is for secrets that are short or
 * that people choose; a {@linkplain Cookies cookie} of 32 bits is looked at each time. Nothing
 * grows; see {@link Addresses} for the standard ones.
 */
public final class Tries {
    private final PrefixBuckets networks;
    private final Allowance total;

    /**
     * @param most at once, of one network
     * @param aSecond in the long run, of one network
     * @param total the same for all networks together
     * @param seed random, so that a sender can't choose whose tries it uses up
     */
    public Tries(double most, double aSecond, Allowance total, long seed) {
        networks = new PrefixBuckets(most, aSecond, seed);
        this.total = total;
    }

    /** No limit on all networks together. */
    public Tries(double most, double aSecond, long seed) {
        this(most, aSecond, new Allowance(Double.MAX_VALUE, 0), seed);
    }

    /** Whether a try of an address is to be looked at now. Takes nothing. */
    public boolean mayTry(long now, InetAddress from) {
        return networks.left(now, networks.buckets(from)) >= 1 && total.has(now, 1);
    }

    /** A try was looked at and was wrong. */
    public void wrong(long now, InetAddress from) {
        int buckets = networks.buckets(from);
        networks.left(now, buckets);
        networks.take(buckets, 1);
        total.take(now);
    }
}
