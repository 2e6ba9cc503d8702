package dev.wishdir.net;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Cookies by which a client proves that it receives at its address, without any state for each, so
 * that a flood of requests pushes nobody out: a keyed hash of address and port. The key is replaced
 * from time to time, and cookies of the one before are still good. Times are nanoseconds.
 *
 * <p>All 32 bits are unknown, and two cookies are good at a time: who guesses 10,000 a second for
 * addresses that he forges is right once in 60 hours. Wrong ones are not limited by address, or he
 * could keep out whom he names; so what is large has to wait for a second value that only a
 * receiver knows.
 *
 * <p>A client that came in {@linkplain #spend spends} its cookie: a late copy of what it sent then
 * is worth nothing, and when it asks again it is given another. Only the last {@value
 * #MAX_SPENT_COOKIES} addresses that did are remembered, all of which have proved themselves.
 */
public final class AddressCookies {
    private static final String ALGORITHM = "HmacSHA256";

    /** Nanoseconds that a key is used; a cookie is good for one to two of these. */
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
    private long replaced;

    public AddressCookies(RandomGenerator random, long now) {
        this.random = random;
        current = key();
        previous = key();
        replaced = now;
    }

    private Mac key() {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(bytes, ALGORITHM));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no " + ALGORITHM, e);
        }
    }

    private void replace(long now) {
        long age = now - replaced;
        if (age < 0) {
            replaced = now;
        } else if (age >= KEY_LIFETIME_NANOS) {
            previous = age >= 2 * KEY_LIFETIME_NANOS ? key() : current;
            current = key();
            replaced = now;
        }
    }

    /**
     * The cookie for an address, 0..2^32-1. Where numbers have a sign, as the challenges of both
     * Quakes, it is cast to an int.
     */
    public long cookie(long now, InetSocketAddress address) {
        replace(now);
        return Integer.toUnsignedLong(hash(current, address));
    }

    /**
     * Whether a cookie was given to this address a short time ago and is not spent.
     *
     * @param cookie its low 32 bits are looked at, so a negative int is as good as what it stands
     *     for
     */
    public boolean isGood(long now, InetSocketAddress address, long cookie) {
        replace(now);
        return (int) cookie == hash(current, address) || (int) cookie == hash(previous, address);
    }

    /** Makes all cookies worthless that this address has now; its next one is another. */
    public void spend(InetSocketAddress address) {
        Integer times = spent.remove(address);
        spent.put(address, times == null ? 1 : times + 1);
    }

    private int hash(Mac mac, InetSocketAddress address) {
        mac.update(address.getAddress().getAddress());
        ByteBuffer rest = ByteBuffer.allocate(8);
        rest.putInt(address.getPort()).putInt(spent.getOrDefault(address, 0));
        mac.update(rest.array());
        return ByteBuffer.wrap(mac.doFinal()).getInt();
    }
}
