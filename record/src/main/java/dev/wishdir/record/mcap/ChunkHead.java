package dev.wishdir.record.mcap;

import dev.wishdir.record.mcap.McapException.Reason;

import java.util.Locale;

/**
 * Head in front of a chunk's messages, without their CRC.
 *
 * @param offset place of the record
 * @param length of the whole record
 */
record ChunkHead(
        long startNanos,
        long endNanos,
        long offset,
        long length,
        String compression,
        long compressedBytes,
        long uncompressedBytes) {
    static final String ZSTD = "zstd";
    static final String NONE = "";

    /** Size of the fields in front of the messages, with the record's head, but no text. */
    static final int MIN_BYTES = Opcode.HEAD_BYTES + 4 * Long.BYTES + 2 * Integer.BYTES;

    /** Maximum size of the fields in front of the messages, with the record's head. */
    static final int MAX_BYTES = MIN_BYTES + 16;

    /**
     * Reads the fields of a chunk record in front of its messages.
     *
     * @param offset place of the record
     * @param length of the whole record
     */
    static ChunkHead read(RecordFields in, long offset, long length) throws McapException {
        long start = in.u64("chunk.message_start_time");
        long end = in.u64("chunk.message_end_time");
        long uncompressed = in.u64("chunk.uncompressed_size");
        in.u32("chunk.uncompressed_crc");
        String compression = in.text("chunk.compression");
        long compressed = in.u64("chunk.records");
        return new ChunkHead(start, end, offset, length, compression, compressed, uncompressed);
    }

    /** Size of the record in front of the messages. */
    int headBytes() {
        return MIN_BYTES + compression.length();
    }

    boolean isSupported() {
        return compression.equals(ZSTD) || compression.equals(NONE);
    }

    /**
     * @param fileBytes size of the file
     * @throws McapException if these sizes can't be, or are above the limits
     */
    void check(long fileBytes) throws McapException {
        if (!isSupported()) {
            throw new McapException(
                    Reason.COMPRESSION,
                    offset,
                    "chunk.compression",
                    "is \"" + compression + "\", allowed are \"zstd\" and \"\" (none)");
        }
        if (uncompressedBytes > McapLimits.MAX_CHUNK_BYTES
                || compressedBytes > McapLimits.MAX_CHUNK_BYTES + (1 << 20)) {
            throw new McapException(
                    Reason.LIMIT,
                    offset,
                    "chunk.uncompressed_size",
                    String.format(
                            Locale.ROOT,
                            "is %,d of %,d compressed bytes, at most %,d are allowed",
                            uncompressedBytes,
                            compressedBytes,
                            McapLimits.MAX_CHUNK_BYTES));
        }
        if (uncompressedBytes > compressedBytes * McapLimits.MAX_CHUNK_RATIO) {
            throw new McapException(
                    Reason.LIMIT,
                    offset,
                    "chunk.uncompressed_size",
                    String.format(
                            Locale.ROOT,
                            "is %,d of %,d compressed bytes, at most %d times as many are allowed",
                            uncompressedBytes,
                            compressedBytes,
                            McapLimits.MAX_CHUNK_RATIO));
        }
        if (length != headBytes() + compressedBytes
                || offset > fileBytes - length
                || startNanos > endNanos
                || (compression.equals(NONE) && compressedBytes != uncompressedBytes)) {
            throw new McapException(
                    Reason.MALFORMED, offset, "chunk", "has sizes or times that do not fit");
        }
    }
}
