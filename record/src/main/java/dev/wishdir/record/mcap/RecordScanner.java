package dev.wishdir.record.mcap;

import dev.wishdir.record.mcap.McapException.Reason;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds what a file has by its records, where there is no summary. Can be continued when the file
 * has grown. Messages are counted by the message indexes behind their chunk; the last chunk of a
 * file without an end is decompressed for that, as its indexes may be missing.
 */
final class RecordScanner {
    /** Largest number of searches for chunks behind damage; each may cost a decompression. */
    private static final int MAX_SEARCHES = 256;

    /** A chunk and the message indexes behind it, as far as they were read. */
    private static final class Open {
        private final ChunkHead head;
        private final List<Long> places = new ArrayList<>();
        private final StringBuilder channels = new StringBuilder();
        private Map<Integer, Long> counts = new TreeMap<>();
        private long indexLength;
        private boolean suspect;

        Open(ChunkHead head) {
            this.head = head;
        }

        ChunkIndex index() {
            char[] ids = channels.toString().toCharArray();
            long[] offsets = places.stream().mapToLong(Long::longValue).toArray();
            ChunkIndex.sort(ids, offsets);
            return new ChunkIndex(head, ids, offsets, indexLength);
        }
    }

    private final InputFile file;
    private final Summary summary;
    private final DamageLog damage;
    private final boolean verify;
    private final ChunkContents contents = new ChunkContents();
    private final FileWindow window;
    private long size;
    private long position = Magic.LENGTH;
    private long goodEnd = Magic.LENGTH;
    private int searches;
    private boolean ended;

    /** Whether no chunk is behind the last damage, so that further damage needs no search. */
    private boolean searched;

    /** Whether message indexes that come now belong to a chunk that was skipped. */
    private boolean skipped;

    private @Nullable Open open;
    private @Nullable Open unindexed;

    /**
     * @param summary receives what is found
     * @param damage receives what is skipped
     * @param verify whether to decompress each chunk, and to leave out damaged ones
     */
    RecordScanner(InputFile file, Summary summary, DamageLog damage, boolean verify) {
        this.file = file;
        this.summary = summary;
        this.damage = damage;
        this.verify = verify;
        window = new FileWindow(file);
    }

    /** Place behind the last whole record. */
    long position() {
        return position;
    }

    /** Place behind the last whole and undamaged record. */
    long goodEnd() {
        return goodEnd;
    }

    /** Whether the end of the data was found. */
    boolean isEnded() {
        return ended;
    }

    /** Whether the rest of the file was not searched for chunks, as there is too much damage. */
    boolean isExhausted() {
        return searches > MAX_SEARCHES;
    }

    /** The last chunk if its message indexes are not whole. */
    @Nullable ChunkHead unindexed() {
        return unindexed == null ? null : unindexed.head;
    }

    /** Removes the chunk that has no whole message indexes from the summary. */
    void removeUnindexed() {
        if (unindexed != null) {
            summary.removeLast(unindexed.counts);
            position = unindexed.head.offset();
            unindexed = null;
        }
    }

    /** Reads what is behind the last whole record, as far as it is whole. */
    void scan() throws IOException {
        removeUnindexed();
        size = file.size();
        searched = false;
        window.reset(size);
        while (!ended && size - position >= Opcode.HEAD_BYTES) {
            int at = window.index(position, Opcode.HEAD_BYTES);
            int opcode = window.data()[at] & 0xFF;
            long length = RecordFields.getU64(window.data(), at + 1);
            if (opcode == 0 || length < 0 || length > size - position - Opcode.HEAD_BYTES) {
                // Not yet whole, or damaged.
                if (!search()) {
                    break;
                }
            } else {
                next(opcode, Opcode.HEAD_BYTES + length);
            }
        }
        close(!ended);
    }

    /** Reads a record and goes behind it. */
    private void next(int opcode, long length) throws IOException {
        if (opcode != Opcode.MESSAGE_INDEX) {
            close(false);
            skipped = false;
        }
        try {
            record(opcode, length);
        } catch (McapException e) {
            skipped |= opcode == Opcode.CHUNK;
            if (open != null) {
                open.suspect = true;
            }
            if (e.reason() == Reason.MALFORMED && search()) {
                return;
            }
            skip(position, length, e.reason());
            position += length;
            return;
        }
        if (!ended) {
            boolean good = !skipped || goodEnd == position;
            position += length;
            if (open == null && good) {
                goodEnd = position;
            }
        }
    }

