package dev.wishdir.quake3.message;

import dev.wishdir.wire.BitWire;
import dev.wishdir.wire.Bytes;

/** Encodings that several messages share. */
final class FieldCodecs {
    /** Maximum bytes of a string with its final zero. */
    static final int MAX_STRING_BYTES = 1024;

    /** Maximum bytes of a configstring with its final zero. */
    static final int MAX_BIG_STRING_BYTES = 8192;

    private static final int SMALL_BITS = 13;
    private static final int SMALL_BIAS = 1 << SMALL_BITS - 1;
    private static final int NEGATIVE_ZERO = Float.floatToRawIntBits(-0f);

    private FieldCodecs() {}

    /**
     * A character as all programs of the family read it: percent signs, which would be formats, and
     * bytes above 127 become dots.
     */
    static char plain(int c) {
        return c > 127 || c == '%' ? '.' : (char) c;
    }

    /** A zero-terminated text of at most {@code max} bytes with its zero. */
    static String string(BitWire w, String name, String value, int max) {
        w.begin(name);
        StringBuilder text = new StringBuilder(w.reading() ? 32 : value.length());
        if (value.indexOf(0) >= 0 && !w.reading()) {
            throw new IllegalArgumentException(
                    name + " has a zero character at " + value.indexOf(0));
        }
        for (int i = 0; ; i++) {
            int c = w.u8(name, i < value.length() ? plain(value.charAt(i)) : 0);
            if (c == 0) {
                break;
            }
            w.bounded(name, i + 2, max);
            text.append(plain(c));
        }
        String read = text.toString();
        w.end(read);
        return read;
    }

    /** The given number of bytes, each Huffman coded. */
    static Bytes bytes(BitWire w, String name, Bytes value, int length) {
        if (!w.reading() && value.length() != length) {
            throw new IllegalArgumentException(
                    name + " has " + value.length() + " bytes, must have " + length);
        }
        w.begin(name);
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) w.u8(name, w.reading() ? 0 : value.get(i) & 0xFF);
        }
        Bytes read = Bytes.wrap(bytes);
        w.end(read);
        return read;
    }

    /**
     * A float given as its bits: 14 bits on the wire if it is a small integer, otherwise 33. The 14
     * bits have only one zero, so both zeros are read as that.
     */
    static int real(BitWire w, int bits) {
        float value = Float.intBitsToFloat(bits);
        int whole = (int) value;
        boolean large = whole != value || whole < -SMALL_BIAS || whole >= SMALL_BIAS;
        if (w.bit("large", large)) {
            int full = w.i32("float", bits);
            return full == NEGATIVE_ZERO ? 0 : full;
        }
        int small = w.bits("whole", whole + SMALL_BIAS, SMALL_BITS) - SMALL_BIAS;
        return Float.floatToRawIntBits(small);
    }

    /** The bits of a float; equal for both zeros. */
    static int real(float value) {
        return Float.floatToRawIntBits(value + 0f);
    }
}
