package dev.wishdir.quake2.server;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** Compares passwords. */
final class Passwords {
    private Passwords() {}

    /** Whether a given password is right, in a time that does not depend on where it differs. */
    static boolean isEqual(String secret, String given) {
        return MessageDigest.isEqual(
                secret.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }
}
