package dev.wishdir.nethernet.ice;

import java.util.random.RandomGenerator;

/**
 * User fragment and password of one side of ICE.
 *
 * @param fragment 4..256 characters
 * @param password 22..256 characters
 */
public record IceCredentials(String fragment, String password) {
    private static final String ALPHABET =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    private static final int FRAGMENT = 8;
    private static final int PASSWORD = 24;

    /** New credentials of 48 and 144 random bits. */
    public static IceCredentials random(RandomGenerator random) {
        return new IceCredentials(text(random, FRAGMENT), text(random, PASSWORD));
    }

    private static String text(RandomGenerator random, int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return text.toString();
    }

    /**
     * Whether a fragment or password has only characters that ICE allows, from {@code least} to
     * 256.
     */
    public static boolean isPlain(String text, int least) {
        return text.length() >= least
                && text.length() <= 256
                && text.chars().allMatch(c -> ALPHABET.indexOf(c) >= 0 || c == '-' || c == '_');
    }

    @Override
    public String toString() {
        return "IceCredentials[" + fragment + "]";
    }
}
