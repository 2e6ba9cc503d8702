package dev.wishdir.inspect.link;

import dev.wishdir.wire.Bytes;

/** Reads numbers of a header that may be truncated; beyond its end they are -1. */
public final class Octets {
    private Octets() {}

    static int u8(Bytes bytes, int at) {
        return at >= bytes.length() ? -1 : bytes.get(at) & 0xFF;
    }

    static int u16(Bytes bytes, int at) {
        return at + 2 > bytes.length() ? -1 : u8(bytes, at) << 8 | u8(bytes, at + 1);
    }

    /** Little endian. */
    static int u16le(Bytes bytes, int at) {
        return at + 2 > bytes.length() ? -1 : u8(bytes, at + 1) << 8 | u8(bytes, at);
    }

    public static long u32(Bytes bytes, int at) {
        return at + 4 > bytes.length() ? -1 : (long) u16(bytes, at) << 16 | u16(bytes, at + 2);
    }

    /** Little endian. */
    static long u32le(Bytes bytes, int at) {
        return at + 4 > bytes.length() ? -1 : (long) u16le(bytes, at + 2) << 16 | u16le(bytes, at);
    }

    /** The bytes from an offset; empty if it is beyond the end. */
    static Bytes tail(Bytes bytes, long at) {
        return at >= bytes.length()
                ? Bytes.EMPTY
                : bytes.slice((int) at, bytes.length() - (int) at);
    }
}
