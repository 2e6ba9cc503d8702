package dev.wishdir.record.mcap;

import dev.wishdir.record.mcap.McapException.Reason;
import dev.wishdir.wire.Bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Reads the fields of one record. */
final class RecordFields {
    private static final VarHandle U16 = view(short[].class);
    private static final VarHandle U32 = view(int[].class);
    private static final VarHandle U64 = view(long[].class);

    private final byte[] data;
    private final long base;
    private final int end;
    private int at;

    /**
     * @param base place of the array's first byte in the file
     */
    RecordFields(byte[] data, int offset, int length, long base) {
        this.data = data;
        this.base = base;
        at = offset;
        end = offset + length;
    }

    private static VarHandle view(Class<?> type) {
        return MethodHandles.byteArrayViewVarHandle(type, ByteOrder.LITTLE_ENDIAN)
                .withInvokeExactBehavior();
    }

    static int getU16(byte[] data, int at) {
        return (short) U16.get(data, at) & 0xFFFF;
    }

    static int getU32(byte[] data, int at) {
        return (int) U32.get(data, at);
    }

    static long getU64(byte[] data, int at) {
        return (long) U64.get(data, at);
    }

    /** Place of the next field in the file. */
    long offset() {
        return base + at;
    }

    /** Index of the next field in the array. */
    int index() {
        return at;
    }

    int remaining() {
        return end - at;
    }

    McapException malformed(String field, String problem) {
        return new McapException(Reason.MALFORMED, offset(), field, problem);
    }

    private int take(String field, int bytes) throws McapException {
        if (bytes > end - at || bytes < 0) {
            throw malformed(
                    field,
                    String.format(
                            Locale.ROOT,
                            "needs %,d bytes, its record has %,d left",
                            bytes & 0xFFFF_FFFFL,
                            end - at));
        }
        int here = at;
        at += bytes;
        return here;
    }

    int u16(String field) throws McapException {
        return getU16(data, take(field, Short.BYTES));
    }

    /** A CRC, or any other 32 bits. */
    int u32(String field) throws McapException {
        return getU32(data, take(field, Integer.BYTES));
    }

    /**
     * A count, time or place.
     *
     * @throws McapException also if it is above {@link Long#MAX_VALUE}
     */
    long u64(String field) throws McapException {
        long value = getU64(data, take(field, Long.BYTES));
        if (value < 0) {
            at -= Long.BYTES;
            throw malformed(
                    field,
                    String.format(
                            Locale.ROOT,
                            "is %s, at most %s is allowed",
                            Long.toUnsignedString(value),
                            Long.MAX_VALUE));
        }
        return value;
    }

    void skip(String field, int bytes) throws McapException {
        take(field, bytes);
    }

    String text(String field) throws McapException {
        int length = u32(field);
        if (length > McapLimits.MAX_TEXT_BYTES) {
            throw new McapException(
                    Reason.LIMIT,
                    offset(),
                    field,
                    String.format(
                            Locale.ROOT,
                            "has %,d bytes, at most %,d are allowed",
                            length,
                            McapLimits.MAX_TEXT_BYTES));
        }
        return new String(data, take(field, length), length, StandardCharsets.UTF_8);
    }

    Bytes data(String field) throws McapException {
        int length = u32(field);
        return Bytes.copyOf(data, take(field, length), length);
    }

    Map<String, String> map(String field) throws McapException {
        RecordFields entries = part(field);
        Map<String, String> map = new LinkedHashMap<>();
        while (entries.remaining() > 0) {
            map.put(entries.text(field), entries.text(field));
            if (map.size() > McapLimits.MAX_MAP_ENTRIES) {
                throw new McapException(
                        Reason.LIMIT,
                        entries.offset(),
                        field,
                        String.format(
                                Locale.ROOT,
                                "has more entries than the %,d allowed",
                                McapLimits.MAX_MAP_ENTRIES));
            }
        }
        return map;
    }

    /** The fields of an array or a map, which has its length in front. */
    RecordFields part(String field) throws McapException {
        int length = u32(field);
        int here = take(field, length);
        return new RecordFields(data, here, length, base);
    }
}
