package dev.wishdir.quake3.message;

import dev.wishdir.wire.BitWire;
import dev.wishdir.wire.Bytes;

/** Encodings that several messages share. */
final class FieldCodecs {
    /** The most bytes of a string, its final zero counted. */
    static final int STRING = 1024;

    /** The most bytes of a configstring, its final zero counted. */
    static final int BIG_STRING = 8192;

    private static final int SMALL_BITS = 13;
    private static final int SMALL_BIAS = 1 << SMALL_BITS - 1;
    private static final int NEGATIVE_ZERO = Float.floatToRawIntBits(-0f);

    private FieldCodecs() {}

    /**
     * A byte of a text as every program of the family sees it: no percent sign, which would be a
     * format, and nothing above 127.
     */
    static char plain(int c) {
        return c > 127 || c == '%' ? '.' : (char) c;
    }

    /** A text of bytes with a zero at its end, at most {@code max} bytes with it. */
    static String string(BitWire w, String name, String value, int max) {
        w.begin(name);
        StringBuilder text = new StringBuilder(w.reading() ? 32 : value.length());
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

    /** The given number of bytes, each coded. */
    static Bytes bytes(BitWire w, String name, Bytes value, int length) {
        if (!w.reading() && value.length() != length) {
            throw new IllegalArgumentException(
                    name + " has " + value.length() + " bytes, its length says " + length);
        }
        w.begin(name);
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) w.u8(name, w.reading() ? 0 : value.get(i));
        }
        Bytes read = Bytes.wrap(bytes);
        w.end(read);
        return read;
    }

    /**
     * A float given as its bits: 14 bits where it is a small whole number, otherwise 33. The 14
     * bits hold both zeros as one, so that both are read as one too.
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

    /** The bits of a float; both zeros give the same. */
    static int real(float value) {
        return Float.floatToRawIntBits(value + 0f);
    }
}
