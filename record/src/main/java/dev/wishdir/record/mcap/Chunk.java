package dev.wishdir.record.mcap;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Messages that become one chunk of a file. A buffer to be reused: filled on one thread, handed to
 * another that writes it, cleared, handed back. At most {@link McapLimits#MAX_CHUNK_BYTES} and
 * {@link McapLimits#MAX_CHUNK_MESSAGES}.
 */
public final class Chunk {
    /** Size of a message besides its data. */
    public static final int MESSAGE_HEAD_BYTES = Opcode.MESSAGE_HEAD_BYTES;

    private static final int SEQUENCE_AT = Opcode.HEAD_BYTES + Short.BYTES;
    private static final int LOG_TIME_AT = SEQUENCE_AT + Integer.BYTES;

    /** The places of a channel's messages. */
    private static final class Places {
        private final int channel;
        private int[] offsets = new int[16];
        private int count;

        Places(int channel) {
            this.channel = channel;
        }

        void add(int offset) {
            if (count == offsets.length) {
                offsets = Arrays.copyOf(offsets, count * 2);
            }
            offsets[count++] = offset;
        }
    }

    private final RecordBuffer records = new RecordBuffer();
    private @Nullable Places[] places = {};
    private final List<Places> used = new ArrayList<>();
    private int messages;
    private long startNanos;
    private long endNanos;

    /**
     * Appends a message; its data is copied. Times may be in any order, but those that rise are
     * read faster.
     *
     * @param channel id that {@link McapWriter#addChannel} returned
     * @param logTimeNanos at least 0
     * @throws IllegalStateException if the chunk has no room for it: look at {@link #size} before
     */
    public void add(int channel, long logTimeNanos, byte[] data, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, data.length);
        Objects.checkIndex(channel, McapLimits.MAX_CHANNELS);
        if (logTimeNanos < 0) {
            throw new IllegalArgumentException("log time is " + logTimeNanos + ", not positive");
        }
        if (length > McapLimits.MAX_CHUNK_BYTES - MESSAGE_HEAD_BYTES - records.size()
                || messages == McapLimits.MAX_CHUNK_MESSAGES) {
            throw new IllegalStateException(
                    String.format(
                            Locale.ROOT,
                            "chunk has no room for %,d bytes: %,d bytes of %,d, %,d messages of"
                                    + " %,d",
                            length,
                            records.size(),
                            McapLimits.MAX_CHUNK_BYTES,
                            messages,
                            McapLimits.MAX_CHUNK_MESSAGES));
        }
        places(channel).add(records.size());
        records.reserve(MESSAGE_HEAD_BYTES + length);
        int record = records.begin(Opcode.MESSAGE);
        records.u16(channel);
        records.u32(0);
        records.u64(logTimeNanos);
        records.u64(logTimeNanos);
        records.bytes(data, offset, length);
        records.end(record);
        startNanos = messages == 0 ? logTimeNanos : Math.min(startNanos, logTimeNanos);
        endNanos = Math.max(endNanos, logTimeNanos);
        messages++;
    }

    private Places places(int channel) {
        if (channel >= places.length) {
            places = Arrays.copyOf(places, Math.max(channel + 1, places.length * 2));
        }
        Places found = places[channel];
        if (found == null) {
            found = new Places(channel);
            places[channel] = found;
        }
        if (found.count == 0) {
            used.add(found);
        }
        return found;
    }

    /** Size in bytes so far, before compression. */
    public int size() {
        return records.size();
    }

    public boolean isEmpty() {
        return messages == 0;
    }

    /** The earliest log time of its messages; 0 if it has none. */
    public long startNanos() {
        return startNanos;
    }

    /** The latest log time of its messages; 0 if it has none. */
    public long endNanos() {
        return endNanos;
    }

    /** Removes all messages. */
    public void clear() {
        records.clear();
        used.forEach(each -> each.count = 0);
        used.clear();
        messages = 0;
        startNanos = 0;
        endNanos = 0;
    }

    /** Takes the messages of a chunk that was read, and their order. */
    static Chunk of(ChunkContents contents) {
        Chunk chunk = new Chunk();
        chunk.records.bytes(contents.data(), 0, contents.size());
        for (int i = 0; i < contents.count(); i++) {
            chunk.places(contents.channel(i)).add(contents.offset(i) - MESSAGE_HEAD_BYTES);
        }
        chunk.messages = contents.count();
        return chunk;
    }

    /** The messages as records. */
    RecordBuffer records() {
        return records;
    }

    /** Sorts the channels by id. */
    void sortChannels() {
        used.sort((a, b) -> Integer.compare(a.channel, b.channel));
    }

    /** The number of channels that have messages here. */
    int channelCount() {
        return used.size();
    }

    int channel(int index) {
        return used.get(index).channel;
    }

    /** The number of messages of a channel. */
    int messages(int index) {
        return used.get(index).count;
    }

    /** Numbers the messages of a channel. */
    void number(int index, long first) {
        Places channel = used.get(index);
        for (int i = 0; i < channel.count; i++) {
            records.setU32(channel.offsets[i] + SEQUENCE_AT, (int) (first + i));
        }
    }

    /** Appends the message index of a channel. */
    void writeIndex(int index, RecordBuffer out) {
        Places channel = used.get(index);
        out.reserve(channel.count * 2 * Long.BYTES + 32);
        int record = out.begin(Opcode.MESSAGE_INDEX);
        out.u16(channel.channel);
        out.u32(channel.count * 2 * Long.BYTES);
        for (int i = 0; i < channel.count; i++) {
            out.u64(records.getU64(channel.offsets[i] + LOG_TIME_AT));
            out.u64(channel.offsets[i]);
        }
        out.end(record);
    }
}
