package dev.wishdir.sauerbraten.protocol;

import java.math.BigInteger;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;

/** The text of the numbers and points of keys: hex digits in groups of four. */
final class AuthNumber {
    private static final int GROUP = 4;
    private static final int MAX_DIGITS = 2 * P192Curve.BYTES;
    private static final String NUMBER = "0*[0-9a-fA-F]{1," + MAX_DIGITS + "}";

    /** Longer texts are refused before anything reads their digits. */
    private static final int MAX_CHARS = 2 * MAX_DIGITS;

    private AuthNumber() {}

    /** A number of at most 192 bits, however many zeros it begins with; empty if it is none. */
    static Optional<BigInteger> parse(String text) {
        return text.length() <= MAX_CHARS && text.matches(NUMBER)
                ? Optional.of(new BigInteger(text, 16))
                : Optional.empty();
    }

    /** Without leading groups of zeros, as the game writes it: 4, 8, ... 48 digits. */
    static String text(BigInteger number) {
        String digits = number.toString(2 * Byte.SIZE);
        return "0".repeat(Math.floorMod(-digits.length(), GROUP)) + digits;
    }

    /** A point: + and - are an even and an odd y; empty if the text is no point of the curve. */
    static Optional<P192Curve.Point> parsePoint(String text) {
        if (!text.startsWith("+") && !text.startsWith("-")) {
            return Optional.empty();
        }
        return parse(text.substring(1)).flatMap(x -> P192Curve.point(x, text.startsWith("-")));
    }

    static String text(P192Curve.Point point) {
        return (point.y().testBit(0) ? "-" : "+") + text(point.x());
    }

    /** Compares two numbers of at most 192 bits in a time that does not depend on them. */
    static boolean isSame(BigInteger a, BigInteger b) {
        return MessageDigest.isEqual(bytes(a), bytes(b));
    }

    private static byte[] bytes(BigInteger number) {
        String digits = number.toString(2 * Byte.SIZE);
        return HexFormat.of().parseHex("0".repeat(MAX_DIGITS - digits.length()) + digits);
    }
}
