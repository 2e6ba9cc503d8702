package dev.wishdir.raknet;

/** A bit for each number of a sliding window; numbers share a bit with those a window away. */
final class SequenceBits {
    private final long[] bits;

    /**
     * @param window numbers, a power of two, at least 64
     */
    SequenceBits(int window) {
        bits = new long[window / Long.SIZE];
    }

    private int word(long number) {
        return (int) (number >> 6) & bits.length - 1;
    }

    boolean isSet(long number) {
        return (bits[word(number)] >>> number & 1) != 0;
    }

    void set(long number) {
        bits[word(number)] |= 1L << number;
    }

    void clear(long number) {
        bits[word(number)] &= ~(1L << number);
    }
}
