package dev.wishdir.quake3.message;

import dev.wishdir.wire.BitWire;
import dev.wishdir.wire.BitWriter;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Which of up to 64 fields changed, and to what. The wire carries new values, not differences, so a
 * delta is read without the state that it is against, and applied to it afterwards.
 */
public final class Delta {
    private static final int[] NOT_KNOWN = {};

    /** Nothing changed. */
    public static final Delta NONE = new Delta(0, new int[0]);

    private final long mask;

    /**
     * By field, up to the last that changed or more; shared with the state that the delta leads to,
     * hence never written.
     */
    private final int[] values;

    /** As the wire has it, the low bits first, where that is known. */
    private final int[] bits;

    private final int bitCount;

    /**
     * @param values by field; must never change again
     */
    Delta(long mask, int[] values) {
        this(mask, values, NOT_KNOWN, 0);
    }

    private Delta(long mask, int[] values, int[] bits, int bitCount) {
        this.mask = mask;
        this.values = values;
        this.bits = bits;
        this.bitCount = bitCount;
    }

    /**
     * The same that knows how it is written.
     *
     * @param written all of it, and nothing else
     */
    Delta encoded(BitWriter written) {
        int[] words = new int[(written.position() + Integer.SIZE - 1) / Integer.SIZE];
        ByteBuffer.wrap(written.toByteArray(words.length * Integer.BYTES))
                .order(ByteOrder.LITTLE_ENDIAN)
                .asIntBuffer()
                .get(words);
        return new Delta(mask, values, words, written.position());
    }

    /** Whether it can be {@linkplain #write written} as it is. */
    boolean isEncoded() {
        return bitCount > 0;
    }

    void write(BitWire w) {
        for (int at = 0; at < bitCount; at += Integer.SIZE) {
            w.raw("delta", bits[at / Integer.SIZE], Math.min(Integer.SIZE, bitCount - at));
        }
    }

    /** From one run of {@code count} values to another. */
    static Delta between(int[] from, int[] to, int count) {
        long mask = 0;
        for (int i = 0; i < count; i++) {
            if (from[i] != to[i]) {
                mask |= 1L << i;
            }
        }
        return mask == 0 ? NONE : new Delta(mask, to);
    }

    /** Whether nothing changed. */
    public boolean isEmpty() {
        return mask == 0;
    }

    /** One bit a field that changed. */
    public long mask() {
        return mask;
    }

    /** Whether a field changed. */
    public boolean has(int field) {
        return (mask >>> field & 1) != 0;
    }

    /** The new value of a field, 0 where it did not change. */
    public int get(int field) {
        return has(field) ? values[field] : 0;
    }

    /** The fields up to the last one that changed. */
    int length() {
        return Long.SIZE - Long.numberOfLeadingZeros(mask);
    }

    /** What becomes of values, which stay as they are: they themselves where nothing changed. */
    int[] appliedTo(int[] state) {
        if (isEmpty()) {
            return state;
        }
        int[] changed = state.clone();
        applyTo(changed);
        return changed;
    }

    void applyTo(int[] state) {
        for (long left = mask; left != 0; left &= left - 1) {
            int field = Long.numberOfTrailingZeros(left);
            state[field] = values[field];
        }
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Delta that) || mask != that.mask) {
            return false;
        }
        for (long left = mask; left != 0; left &= left - 1) {
            int field = Long.numberOfTrailingZeros(left);
            if (values[field] != that.values[field]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        int[] state = new int[length()];
        applyTo(state);
        return Long.hashCode(mask) * 31 + Arrays.hashCode(state);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < length(); i++) {
            if (has(i)) {
                text.append(text.length() > 1 ? ", " : "").append(i).append('=').append(values[i]);
            }
        }
        return text.append('}').toString();
    }
}
