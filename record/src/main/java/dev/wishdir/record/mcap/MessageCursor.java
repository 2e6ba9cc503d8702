package dev.wishdir.record.mcap;

import dev.wishdir.record.mcap.McapException.Reason;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Locale;
import java.util.PriorityQueue;

/**
 * Messages of a file in order of log time; those of the same time in order of the file. It stands
 * on one message at a time and makes no object of it. It sees the chunks that its reader knew when
 * it was made. Damaged chunks, and those that make more than {@link McapLimits#MAX_OVERLAP_BYTES}
 * overlap in time, are skipped and added to {@link McapReader#damage}. Not thread-safe, neither
 * with its reader nor with others of the same.
 */
public final class MessageCursor {
    /** A chunk whose messages are not all past. */
    private static final class Open {
        private final ChunkContents contents;
        private int rank;
        private int message;

        Open(ChunkContents.Packed packed) {
            contents = new ChunkContents(packed);
        }
    }

    private final InputFile file;
    private final DamageLog damage;
    private final ChunkTable chunks;
    private final BitSet channels;
    private final long from;
    private final long to;
    private final ChunkContents.Packed packed = new ChunkContents.Packed();

    /** By the time of their message, except the current one. */
    private final PriorityQueue<Open> open =
            new PriorityQueue<>(
                    Comparator.<Open>comparingLong(MessageCursor::time)
                            .thenComparingInt(each -> each.rank));

    private final int end;
    private int next;
    private long openBytes;
    private @Nullable Open spare;
    private @Nullable Open current;

    MessageCursor(
            InputFile file,
            DamageLog damage,
            ChunkTable chunks,
            BitSet channels,
            long from,
            long to) {
        this.file = file;
        this.damage = damage;
        this.chunks = chunks;
        this.channels = channels;
        this.from = from;
        this.to = to;
        next = chunks.firstEndingFrom(from);
        end = chunks.firstStartingAfter(to);
    }

    /**
     * Goes to the next message.
     *
     * @return false if there is none
     */
    public boolean next() throws IOException {
        if (current != null) {
            current.message++;
            if (current.message < current.contents.count()) {
                open.add(current);
            } else {
                close(current);
            }
            current = null;
        }
        while (next < end
                && (open.isEmpty() || chunks.get(next).startNanos() < time(open.element()))) {
            Open loaded = load(next++);
            if (loaded != null) {
                loaded.message = 0;
                open.add(loaded);
            }
        }
        current = open.poll();
        return current != null;
    }

    private static long time(Open chunk) {
        return chunk.contents.time(chunk.message);
    }

    private void close(Open chunk) {
        openBytes -= chunk.contents.bytes();
        spare = chunk;
    }

    /** Decompresses a chunk; null if it has no messages that are asked for, or is damaged. */
    private @Nullable Open load(int rank) throws IOException {
        ChunkIndex index = chunks.get(rank);
        if (index.endNanos() < from || channels.stream().noneMatch(index::mayHave)) {
            return null;
        }
        Open chunk = spare == null ? new Open(packed) : spare;
        spare = chunk;
        try {
            index.head().check(file.size());
            requireRoom(index, Math.max(index.uncompressedBytes(), ChunkContents.MIN_BUFFER_BYTES));
            chunk.contents.load(file, index.head(), from, to, channels, (_, _, _) -> {});
            requireRoom(index, chunk.contents.bytes());
        } catch (McapException e) {
            damage.add(index.offset(), index.length(), e.reason());
            return null;
        }
        if (chunk.contents.count() == 0) {
            return null;
        }
        spare = null;
        chunk.rank = rank;
        openBytes += chunk.contents.bytes();
        return chunk;
    }

    /** Buffers count as large as they are: chunks without a byte would cost nothing otherwise. */
    private void requireRoom(ChunkIndex index, long more) throws McapException {
        long bytes = openBytes + more;
        if (bytes > McapLimits.MAX_OVERLAP_BYTES) {
            throw new McapException(
                    Reason.LIMIT,
                    index.offset(),
                    "chunk.message_start_time",
                    String.format(
                            Locale.ROOT,
                            "makes %,d bytes of chunks overlap, at most %,d may",
                            bytes,
                            McapLimits.MAX_OVERLAP_BYTES));
        }
    }

    /** Goes to the last message up to the cursor's end; false if there is none. */
    boolean last() throws IOException {
        Open best = null;
        for (int rank = end - 1; rank >= next; rank--) {
            if (best != null && chunks.end(rank) <= time(best)) {
                break;
            }
            Open chunk = load(rank);
            if (chunk == null) {
                continue;
            }
            chunk.message = chunk.contents.count() - 1;
            if (best == null) {
                best = chunk;
            } else if (time(chunk) > time(best)) {
                close(best);
                best = chunk;
            } else {
                close(chunk);
            }
        }
        next = end;
        current = best;
        return best != null;
    }

    private Open current() {
        if (current == null) {
            throw new IllegalStateException("no message: next() was not called or returned false");
        }
        return current;
    }

    /** The id of the message's channel. */
    public int channel() {
        Open chunk = current();
        return chunk.contents.channel(chunk.message);
    }

    /** The number of the message in its channel, 32 bits; a gap shows lost messages. */
    public int sequence() {
        Open chunk = current();
        return chunk.contents.sequence(chunk.message);
    }

    public long logTimeNanos() {
        return time(current());
    }

    /** The array that has the message's data; valid until the cursor moves. */
    public byte[] buffer() {
        return current().contents.data();
    }

    /** Index of the message's first byte in {@link #buffer}. */
    public int offset() {
        Open chunk = current();
        return chunk.contents.offset(chunk.message);
    }

    /** Size of the message's data in bytes. */
    public int length() {
        Open chunk = current();
        return chunk.contents.length(chunk.message);
    }
}
