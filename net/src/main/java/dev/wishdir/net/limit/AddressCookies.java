package dev.wishdir.net.limit;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Stateless address cookies (keyed hash of address and port): a client that repeats its cookie
 * receives at its address. As no state is kept per request, a flood of requests evicts no client.
 * The key is replaced every 30 s, and cookies of the previous key are still valid. Times are
 * nanoseconds.
 *
 * <p>All 32 bits are unknown and two cookies are valid at a time: 10,000 guesses a second for
 * forged addresses succeed once in 60 hours. Wrong cookies are not limited by address, or a sender
 * could lock out the addresses that it forges; so large replies must wait for a second value that
 * only a receiver knows.
 *
 * <p>An accepted client's cookie is {@linkplain #spend spent}: a late copy of its packet is then
 * invalid, and its next request gets a new cookie. Only the last {@value #MAX_SPENT_COOKIES} such
 * addresses are remembered, all of which are proven.
 */
public final class AddressCookies {
    private static final String ALGORITHM = "HmacSHA256";

    /** Lifetime of a key, nanoseconds; a cookie is valid for one to two of these. */
    public static final long KEY_LIFETIME_NANOS = 30_000_000_000L;

    private static final int MAX_SPENT_COOKIES = 1 << 14;

    private final RandomGenerator random;
    private final Map<InetSocketAddress, Integer> spent =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<InetSocketAddress, Integer> eldest) {
                    return size() > MAX_SPENT_COOKIES;
                }
            };
    private Mac current;
    private Mac previous;
    private long rotatedAt;

    public AddressCookies(RandomGenerator random, long now) {
        this.random = random;
        current = key();
        previous = key();
        rotatedAt = now;
    }

    private Mac key() {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(bytes, ALGORITHM));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM does not support " + ALGORITHM, e);
        }
    }

    private void rotateKeys(long now) {
        long age = now - rotatedAt;
        if (age < 0) {
            rotatedAt = now;
        } else if (age >= KEY_LIFETIME_NANOS) {
            previous = age >= 2 * KEY_LIFETIME_NANOS ? key() : current;
            current = key();
            rotatedAt = now;
        }
    }

    /**
     * The cookie of an address, 0..2^32-1. Protocols with signed numbers, as the challenges of both
     * Quakes, cast it to an int.
     */
    public long cookie(long now, InetSocketAddress address) {
        rotateKeys(now);
        return Integer.toUnsignedLong(hash(current, address));
    }

    /**
     * Whether a cookie was given to this address recently and is not spent.
     *
     * @param cookie only its low 32 bits count, so a negative int is accepted too
     */
    public boolean isValid(long now, InetSocketAddress address, long cookie) {
        rotateKeys(now);
        return (int) cookie == hash(current, address) || (int) cookie == hash(previous, address);
    }

    /** Invalidates all cookies of this address; its next one differs. */
    public void spend(InetSocketAddress address) {
        Integer count = spent.remove(address);
        spent.put(address, count == null ? 1 : count + 1);
    }

    private int hash(Mac mac, InetSocketAddress address) {
        mac.update(address.getAddress().getAddress());
        ByteBuffer rest = ByteBuffer.allocate(8);
        rest.putInt(address.getPort()).putInt(spent.getOrDefault(address, 0));
        mac.update(rest.array());
        return ByteBuffer.wrap(mac.doFinal()).getInt();
    }
}
