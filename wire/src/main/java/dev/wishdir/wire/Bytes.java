package dev.wishdir.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;

/** An immutable byte string that compares by content, for records that carry raw data. */
public final class Bytes {
    /** No bytes. */
    public static final Bytes EMPTY = new Bytes(new byte[0], 0, 0);

    private static final HexFormat HEX = HexFormat.of();

    private final byte[] array;
    private final int offset;
    private final int length;

    private Bytes(byte[] array, int offset, int length) {
        this.array = array;
        this.offset = offset;
        this.length = length;
    }

    /** A copy of the given bytes. */
    public static Bytes of(byte... bytes) {
        return copyOf(bytes, 0, bytes.length);
    }

    /** A copy of {@code length} bytes from {@code offset}. */
    public static Bytes copyOf(byte[] bytes, int offset, int length) {
        return length == 0
                ? EMPTY
                : new Bytes(Arrays.copyOfRange(bytes, offset, offset + length), 0, length);
    }

    /** Wraps an array without copying it; the caller must never change it again. */
    public static Bytes wrap(byte[] bytes) {
        return bytes.length == 0 ? EMPTY : new Bytes(bytes, 0, bytes.length);
    }

    /**
     * Parses hexadecimal digits; blanks between them are ignored.
     *
     * @throws IllegalArgumentException if the text is not hexadecimal
     */
    public static Bytes ofHex(String hex) {
        return wrap(HEX.parseHex(hex.replaceAll("\\s", "")));
    }

    public int length() {
        return length;
    }

    /** The byte at an index, -128..127. */
    public byte get(int index) {
        return array[offset + Objects.checkIndex(index, length)];
    }

    /** A view of {@code count} bytes from {@code from}; shares the array. */
    public Bytes slice(int from, int count) {
        Objects.checkFromIndexSize(from, count, length);
        return new Bytes(array, offset + from, count);
    }

    public byte[] toArray() {
        return Arrays.copyOfRange(array, offset, offset + length);
    }

    public void copyTo(byte[] target, int at) {
        System.arraycopy(array, offset, target, at, length);
    }

    /** Lower-case hex without blanks. */
    public String hex() {
        return hex(array, offset, length);
    }

    /** The bytes as text in ISO 8859-1, one character each. */
    public String latin1() {
        return new String(array, offset, length, StandardCharsets.ISO_8859_1);
    }

    static String hex(byte[] array, int offset, int length) {
        return HEX.formatHex(array, offset, offset + length);
    }

    byte[] array() {
        return array;
    }

    int offset() {
        return offset;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes that
                && Arrays.equals(
                        array,
                        offset,
                        offset + length,
                        that.array,
                        that.offset,
                        that.offset + that.length);
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int i = offset; i < offset + length; i++) {
            hash = 31 * hash + array[i];
        }
        return hash;
    }

    @Override
    public String toString() {
        return length <= 32 ? hex() : slice(0, 32).hex() + "… (" + length + " bytes)";
    }
}
