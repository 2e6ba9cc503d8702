package dev.wishdir.net;

import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.util.random.RandomGenerator;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Cookies by which a client proves that it receives at its address, without any state for each, so
 * that a flood of requests pushes nobody out: a keyed hash of address and port. The key is replaced
 * from time to time, and cookies of the one before are still good. Times are nanoseconds.
 */
public final class Cookies {
    private static final String ALGORITHM = "HmacSHA256";

    /** Nanoseconds that a key is used; a cookie is good for one to two of these. */
    public static final long KEY_LIFE = 30_000_000_000L;

    private final RandomGenerator random;
    private Mac current;
    private Mac previous;
    private long replaced;

    public Cookies(RandomGenerator random, long now) {
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
        } else if (age >= KEY_LIFE) {
            previous = age >= 2 * KEY_LIFE ? key() : current;
            current = key();
            replaced = now;
        }
    }

    /** The cookie for an address, 0..2^32-1. */
    public long cookie(long now, InetSocketAddress address) {
        replace(now);
        return hash(current, address);
    }

    /** Whether a cookie was given to this address a short time ago. */
    public boolean isGood(long now, InetSocketAddress address, long cookie) {
        replace(now);
        return cookie == hash(current, address) || cookie == hash(previous, address);
    }

    private static long hash(Mac mac, InetSocketAddress address) {
        mac.update(address.getAddress().getAddress());
        mac.update((byte) (address.getPort() >> 8));
        mac.update((byte) address.getPort());
        byte[] hash = mac.doFinal();
        return (hash[0] & 0xFFL) << 24
                | (hash[1] & 0xFF) << 16
                | (hash[2] & 0xFF) << 8
                | (hash[3] & 0xFF);
    }
}
