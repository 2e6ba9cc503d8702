package dev.wishdir.wire;

import java.util.Arrays;

/**
 * Writes a message of bit fields into a buffer that grows up to a capacity. {@link #reset} prepares
 * it for the next message.
 */
public final class BitWriter extends BitWire {
    /** Positions are counted in bits. */
    private static final int MAX_CAPACITY_BYTES = Integer.MAX_VALUE / 8;

    private final HuffmanCode code;
    private final int capacity;

    /** All bits from the position on are zero; one long fits behind what is written. */
    private byte[] data;

    private int at;

    /**
     * @param capacity maximum size of a message, bytes, 0..{@value #MAX_CAPACITY_BYTES}; writing
     *     more throws {@link IllegalStateException}
     */
    public BitWriter(HuffmanCode code, int capacity) {
        if (capacity < 0 || capacity > MAX_CAPACITY_BYTES) {
            throw Wire.misfit("capacity", capacity, 0, MAX_CAPACITY_BYTES);
        }
        this.code = code;
        this.capacity = capacity * 8;
        this.data = new byte[Math.min(capacity, 512) + Long.BYTES];
    }

    /** Starts an empty message in the same buffer. */
    public void reset() {
        truncate(0);
    }

    /** Cuts the message back to a position that {@link #position} gave earlier. */
    public void truncate(int position) {
        if (position < 0 || position > at) {
            throw new IllegalArgumentException("cannot truncate " + at + " bits to " + position);
        }
        int kept = position >> 3;
        data[kept] &= (byte) ((1 << (position & 7)) - 1);
        Arrays.fill(data, kept + 1, (at >> 3) + 1, (byte) 0);
        at = position;
    }

    /** A copy of what was written, the last byte padded with zero bits. */
    public byte[] toByteArray() {
        return toByteArray(at + 7 >> 3);
    }

    /** A copy of what was written, padded with zeros to {@code length} bytes. */
    public byte[] toByteArray(int length) {
        if (length < at + 7 >> 3) {
            throw new IllegalArgumentException(at + " bits do not fit into " + length + " bytes");
        }
        return length <= data.length
                ? Arrays.copyOf(data, length)
                : Arrays.copyOf(Arrays.copyOf(data, at + 7 >> 3), length);
    }

    @Override
    public boolean reading() {
        return false;
    }

    @Override
    public int position() {
        return at;
    }

    @Override
    public int remaining() {
        return capacity - at;
    }

    private void put(String name, long bits, int count) {
        if (count > capacity - at) {
            throw new IllegalStateException(
                    name
                            + " at bit "
                            + at
                            + ": needs "
                            + count
                            + " bits, the message holds at most "
                            + capacity / 8
                            + " bytes");
        }
        int byteAt = at >> 3;
        if (byteAt + 2 * Long.BYTES > data.length) {
            data = Arrays.copyOf(data, 2 * data.length + 2 * Long.BYTES);
        }
        long before = (long) Reader.I64LE.get(data, byteAt);
        Reader.I64LE.set(data, byteAt, before | bits << (at & 7));
        at += count;
    }

    @Override
    public int bits(String name, int value, int width) {
        fit(name, value, width);
        int rawBits = width & 7;
        long bits = value & (1 << rawBits) - 1;
        int used = rawBits;
        for (int shift = rawBits; shift < width; shift += 8) {
            int symbol = value >>> shift & 0xFF;
            bits |= (long) code.code(symbol) << used;
            used += code.length(symbol);
        }
        put(name, bits, used);
        return value;
    }

    @Override
    public int raw(String name, int value, int width) {
        fit(name, value, width);
        put(name, value & 0xFFFFFFFFL, width);
        return value;
    }

    private static void fit(String name, int value, int width) {
        if ((value & 0xFFFFFFFFL) >>> width != 0) {
            throw Wire.misfit(name, value, 0, (1L << width) - 1);
        }
    }
}
