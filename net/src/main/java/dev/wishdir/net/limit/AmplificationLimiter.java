package dev.wishdir.net.limit;

import java.net.Inet6Address;
import java.net.InetAddress;

/**
 * Amplification limit: bytes that may be sent to unproven addresses (compare RFC 9000, section
 * 8.1). Each IPv4 /24 or IPv6 /64 has a token bucket, and one more is shared by all; a reply is
 * sent if both hold enough. So the server can't be used to flood a third party, and a flood from
 * everywhere costs at most the total. Half of the total is reserved for prefixes that were sent
 * little in the last seconds, and some of it for short replies, so that a newcomer's handshake is
 * answered while hundreds of prefixes flood. Replies to an address that has repeated a cookie are
 * charged only to its own prefix.
 *
 * <p>Each address of this machine, of a private or a link-local network has a bucket of its own:
 * all browsers of a LAN are in one prefix, and a datagram from outside has no such source.
 *
 * <p>Memory is fixed, and a clock that steps back locks no address out. One per server, used only
 * by its thread.
 */
public final class AmplificationLimiter {
    /** Replies of a handshake; those to server browsers are longer. */
    private static final int SHORT_REPLY_BYTES = 128;

    /** Clients that usually play from one IPv4 address or one IPv6 /64. */
    static final int CLIENTS_OF_ADDRESS = 8;

    /**
     * A prefix within this burst and rate is a newcomer: the first replies to as many clients as
     * may play from one address, some of them twice. Refused replies count too, so that the
     * prefixes of a flood soon are not newcomers.
     */
    private static final int NEWCOMER_BURST_BYTES = CLIENTS_OF_ADDRESS * 64;

    private static final int NEWCOMER_BYTES_PER_SECOND = 128;

    private final int totalRate;
    private final PrefixRateLimiter tokens;
    private final PrefixRateLimiter newcomers;
    private double totalSpent;
    private long totalStamp;

    /**
     * @param rate bytes a second to one prefix
     * @param burst bytes at once to one prefix
     * @param totalRate bytes a second, and at once, to all unproven addresses together
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
     * Takes tokens for a reply to an unproven address.
     *
     * @param now nanoseconds
     * @return false, and nothing is taken, if the reply must not be sent
     */
    public boolean tryAcquire(long now, InetAddress to, int bytes) {
        long elapsed = Math.max(0, now - totalStamp);
        totalSpent = Math.max(0, totalSpent - elapsed / 1e9 * totalRate);
        totalStamp = now;
        int network = tokens.buckets(to);
        int buckets = buckets(to);
        double reserved = reserved(newcomers.left(now, network), bytes);
        newcomers.take(network, bytes);
        if (tokens.left(now, buckets) < bytes || totalRate - totalSpent - reserved < bytes) {
            return false;
        }
        tokens.take(buckets, bytes);
        totalSpent += bytes;
        return true;
    }

    /**
     * Takes tokens for a reply to an address that has repeated its cookie, from its network's
     * bucket only. A forged address hardly ever guesses a cookie, so such replies need not compete
     * with a flood.
     *
     * @param now nanoseconds
     * @return false, and nothing is taken, if the reply must not be sent
     */
    public boolean tryAcquireVerified(long now, InetAddress to, int bytes) {
        int buckets = buckets(to);
        if (tokens.left(now, buckets) < bytes) {
            return false;
        }
        tokens.take(buckets, bytes);
        return true;
    }

    private int buckets(InetAddress to) {
        return isLocal(to) ? tokens.buckets(Prefix.single(to)) : tokens.buckets(to);
    }

    private static boolean isLocal(InetAddress address) {
        return address.isLoopbackAddress()
                || address.isLinkLocalAddress()
                || address.isSiteLocalAddress()
                || address instanceof Inet6Address && (address.getAddress()[0] & 0xFE) == 0xFC;
    }

    /** The part of the total that is reserved for newcomers and for shorter replies. */
    private double reserved(double newcomerTokens, int bytes) {
        if (newcomerTokens < bytes) {
            return totalRate / 2.0;
        }
        return bytes > SHORT_REPLY_BYTES ? totalRate / 4.0 : 0;
    }
}