    /** Reports bytes as skipped. What may be sound, but is not supported, is not to be cut off. */
    private void skip(long offset, long length, Reason reason) {
        damage.add(offset, length, reason);
        if (isUnsupported(reason)) {
            goodEnd = offset + length;
        }
    }

    static boolean isUnsupported(Reason reason) {
        return reason == Reason.COMPRESSION || reason == Reason.LIMIT || reason == Reason.UNCHUNKED;
    }

    private void record(int opcode, long length) throws IOException {
        switch (opcode) {
            case Opcode.SCHEMA -> summary.add(Schema.read(whole(length)), length, position);
            case Opcode.CHANNEL -> summary.add(Channel.read(whole(length)), length, position);
            case Opcode.METADATA ->
                    summary.add(
                            new MetadataIndex(
                                    position, length, Metadata.read(whole(length)).name()));
            case Opcode.ATTACHMENT -> attachment(length);
            case Opcode.CHUNK -> {
                ChunkHead head = head(position, length);
                head.check(size);
                open = new Open(head);
            }
            case Opcode.MESSAGE_INDEX -> messageIndex(length);
            case Opcode.MESSAGE ->
                    throw new McapException(
                            Reason.UNCHUNKED, position, "message", "is not in a chunk");
            case Opcode.DATA_END -> end(length, Opcode.HEAD_BYTES + Integer.BYTES);
            case Opcode.FOOTER -> end(length, Summary.FOOTER_BYTES);
            case Opcode.CHUNK_INDEX,
                    Opcode.ATTACHMENT_INDEX,
                    Opcode.STATISTICS,
                    Opcode.METADATA_INDEX,
                    Opcode.SUMMARY_OFFSET ->
                    throw new McapException(
                            Reason.CONFLICT, position, "opcode", opcode + " is not in a summary");
            default -> {
                // The header, or what a later version added.
            }
        }
    }

    private void end(long length, int expected) throws McapException {
        if (length != expected) {
            throw new McapException(
                    Reason.MALFORMED,
                    position,
                    "record length",
                    String.format(Locale.ROOT, "is %,d, not %,d", length, expected));
        }
        ended = true;
    }

    /** The content of a record that is read whole. */
    private RecordFields whole(long length) throws IOException {
        if (length > McapLimits.MAX_DEFINITION_BYTES) {
            throw new McapException(
                    Reason.LIMIT,
                    position,
                    "record length",
                    String.format(
                            Locale.ROOT,
                            "is %,d, at most %,d are allowed",
                            length,
                            McapLimits.MAX_DEFINITION_BYTES));
        }
        return fields(file.read(position, (int) length), 0, (int) length, position);
    }

    /** The content of a record, from the array that has its head. */
    private static RecordFields fields(byte[] data, int at, int length, long position) {
        return new RecordFields(
                data, at + Opcode.HEAD_BYTES, length - Opcode.HEAD_BYTES, position - at);
    }

    /** The first fields of a record. */
    private RecordFields front(long place, int length) throws IOException {
        int at = window.index(place, length);
        return fields(window.data(), at, length, place);
    }

    private void attachment(long length) throws IOException {
        int front = (int) Math.min(length, AttachmentInfo.MAX_FRONT_BYTES);
        RecordFields in = fields(file.read(position, front), 0, front, position);
        AttachmentInfo attachment = AttachmentInfo.readRecord(in, position, length);
        if (in.offset() + attachment.dataBytes() + Integer.BYTES != position + length) {
            throw in.malformed("attachment.data", "has " + attachment.dataBytes() + " bytes");
        }
        summary.add(attachment);
    }

    private ChunkHead head(long place, long length) throws IOException {
        int front = (int) Math.min(length, ChunkHead.MAX_BYTES);
        return ChunkHead.read(front(place, front), place, length);
    }

