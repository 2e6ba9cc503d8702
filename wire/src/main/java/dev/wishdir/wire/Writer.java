package dev.wishdir.wire;

import java.util.Arrays;

/**
 * Writes a packet into a buffer that grows up to a capacity. {@link #reset} prepares it for the
 * next packet.
 */
public final class Writer extends Wire {
    private byte[] data;
    private final int capacity;
    private int at;

    /**
     * @param capacity maximum size of a packet, bytes; writing more throws {@link
     *     IllegalStateException}
     */
    public Writer(int capacity) {
        if (capacity < 0) {
            throw new IllegalArgumentException("capacity must not be negative, is " + capacity);
        }
        this.data = new byte[Math.min(capacity, 256)];
        this.capacity = capacity;
    }

    /** Starts an empty packet in the same buffer. */
    public void reset() {
        at = 0;
    }

    /** Cuts the packet back to a position that {@link #position} gave earlier. */
    public void truncate(int position) {
        if (position < 0 || position > at) {
            throw new IllegalArgumentException("cannot truncate " + at + " bytes to " + position);
        }
        at = position;
    }

    /** A copy of what was written. */
    public byte[] toByteArray() {
        return Arrays.copyOf(data, at);
    }

    /** A copy of what was written. */
    public Bytes toBytes() {
        return Bytes.copyOf(data, 0, at);
    }

    /** The buffer itself: its first {@link #position} bytes are the packet until the next write. */
    public byte[] array() {
        return data;
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

    private int put(String name, int bytes) {
        int here = at;
        if (bytes > data.length - here) {
            grow(name, bytes);
        }
        at = here + bytes;
        return here;
    }

    private void grow(String name, int bytes) {
        if (bytes > capacity - at) {
            throw new IllegalStateException(
                    name
                            + " at byte "
                            + at
                            + ": needs "
                            + bytes
                            + " bytes, the packet holds at most "
                            + capacity);
        }
        data =
                Arrays.copyOf(
                        data, (int) Math.min(capacity, Math.max(at + bytes, 2L * data.length)));
    }

    @Override
    public int u8(String name, int value) {
        if ((value & ~0xFF) != 0) {
            throw misfit(name, value, 0, 0xFF);
        }
        // Not in one expression: the array is read before the index, which may replace it.
        int here = put(name, 1);
        data[here] = (byte) value;
        return value;
    }

    @Override
    public int i8(String name, int value) {
        if (value != (byte) value) {
            throw misfit(name, value, Byte.MIN_VALUE, Byte.MAX_VALUE);
        }
        // Not in one expression: the array is read before the index, which may replace it.
        int here = put(name, 1);
        data[here] = (byte) value;
        return value;
    }

    @Override
    public int u16le(String name, int value) {
        if ((value & ~0xFFFF) != 0) {
            throw misfit(name, value, 0, 0xFFFF);
        }
        int here = put(name, 2);
        Reader.I16LE.set(data, here, (short) value);
        return value;
    }

    @Override
    public int u16be(String name, int value) {
        if ((value & ~0xFFFF) != 0) {
            throw misfit(name, value, 0, 0xFFFF);
        }
        int here = put(name, 2);
        Reader.I16BE.set(data, here, (short) value);
        return value;
    }

    @Override
    public int i16le(String name, int value) {
        if (value != (short) value) {
            throw misfit(name, value, Short.MIN_VALUE, Short.MAX_VALUE);
        }
        int here = put(name, 2);
        Reader.I16LE.set(data, here, (short) value);
        return value;
    }

    @Override
    public int i16be(String name, int value) {
        if (value != (short) value) {
            throw misfit(name, value, Short.MIN_VALUE, Short.MAX_VALUE);
        }
        int here = put(name, 2);
        Reader.I16BE.set(data, here, (short) value);
        return value;
    }

    @Override
    public int u24le(String name, int value) {
        if ((value & ~0xFFFFFF) != 0) {
            throw misfit(name, value, 0, 0xFFFFFF);
        }
        int here = put(name, 3);
        data[here] = (byte) value;
        data[here + 1] = (byte) (value >> 8);
        data[here + 2] = (byte) (value >> 16);
        return value;
    }

    @Override
    public int i32le(String name, int value) {
        int here = put(name, 4);
        Reader.I32LE.set(data, here, value);
        return value;
    }

    @Override
    public int i32be(String name, int value) {
        int here = put(name, 4);
        Reader.I32BE.set(data, here, value);
        return value;
    }

    @Override
    public long i64le(String name, long value) {
        int here = put(name, 8);
        Reader.I64LE.set(data, here, value);
        return value;
    }

    @Override
    public long i64be(String name, long value) {
        int here = put(name, 8);
        Reader.I64BE.set(data, here, value);
        return value;
    }

    @Override
    public float f32le(String name, float value) {
        int here = put(name, 4);
        Reader.I32LE.set(data, here, Float.floatToRawIntBits(value));
        return value;
    }

    @Override
    public float f32be(String name, float value) {
        int here = put(name, 4);
        Reader.I32BE.set(data, here, Float.floatToRawIntBits(value));
        return value;
    }

    @Override
    public Bytes bytes(String name, Bytes value, int length) {
        if (value.length() != length) {
            throw new IllegalArgumentException(
                    name + " has " + value.length() + " bytes, its length says " + length);
        }
        int here = put(name, length);
        value.copyTo(data, here);
        return value;
    }

    /**
     * Makes room for a message that the caller writes directly into {@link #array}, where checking
     * each field would cost more than writing it.
     *
     * @param bytes maximum size of the message, at most {@link #remaining}
     * @return the index in the array at which it starts; pass its end to {@link #advance}
     */
    public int reserve(int bytes) {
        int here = put("bytes", bytes);
        at = here;
        return here;
    }

    /**
     * Ends what {@link #reserve} started: the packet now ends at index {@code end} of the array.
     */
    public void advance(int end) {
        if (end < at || end > data.length) {
            throw new IllegalArgumentException("cannot end at " + end + ", started at " + at);
        }
        at = end;
    }

    /** Appends raw bytes, for example a part that was encoded before. */
    public void append(byte[] bytes, int offset, int length) {
        int here = put("bytes", length);
        System.arraycopy(bytes, offset, data, here, length);
    }

    @Override
    public Bytes rest(String name, Bytes value, int max) {
        return bytes(name, value, bounded(name, value.length(), max));
    }
}
