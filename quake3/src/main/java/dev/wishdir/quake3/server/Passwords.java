package dev.wishdir.quake3.server;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** Compares passwords. */
final class Passwords {
    private Passwords() {}

    /** Compares in constant time, so that the delay of the answer leaks nothing. */
    static boolean isEqual(String a, String b) {
        return MessageDigest.isEqual(
                a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }
}
