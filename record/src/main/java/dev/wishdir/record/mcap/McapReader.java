package dev.wishdir.record.mcap;

import dev.wishdir.record.mcap.McapException.Reason;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * Reads an MCAP file by its summary; where that is missing or damaged, by a scan of its records. A
 * file without a summary may still grow: {@link #refresh}. What is damaged is skipped and reported
 * by {@link #damage}; {@link McapLimits} has the bounds. Not thread-safe.
 */
public final class McapReader implements AutoCloseable {
    private final InputFile file;
    private final DamageLog damage = new DamageLog();
    private final List<Metadata> metadata = new ArrayList<>();
    private Summary summary = new Summary();
    private @Nullable RecordScanner scanner;
    private @Nullable ChunkTable table;
    private int metadataRead;
    private boolean complete;

    private McapReader(InputFile file) {
        this.file = file;
    }

    /**
     * Opens a file. Without a summary it takes about a read a chunk, else 2 and one for each
     * metadata record.
     *
     * @throws McapException if it does not begin as MCAP does, or none of its chunks is compressed
     *     by zstd or not at all
     */
    public static McapReader open(Path file) throws IOException {
        InputFile input = InputFile.open(file);
        try {
            requireMagic(input);
            McapReader reader = new McapReader(input);
            reader.load();
            return reader;
        } catch (IOException | RuntimeException e) {
            input.close();
            throw e;
        }
    }

    static void requireMagic(InputFile file) throws IOException {
        if (file.size() < Magic.LENGTH || !Magic.isAt(file.read(0, Magic.LENGTH), 0)) {
            throw new McapException(
                    Reason.NOT_MCAP,
                    0,
                    "magic",
                    "is not 89 4D 43 41 50 30 0D 0A (MCAP, version 0)");
        }
    }

    private void load() throws IOException {
        Summary found = readSummary();
        if (found != null) {
            summary = found;
            complete = true;
        } else {
            rescan();
        }
        readMetadata();
        requireCompression();
    }

    /** The summary in the file; null if there is none, or a damaged one. */
    private @Nullable Summary readSummary() throws IOException {
        try {
            return SummaryReader.read(file);
        } catch (McapException e) {
            damage.add(e.offset(), file.size() - e.offset(), e.reason());
            return null;
        }
    }

    private RecordScanner rescan() throws IOException {
        summary = new Summary();
        scanner = new RecordScanner(file, summary, damage, false);
        scanner.scan();
        return scanner;
    }

    /** Reads the metadata of which the places are known, but not yet the values. */
    private void readMetadata() throws IOException {
        for (; metadataRead < summary.metadata().size(); metadataRead++) {
            MetadataIndex index = summary.metadata().get(metadataRead);
            int length = (int) index.length();
            try {
                byte[] record = file.read(index.offset(), length);
                if (record[0] != Opcode.METADATA) {
                    throw new McapException(
                            Reason.CONFLICT, index.offset(), "metadata", "is another record");
                }
                metadata.add(
                        Metadata.read(
                                new RecordFields(
                                        record,
                                        Opcode.HEAD_BYTES,
                                        length - Opcode.HEAD_BYTES,
                                        index.offset())));
            } catch (McapException e) {
                damage.add(index.offset(), length, e.reason());
            }
        }
    }

    /** Throws an exception if all chunks have a compression that is not supported. */
    private void requireCompression() throws IOException {
        for (ChunkIndex chunk : summary.chunks()) {
            if (chunk.head().isSupported()) {
                return;
            }
        }
        if (!summary.chunks().isEmpty()) {
            summary.chunks().getFirst().head().check(file.size());
        }
        for (Damage each : damage.all()) {
            if (each.reason() == Reason.COMPRESSION) {
                int front = (int) Math.min(each.length(), ChunkHead.MAX_BYTES);
                ChunkHead.read(
                                new RecordFields(
                                        file.read(each.offset(), front),
                                        Opcode.HEAD_BYTES,
                                        front - Opcode.HEAD_BYTES,
                                        each.offset()),
                                each.offset(),
                                each.length())
                        .check(file.size());
            }
        }
    }

    /**
     * Takes up the whole records that were appended since. Cursors do not see them, but those made
     * afterwards do. A complete file is not looked at again.
     *
     * @return whether there are any
     */
    public boolean refresh() throws IOException {
        RecordScanner scanner = this.scanner;
        if (scanner == null || complete) {
            return false;
        }
        long position = scanner.position();
        Statistics before = summary.statistics();
        if (file.size() < position) {
            // Cut below what was read: another file, or a damaged disk.
            damage.clear();
            metadata.clear();
            metadataRead = 0;
            scanner = rescan();
        } else {
            scanner.scan();
        }
        if (scanner.isEnded()) {
            complete = readSummary() != null;
        }
        readMetadata();
        table = null;
        return complete || scanner.position() != position || !summary.statistics().equals(before);
    }

    /** Whether the file was closed and its summary is undamaged. */
    public boolean isComplete() {
        return complete;
    }

    /** In order of their ids. */
    public List<Schema> schemas() {
        return List.copyOf(summary.schemas());
    }

    /** In order of their ids. */
    public List<Channel> channels() {
        return List.copyOf(summary.channels());
    }

    /** In order of the file. */
    public List<Metadata> metadata() {
        return List.copyOf(metadata);
    }

    /** In order of the file. */
    public List<AttachmentInfo> attachments() {
        return List.copyOf(summary.attachments());
    }

    /**
     * The data of an attachment.
     *
     * @throws McapException if it is damaged, or larger than {@link
     *     McapLimits#MAX_ATTACHMENT_BYTES}
     */
    public byte[] read(AttachmentInfo attachment) throws IOException {
        long offset = attachment.offset();
        if (attachment.dataBytes() > McapLimits.MAX_ATTACHMENT_BYTES
                || attachment.length() > attachment.dataBytes() + AttachmentInfo.MAX_FRONT_BYTES
                || offset > file.size() - attachment.length()) {
            throw new McapException(
                    Reason.LIMIT,
                    offset,
                    "attachment.data",
                    String.format(
                            Locale.ROOT,
                            "has %,d bytes, at most %,d are allowed",
                            attachment.dataBytes(),
                            McapLimits.MAX_ATTACHMENT_BYTES));
        }
        int length = (int) attachment.length();
        byte[] record = file.read(offset, length);
        RecordFields in =
                new RecordFields(record, Opcode.HEAD_BYTES, length - Opcode.HEAD_BYTES, offset);
        if (record[0] != Opcode.ATTACHMENT
                || !AttachmentInfo.readRecord(in, offset, length).equals(attachment)) {
            throw new McapException(
                    Reason.CONFLICT,
                    offset,
                    "attachment",
                    "is not the one that its index describes");
        }
        int start = in.index();
        in.skip("attachment.data", (int) attachment.dataBytes());
        CRC32 actual = new CRC32();
        actual.update(record, Opcode.HEAD_BYTES, in.index() - Opcode.HEAD_BYTES);
        int end = in.index();
        int crc = in.u32("attachment.crc");
        if (crc != 0 && crc != (int) actual.getValue()) {
            throw new McapException(
                    Reason.CRC,
                    offset,
                    "attachment.crc",
                    String.format(
                            Locale.ROOT, "is %08x, the record has %08x", crc, actual.getValue()));
        }
        return Arrays.copyOfRange(record, start, end);
    }

    /** In order of the file. */
    public List<ChunkIndex> chunks() {
        return List.copyOf(summary.chunks());
    }

    /** Counts as the summary or the message indexes have them, damaged chunks included. */
    public Statistics statistics() {
        return summary.statistics();
    }

    /** Log time of the first message, 0 if there is none. */
    public long startNanos() {
        return summary.startNanos();
    }

    /** Log time of the last message, 0 if there is none. */
    public long endNanos() {
        return summary.endNanos();
    }

    private ChunkTable table() {
        ChunkTable known = table;
        if (known == null) {
            known = new ChunkTable(summary.chunks());
            table = known;
        }
        return known;
    }

    /**
     * Messages in order of log time.
     *
     * @param fromNanos the earliest log time
     * @param toNanos the latest log time; a message of that time is included
     * @param channels ids of their channels
     */
    public MessageCursor messages(long fromNanos, long toNanos, Collection<Integer> channels) {
        BitSet ids = new BitSet();
        channels.forEach(ids::set);
        return new MessageCursor(file, damage, table(), ids, fromNanos, toNanos);
    }

    /**
     * The newest message of a channel at a time, or before it.
     *
     * @return a cursor that stands on it and has no further messages; empty if there is none
     */
    public Optional<MessageCursor> last(int channel, long atNanos) throws IOException {
        MessageCursor cursor = messages(0, atNanos, List.of(channel));
        return cursor.last() ? Optional.of(cursor) : Optional.empty();
    }

    /**
     * Damage that was skipped so far: when the file was opened or refreshed, and by its cursors. In
     * order of the file. A file that is being written may end with a record that is not yet whole.
     */
    public List<Damage> damage() throws IOException {
        List<Damage> all = new ArrayList<>(damage.all());
        RecordScanner scanner = this.scanner;
        if (scanner != null && !scanner.isEnded() && file.size() > scanner.position()) {
            long position = scanner.position();
            all.add(new Damage(position, file.size() - position, Reason.TRUNCATED));
        }
        return all;
    }

    /** The number of reads so far. */
    long reads() {
        return file.reads();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
