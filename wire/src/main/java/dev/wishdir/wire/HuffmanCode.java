package dev.wishdir.wire;

/**
 * A fixed prefix code over the 256 byte values, defined by a game. A table of all patterns as long
 * as the longest code decodes each code with one look-up.
 */
public final class HuffmanCode {
    /** The number of values that have a code. */
    public static final int SYMBOLS = 256;

    /** Maximum length of a code: four codes and seven raw bits fit into one read. */
    public static final int MAX_CODE_BITS = 12;

    /** The bits of its distance that a shift of a long uses. */
    private static final int LENGTH_BITS = 6;

    private final int[] encoding = new int[SYMBOLS];
    private final short[] decoding;

    /**
     * @param codes one code per value; bit 0 enters the stream first
     * @param lengths bits of each code, 1..{@link #MAX_CODE_BITS}
     * @throws IllegalArgumentException if a code is too long, or is a prefix of another
     */
    public HuffmanCode(int[] codes, int[] lengths) {
        int longest = 0;
        for (int length : lengths) {
            if (length < 1 || length > MAX_CODE_BITS) {
                throw new IllegalArgumentException(
                        "a code has " + length + " bits, must have 1.." + MAX_CODE_BITS);
            }
            longest = Math.max(longest, length);
        }
        int mask = (1 << longest) - 1;
        decoding = new short[mask + 1];
        for (int symbol = 0; symbol < SYMBOLS; symbol++) {
            int length = lengths[symbol];
            encoding[symbol] = codes[symbol] << LENGTH_BITS | length;
            for (int pattern = codes[symbol]; pattern <= mask; pattern += 1 << length) {
                if (decoding[pattern] != 0) {
                    throw new IllegalArgumentException(
                            "the code of " + symbol + " overlaps with another code");
                }
                decoding[pattern] = (short) (symbol << LENGTH_BITS | length);
            }
        }
    }

    /** The code of a byte value; bit 0 enters the stream first. */
    public int code(int symbol) {
        return encoding[symbol] >>> LENGTH_BITS;
    }

    /** The length of the code of a byte value, bits. */
    public int length(int symbol) {
        return encoding[symbol] & (1 << LENGTH_BITS) - 1;
    }

    /**
     * Decodes the code at the low end of {@code window}.
     *
     * @return the argument of {@link #symbol}, {@link #step} and {@link #after}; 0 if no code
     *     matches
     */
    int decode(long window) {
        return decoding[(int) window & decoding.length - 1];
    }

    /** The window without the decoded code. */
    static long after(long window, int decoded) {
        // A shift uses only the low six bits of its distance, which are the step.
        return window >>> decoded;
    }

    static int symbol(int decoded) {
        return decoded >>> LENGTH_BITS;
    }

    static int step(int decoded) {
        return decoded & (1 << LENGTH_BITS) - 1;
    }
}
