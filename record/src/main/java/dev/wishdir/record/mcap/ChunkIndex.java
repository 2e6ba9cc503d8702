package dev.wishdir.record.mcap;

import java.util.Arrays;

/** Index of a chunk: its place, its span of time and its channels. */
public final class ChunkIndex {
    private static final int CHANNEL_BYTES = Short.BYTES + Long.BYTES;
    private static final int FIXED_BYTES =
            Opcode.HEAD_BYTES + 7 * Long.BYTES + 2 * Integer.BYTES + "zstd".length();

    private final ChunkHead head;
    private final char[] channels;
    private final long[] indexOffsets;
    private final long indexLength;

    /**
     * @param channels ids of the channels, rising
     * @param indexOffsets places of their message indexes
     * @param indexLength size of all message indexes
     */
    ChunkIndex(ChunkHead head, char[] channels, long[] indexOffsets, long indexLength) {
        this.head = head;
        this.channels = channels;
        this.indexOffsets = indexOffsets;
        this.indexLength = indexLength;
    }

    ChunkHead head() {
        return head;
    }

    /** Log time of its first message, 0 if it has none. */
    public long startNanos() {
        return head.startNanos();
    }

    /** Log time of its last message, 0 if it has none. */
    public long endNanos() {
        return head.endNanos();
    }

    /** Place of its record in the file. */
    public long offset() {
        return head.offset();
    }

    /** Size of its record, without the message indexes behind it. */
    public long length() {
        return head.length();
    }

    /** Size of its messages before compression. */
    public long uncompressedBytes() {
        return head.uncompressedBytes();
    }

    /** Its compression: "zstd", or "" for none. */
    public String compression() {
        return head.compression();
    }

    /** Whether it may have messages of a channel; true for all if it has no message indexes. */
    public boolean mayHave(int channel) {
        return channels.length == 0
                || (channel >= 0
                        && channel <= Character.MAX_VALUE
                        && Arrays.binarySearch(channels, (char) channel) >= 0);
    }

    /** The number of channels. */
    int channelCount() {
        return channels.length;
    }

    /** Size of its record in a summary, about. */
    static long bytes(int channels) {
        return FIXED_BYTES + (long) CHANNEL_BYTES * channels;
    }

    void write(RecordBuffer out) {
        int record = out.begin(Opcode.CHUNK_INDEX);
        out.u64(head.startNanos());
        out.u64(head.endNanos());
        out.u64(head.offset());
        out.u64(head.length());
        out.u32(channels.length * CHANNEL_BYTES);
        for (int i = 0; i < channels.length; i++) {
            out.u16(channels[i]);
            out.u64(indexOffsets[i]);
        }
        out.u64(indexLength);
        out.text("compression", head.compression());
        out.u64(head.compressedBytes());
        out.u64(head.uncompressedBytes());
        out.end(record);
    }

    static ChunkIndex read(RecordFields in) throws McapException {
        long start = in.u64("chunk_index.message_start_time");
        long end = in.u64("chunk_index.message_end_time");
        long offset = in.u64("chunk_index.chunk_start_offset");
        long length = in.u64("chunk_index.chunk_length");
        RecordFields entries = in.part("chunk_index.message_index_offsets");
        int count = entries.remaining() / CHANNEL_BYTES;
        char[] channels = new char[count];
        long[] offsets = new long[count];
        for (int i = 0; i < count; i++) {
            channels[i] = (char) entries.u16("chunk_index.message_index_offsets");
            offsets[i] = entries.u64("chunk_index.message_index_offsets");
        }
        sort(channels, offsets);
        long indexLength = in.u64("chunk_index.message_index_length");
        String compression = in.text("chunk_index.compression");
        long compressed = in.u64("chunk_index.compressed_size");
        long uncompressed = in.u64("chunk_index.uncompressed_size");
        return new ChunkIndex(
                new ChunkHead(start, end, offset, length, compression, compressed, uncompressed),
                channels,
                offsets,
                indexLength);
    }

    /** Sorts channels, and their places with them. */
    static void sort(char[] channels, long[] offsets) {
        char[] sorted = channels.clone();
        Arrays.sort(sorted);
        if (!Arrays.equals(sorted, channels)) {
            long[] moved = new long[offsets.length];
            for (int i = 0; i < channels.length; i++) {
                moved[Arrays.binarySearch(sorted, channels[i])] = offsets[i];
            }
            System.arraycopy(sorted, 0, channels, 0, channels.length);
            System.arraycopy(moved, 0, offsets, 0, offsets.length);
        }
    }

    @Override
    public String toString() {
        return head + " of " + channels.length + " channels";
    }
}
