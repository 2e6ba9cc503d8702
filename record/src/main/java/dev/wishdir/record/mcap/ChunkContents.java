package dev.wishdir.record.mcap;

import dev.wishdir.record.mcap.McapException.Reason;

import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

/** The records of one chunk, decompressed and checked. A buffer to be reused. */
final class ChunkContents {
    private static final int CHANNEL_AT = Opcode.HEAD_BYTES;
    private static final int LOG_TIME_AT = Opcode.HEAD_BYTES + Short.BYTES + Integer.BYTES;

    /** Minimum size of a buffer, also for a chunk of a few bytes. */
    static final int MIN_BUFFER_BYTES = 64 << 10;

    /** Receives the records of a chunk other than messages. */
    interface RecordHandler {
        /**
         * @param in content of the record
         * @param length of the whole record
         */
        void record(int opcode, RecordFields in, int length) throws McapException;
    }

    private final Packed packed;
    private byte[] data = {};
    private int[] offsets = {};
    private int[] lengths = {};
    private long[] times = {};
    private int size;
    private int count;
    private long offset;
    private boolean hasCrc;

    /** The compressed record, while it is read; chunks that are read in turn can share it. */
    static final class Packed {
        private final ZstdJavaDecompressor zstd = new ZstdJavaDecompressor();
        private byte[] bytes = {};
    }

    ChunkContents() {
        this(new Packed());
    }

    ChunkContents(Packed packed) {
        this.packed = packed;
    }

    /** Heap size of the buffers, without the compressed record. */
    long bytes() {
        return data.length + (2L * Integer.BYTES + Long.BYTES) * times.length;
    }

    /**
     * Reads a chunk and finds its messages, in order of log time.
     *
     * @param from the earliest log time
     * @param to the latest log time
     * @param channels of which messages are taken; null for all
     * @throws McapException if the chunk is damaged
     */
    void load(
            InputFile file,
            ChunkHead head,
            long from,
            long to,
            @Nullable BitSet channels,
            RecordHandler others)
            throws IOException {
        count = 0;
        offset = head.offset();
        head.check(file.size());
        size = unpack(file, head);
        find(head, from, to, channels, others);
        sort();
    }

    /** Reads and decompresses the records. */
    private int unpack(InputFile file, ChunkHead head) throws IOException {
        int length = (int) head.length();
        packed.bytes = withCapacity(packed.bytes, length);
        byte[] packed = this.packed.bytes;
        file.read(offset, packed, 0, length);
        if (packed[0] != Opcode.CHUNK
                || RecordFields.getU64(packed, 1) != length - Opcode.HEAD_BYTES
                || !head.equals(
                        ChunkHead.read(
                                new RecordFields(
                                        packed,
                                        Opcode.HEAD_BYTES,
                                        length - Opcode.HEAD_BYTES,
                                        offset),
                                offset,
                                length))) {
            throw new McapException(
                    Reason.CONFLICT, offset, "chunk", "is not the one that its index describes");
        }
        int size = (int) head.uncompressedBytes();
        int start = head.headBytes();
        data = withCapacity(data, size);
        if (head.compression().equals(ChunkHead.ZSTD)) {
            int unpacked;
            try {
                unpacked =
                        this.packed.zstd.decompress(packed, start, length - start, data, 0, size);
            } catch (RuntimeException e) {
                // The library throws several kinds.
                throw new McapException(
                        Reason.MALFORMED, offset, "chunk.records", "is not zstd: " + e);
            }
            if (unpacked != size) {
                throw new McapException(
                        Reason.MALFORMED,
                        offset,
                        "chunk.uncompressed_size",
                        String.format(Locale.ROOT, "is %,d, decompressed are %,d", size, unpacked));
            }
        } else {
            System.arraycopy(packed, start, data, 0, size);
        }
        int crc = RecordFields.getU32(packed, Opcode.HEAD_BYTES + 3 * Long.BYTES);
        CRC32 actual = new CRC32();
        actual.update(data, 0, size);
        hasCrc = crc != 0;
        if (hasCrc && crc != (int) actual.getValue()) {
            throw new McapException(
                    Reason.CRC,
                    offset,
                    "chunk.uncompressed_crc",
                    String.format(
                            Locale.ROOT, "is %08x, the records have %08x", crc, actual.getValue()));
        }
        return size;
    }