    private void messageIndex(long length) throws IOException {
        int front = (int) Math.min(length, Opcode.HEAD_BYTES + Short.BYTES + Integer.BYTES);
        RecordFields in = front(position, front);
        int channel = in.u16("message_index.channel_id");
        long bytes = in.u32("message_index.records") & 0xFFFF_FFFFL;
        long count = bytes / (2 * Long.BYTES);
        if (bytes % (2 * Long.BYTES) != 0
                || in.offset() + bytes != position + length
                || count > McapLimits.MAX_CHUNK_MESSAGES) {
            throw in.malformed("message_index.records", "has " + bytes + " bytes");
        }
        if (open == null && !skipped) {
            throw new McapException(
                    Reason.CONFLICT, position, "message_index", "does not follow a chunk");
        }
        if (open != null) {
            open.indexLength += length;
            if (count > 0) {
                if (open.counts.put(channel, count) != null) {
                    throw new McapException(
                            Reason.CONFLICT,
                            position,
                            "message_index.channel_id",
                            "is " + channel + ", as another one of the same chunk");
                }
                open.channels.append((char) channel);
                open.places.add(position);
            }
        }
    }

    /**
     * Ends the message indexes of a chunk and adds it to the summary.
     *
     * @param last whether further message indexes may come
     */
    private void close(boolean last) throws IOException {
        Open chunk = open;
        open = null;
        if (chunk == null) {
            return;
        }
        ChunkHead head = chunk.head;
        long end = head.offset() + head.length();
        ChunkIndex index = chunk.index();
        boolean whole = true;
        try {
            if (last
                    || verify
                    || chunk.suspect
                    || chunk.counts.isEmpty()
                    || !chunk.counts.keySet().stream().allMatch(summary::hasChannel)) {
                Map<Integer, Long> counts = count(head);
                whole = counts.equals(chunk.counts) && !chunk.suspect;
                chunk.counts = counts;
            }
            if (!whole) {
                index = new ChunkIndex(head, new char[0], new long[0], 0);
            }
            summary.add(index);
            chunk.counts.forEach(summary::count);
        } catch (McapException e) {
            skip(head.offset(), head.length(), e.reason());
            return;
        }
        if (last && !whole) {
            unindexed = chunk;
            goodEnd = end;
        } else {
            goodEnd = end + chunk.indexLength;
        }
    }

    /** Decompresses a chunk and counts its messages by channel; takes its schemas and channels. */
    private Map<Integer, Long> count(ChunkHead head) throws IOException {
        contents.load(
                file,
                head,
                0,
                Long.MAX_VALUE,
                null,
                (opcode, in, length) -> {
                    try {
                        if (opcode == Opcode.SCHEMA) {
                            summary.add(Schema.read(in), length, head.offset());
                        } else if (opcode == Opcode.CHANNEL) {
                            summary.add(Channel.read(in), length, head.offset());
                        }
                    } catch (McapException e) {
                        // Its messages are not worse for it.
                        damage.add(head.offset(), 0, e.reason());
                    }
                });
        Map<Integer, Long> counts = new TreeMap<>();
        for (int i = 0; i < contents.count(); i++) {
            counts.merge(contents.channel(i), 1L, Long::sum);
        }
        return counts;
    }

    /**
     * Goes to the next whole chunk behind bytes that lead nowhere. Only a chunk with the right CRC
     * is taken: any bytes may look like the head of one.
     *
     * @return false if there is none
     */
    private boolean search() throws IOException {
        if (searched) {
            return false;
        }
        searched = true;
        for (long at = position + 1; at <= size - ChunkHead.MIN_BYTES; at++) {
            int index = window.index(at, Opcode.HEAD_BYTES);
            if (window.data()[index] == Opcode.CHUNK) {
                long length = Opcode.HEAD_BYTES + RecordFields.getU64(window.data(), index + 1);
                if (length >= ChunkHead.MIN_BYTES && length <= size - at && isChunk(at, length)) {
                    damage.add(position, at - position, Reason.LENGTH);
                    position = at;
                    searched = false;
                    return true;
                }
                if (isExhausted()) {
                    return false;
                }
            }
        }
        return false;
    }

    private boolean isChunk(long at, long length) throws IOException {
        try {
            ChunkHead head = head(at, length);
            head.check(size);
            searches++;
            contents.load(file, head, 0, Long.MAX_VALUE, null, (_, _, _) -> {});
            return contents.hasCrc();
        } catch (McapException e) {
            return false;
        }
    }
}
