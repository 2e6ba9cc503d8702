package dev.wishdir.wire;

/**
 * A fixed prefix code over the 256 byte values, as a game gives it. Decoding looks a whole code up
 * at once, in a table of every pattern as long as the longest code.
 */
public final class HuffmanCode {
    /** The values that a code may stand for. */
    public static final int SYMBOLS = 256;

    /** The longest code that the wires take: four codes and seven raw bits fit into one read. */
    public static final int MAX_CODE_BITS = 12;

    /** As many as a shift of a long heeds. */
    private static final int LENGTH_BITS = 6;

    private final int[] encoding = new int[SYMBOLS];
    private final short[] decoding;

    /**
     * @param codes a code a value; bit 0 is the one that enters the stream first
     * @param lengths bits of each code, 1..{@link #MAX_CODE_BITS}
     * @throws IllegalArgumentException if a code is too long, or is the start of another
     */
    public HuffmanCode(int[] codes, int[] lengths) {
        int longest = 0;
        for (int length : lengths) {
            if (length < 1 || length > MAX_CODE_BITS) {
                throw new IllegalArgumentException("a code has " + length + " bits");
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
                    throw new IllegalArgumentException("the code of " + symbol + " is not unique");
                }
                decoding[pattern] = (short) (symbol << LENGTH_BITS | length);
            }
        }
    }

    /** The code of a byte value: bit 0 goes first. */
    public int code(int symbol) {
        return encoding[symbol] >>> LENGTH_BITS;
    }

    /** The bits of the code of a byte value. */
    public int length(int symbol) {
        return encoding[symbol] & (1 << LENGTH_BITS) - 1;
    }

    /**
     * The code at the low end of {@code window}.
     *
     * @return what {@link #symbol}, {@link #step} and {@link #after} take; 0 where no code begins
     *     so
     */
    int decode(long window) {
        return decoding[(int) window & decoding.length - 1];
    }

    /** What follows the decoded code in the window. */
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
