package dev.wishdir.record.mcap;

import java.util.Arrays;

/** The bytes at both ends of a file. */
final class Magic {
    private static final byte[] BYTES = {(byte) 0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};

    static final int LENGTH = BYTES.length;

    private Magic() {}

    static void write(RecordBuffer out) {
        out.bytes(BYTES, 0, LENGTH);
    }

    static boolean isAt(byte[] data, int offset) {
        return Arrays.equals(data, offset, offset + LENGTH, BYTES, 0, LENGTH);
    }
}
