package dev.wishdir.record.mcap;

import dev.wishdir.record.mcap.McapException.Reason;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/**
 * Messages of a file in order of log time; those of the same time in order of the file. It stands
 * on one message at a time and makes no object of it. It sees the chunks that its reader knew when
 * it was made. Damaged chunks are skipped and added to {@link McapReader#damage}. Not thread-safe,
 * neither with its reader nor with others of the same.
 */
public final class MessageCursor {
    /** A chunk whose messages are not all past. */
    private static final class Open {
        private final ChunkContents contents = new ChunkContents();
        private int message;
        private long bytes;
    }

    private final InputFile file;
    private final DamageLog damage;
    private final ChunkTable chunks;
    private final BitSet channels;
    private final long from;
    private final long to;

    /** In order of their ranks. */
    private final List<Open> open = new ArrayList<>();

    private final Deque<Open> spare = new ArrayDeque<>();
    private final int end;
    private int next;
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
     * @throws McapException if more than {@link McapLimits#MAX_OVERLAP_BYTES} of chunks overlap in
     *     time
     */
    public boolean next() throws IOException {
        if (current != null) {
            current.message++;
            if (current.message == current.contents.count()) {
                open.remove(current);
                spare.push(current);
            }
        }
        Open first = first();
        while (next < end && (first == null || chunks.get(next).startNanos() < time(first))) {
            load(chunks.get(next++));
            first = first();
        }
        current = first;
        return first != null;
    }

    private static long time(Open chunk) {
        return chunk.contents.time(chunk.message);
    }

    /** The chunk with the earliest message. */
    private @Nullable Open first() {
        Open first = null;
        for (Open each : open) {
            if (first == null || time(each) < time(first)) {
                first = each;
            }
        }
        return first;
    }

    /** Decompresses a chunk if it may have messages that are asked for. */
    private void load(ChunkIndex index) throws IOException {
        if (index.endNanos() < from || channels.stream().noneMatch(index::mayHave)) {
            return;
        }
        long bytes = index.uncompressedBytes();
        if (open.stream().mapToLong(each -> each.bytes).sum() + bytes
                > McapLimits.MAX_OVERLAP_BYTES) {
            throw new McapException(
                    Reason.LIMIT,
                    index.offset(),
                    "chunk.message_start_time",
                    "makes %d chunks overlap, at most %,d bytes may"
                            .formatted(open.size() + 1, McapLimits.MAX_OVERLAP_BYTES));
        }
        Open chunk = spare.isEmpty() ? new Open() : spare.pop();
        try {
            chunk.contents.load(file, index.head(), from, to, channels, (_, _, _) -> {});
        } catch (McapException e) {
            damage.add(index.offset(), index.length(), e.reason());
            spare.push(chunk);
            return;
        }
        if (chunk.contents.count() == 0) {
            spare.push(chunk);
            return;
        }
        chunk.message = 0;
        chunk.bytes = bytes;
        open.add(chunk);
    }

    /** Goes to the last message up to the cursor's end; false if there is none. */
    boolean last() throws IOException {
        Open best = null;
        for (int rank = end - 1; rank >= next; rank--) {
            if (best != null && chunks.end(rank) <= time(best)) {
                break;
            }
            load(chunks.get(rank));
            if (!open.isEmpty() && open.getLast() != best) {
                Open chunk = open.removeLast();
                chunk.message = chunk.contents.count() - 1;
                if (best == null || time(chunk) > time(best)) {
                    open.clear();
                    open.add(chunk);
                    best = chunk;
                } else {
                    spare.push(chunk);
                }
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