    private static byte[] withCapacity(byte[] array, int length) {
        return array.length >= length ? array : new byte[Math.max(length, MIN_BUFFER_BYTES)];
    }

    private void find(
            ChunkHead head, long from, long to, @Nullable BitSet channels, RecordHandler others)
            throws McapException {
        int at = 0;
        while (at < size) {
            long length = size - at < Opcode.HEAD_BYTES ? -1 : RecordFields.getU64(data, at + 1);
            if (length < 0 || length > size - at - Opcode.HEAD_BYTES) {
                throw malformed("record length", "is " + length + " at " + at + " of " + size);
            }
            if (data[at] == Opcode.MESSAGE) {
                message(head, at, (int) length, from, to, channels);
            } else {
                RecordFields in =
                        new RecordFields(data, at + Opcode.HEAD_BYTES, (int) length, offset);
                others.record(data[at], in, Opcode.HEAD_BYTES + (int) length);
            }
            at += Opcode.HEAD_BYTES + (int) length;
        }
    }

    private McapException malformed(String field, String problem) {
        return new McapException(Reason.MALFORMED, offset, field, problem);
    }

    private void message(
            ChunkHead head, int at, int length, long from, long to, @Nullable BitSet channels)
            throws McapException {
        int data = Opcode.MESSAGE_HEAD_BYTES - Opcode.HEAD_BYTES;
        if (length < data) {
            throw malformed("message length", "is " + length + ", at least " + data + " is needed");
        }
        long time = RecordFields.getU64(this.data, at + LOG_TIME_AT);
        if (time < head.startNanos() || time > head.endNanos()) {
            throw malformed("message.log_time", "is " + time + ", outside of its chunk: " + head);
        }
        if (time >= from
                && time <= to
                && (channels == null
                        || channels.get(RecordFields.getU16(this.data, at + CHANNEL_AT)))) {
            if (count == McapLimits.MAX_CHUNK_MESSAGES) {
                throw new McapException(
                        Reason.LIMIT,
                        offset,
                        "chunk.records",
                        String.format(
                                Locale.ROOT,
                                "has more messages than the %,d allowed",
                                McapLimits.MAX_CHUNK_MESSAGES));
            }
            if (count == offsets.length) {
                int capacity = Math.max(64, count * 2);
                offsets = Arrays.copyOf(offsets, capacity);
                lengths = Arrays.copyOf(lengths, capacity);
                times = Arrays.copyOf(times, capacity);
            }
            offsets[count] = at + Opcode.MESSAGE_HEAD_BYTES;
            lengths[count] = length - data;
            times[count] = time;
            count++;
        }
    }

    /** Sorts the messages by log time; those of the same time stay in order. */
    private void sort() {
        for (int i = 1; i < count; i++) {
            if (times[i] < times[i - 1]) {
                int[] order =
                        IntStream.range(0, count)
                                .boxed()
                                .sorted(Comparator.comparingLong(index -> times[index]))
                                .mapToInt(Integer::intValue)
                                .toArray();
                offsets = IntStream.of(order).map(index -> offsets[index]).toArray();
                lengths = IntStream.of(order).map(index -> lengths[index]).toArray();
                times = IntStream.of(order).mapToLong(index -> times[index]).toArray();
                return;
            }
        }
    }

    /** Whether the chunk has a CRC. */
    boolean hasCrc() {
        return hasCrc;
    }

    /** The number of messages that were found. */
    int count() {
        return count;
    }

    long time(int message) {
        return times[message];
    }

    /** The number of bytes in {@link #data}. */
    int size() {
        return size;
    }

    /** The decompressed records. */
    byte[] data() {
        return data;
    }

    /** Index of a message's data. */
    int offset(int message) {
        return offsets[message];
    }

    int length(int message) {
        return lengths[message];
    }

    int channel(int message) {
        return RecordFields.getU16(data, offsets[message] - Opcode.MESSAGE_HEAD_BYTES + CHANNEL_AT);
    }

    /** The 32 bits that number a channel's messages. */
    int sequence(int message) {
        return RecordFields.getU32(
                data, offsets[message] - Opcode.MESSAGE_HEAD_BYTES + CHANNEL_AT + Short.BYTES);
    }
}
