package dev.wishdir.quake3.message;

import dev.wishdir.wire.BitWire;
import dev.wishdir.wire.BitWriter;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The changed fields of a state, up to 64, with their new values. The wire carries values, not
 * differences, so a delta is read without its base and applied to it afterwards.
 */
public final class Delta {
    private static final int[] NOT_ENCODED = {};

    /** Nothing changed. */
    public static final Delta NONE = new Delta(0, new int[0]);

    private final long mask;

    /**
     * By field, at least up to the last changed one. Shared with the resulting state, hence never
     * written.
     */
    private final int[] values;

    /** The encoded delta, low bits first; empty if it is not encoded. */
    private final int[] bits;

    private final int bitCount;

    /**
     * @param values by field; must not change afterwards
     */
    Delta(long mask, int[] values) {
        this(mask, values, NOT_ENCODED, 0);
    }

    private Delta(long mask, int[] values, int[] bits, int bitCount) {
        this.mask = mask;
        this.values = values;
        this.bits = bits;
        this.bitCount = bitCount;
    }

    /**
     * This delta with its encoding.
     *
     * @param written contains the encoded delta and nothing else
     */
    Delta encoded(BitWriter written) {
        int[] words = new int[(written.position() + Integer.SIZE - 1) / Integer.SIZE];
        ByteBuffer.wrap(written.toByteArray(words.length * Integer.BYTES))
                .order(ByteOrder.LITTLE_ENDIAN)
                .asIntBuffer()
                .get(words);
        return new Delta(mask, values, words, written.position());
    }

    /** Whether it has its encoding for {@link #write}. */
    boolean isEncoded() {
        return bitCount > 0;
    }

    void write(BitWire w) {
        for (int at = 0; at < bitCount; at += Integer.SIZE) {
            w.raw("delta", bits[at / Integer.SIZE], Math.min(Integer.SIZE, bitCount - at));
        }
    }

    /** The delta between two arrays of {@code count} values. */
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

    /** One bit per changed field. */
    public long mask() {
        return mask;
    }

    /** Whether a field changed. */
    public boolean has(int field) {
        return (mask >>> field & 1) != 0;
    }

    /** The new value of a field; 0 if it did not change. */
    public int get(int field) {
        return has(field) ? values[field] : 0;
    }

    /** The number of fields up to the last changed one. */
    int length() {
        return Long.SIZE - Long.numberOfLeadingZeros(mask);
    }

    /** The values after this delta: a changed copy, or the array itself if nothing changed. */
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
