package dev.wishdir.record.mcap;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

/** Records as bytes, in an array that grows. */
final class RecordBuffer {
    private static final VarHandle U16 = view(short[].class);
    private static final VarHandle U32 = view(int[].class);
    private static final VarHandle U64 = view(long[].class);

    private static final int INITIAL_BYTES = 4 << 10;

    /** Maximum size of an array that is reused. */
    private static final int MAX_REUSED_BYTES = 4 << 20;

    private byte[] array = new byte[INITIAL_BYTES];
    private int size;

    private static VarHandle view(Class<?> type) {
        return MethodHandles.byteArrayViewVarHandle(type, ByteOrder.LITTLE_ENDIAN)
                .withInvokeExactBehavior();
    }

    /** The bytes, from index 0; valid until the next that is appended. */
    byte[] array() {
        return array;
    }

    int size() {
        return size;
    }

    void clear() {
        size = 0;
        if (array.length > MAX_REUSED_BYTES) {
            array = new byte[INITIAL_BYTES];
        }
    }

    /** Makes room for {@code bytes} more. */
    void reserve(int bytes) {
        int needed = Math.addExact(size, bytes);
        if (needed > array.length) {
            array = Arrays.copyOf(array, Math.max(needed, array.length * 2));
        }
    }

    /** Removes the bytes from {@code size}. */
    void cut(int size) {
        this.size = size;
    }

    /** Takes {@code bytes} that were written into the array behind the last. */
    void advance(int bytes) {
        size += bytes;
    }

    /** Index of the next {@code bytes}. */
    private int take(int bytes) {
        reserve(bytes);
        int here = size;
        size += bytes;
        return here;
    }

    void u8(int value) {
        int here = take(1);
        array[here] = (byte) value;
    }

    void u16(int value) {
        int here = take(Short.BYTES);
        U16.set(array, here, (short) value);
    }

    void u32(int value) {
        int here = take(Integer.BYTES);
        U32.set(array, here, value);
    }

    void u64(long value) {
        int here = take(Long.BYTES);
        U64.set(array, here, value);
    }

    void setU32(int at, int value) {
        U32.set(array, at, value);
    }

    void setU64(int at, long value) {
        U64.set(array, at, value);
    }

    long getU64(int at) {
        return (long) U64.get(array, at);
    }

    void bytes(byte[] data, int offset, int length) {
        int here = take(length);
        System.arraycopy(data, offset, array, here, length);
    }

    /**
     * A text with its length.
     *
     * @throws IllegalArgumentException if it exceeds {@link McapLimits#MAX_TEXT_BYTES}
     */
    void text(String field, String text) {
        byte[] data = text.getBytes(StandardCharsets.UTF_8);
        if (data.length > McapLimits.MAX_TEXT_BYTES) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT,
                            "%s has %,d bytes, at most %,d are allowed",
                            field,
                            data.length,
                            McapLimits.MAX_TEXT_BYTES));
        }
        u32(data.length);
        bytes(data, 0, data.length);
    }

    /**
     * A map with its length.
     *
     * @throws IllegalArgumentException if it exceeds {@link McapLimits#MAX_MAP_ENTRIES}
     */
    void map(String field, Map<String, String> map) {
        if (map.size() > McapLimits.MAX_MAP_ENTRIES) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT,
                            "%s has %,d entries, at most %,d are allowed",
                            field,
                            map.size(),
                            McapLimits.MAX_MAP_ENTRIES));
        }
        int start = size;
        u32(0);
        map.forEach((key, value) -> {
            text(field, key);
            text(field, value);
        });
        setU32(start, size - start - Integer.BYTES);
    }

    /**
     * Starts a record.
     *
     * @return the argument of {@link #end}
     */
    int begin(int opcode) {
        u8(opcode);
        u64(0);
        return size;
    }

    /** Ends a record: sets its length. */
    void end(int start) {
        setU64(start - Long.BYTES, size - start);
    }
}
