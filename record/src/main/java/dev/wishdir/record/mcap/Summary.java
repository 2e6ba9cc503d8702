package dev.wishdir.record.mcap;

import dev.wishdir.record.mcap.McapException.Reason;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.zip.CRC32;

/** Summary of a file, within the limits. */
final class Summary {
    /** Size of a footer. */
    static final int FOOTER_BYTES = Opcode.HEAD_BYTES + 2 * Long.BYTES + Integer.BYTES;

    private final Map<Integer, Schema> schemas = new TreeMap<>();
    private final Map<Integer, Channel> channels = new TreeMap<>();
    private final List<MetadataIndex> metadata = new ArrayList<>();
    private final List<AttachmentInfo> attachments = new ArrayList<>();
    private final List<ChunkIndex> chunks = new ArrayList<>();
    private final Map<Integer, Long> channelMessages = new TreeMap<>();
    private long messages;
    private long startNanos;
    private long endNanos;
    private long definitionBytes;
    private long chunkIndexBytes;

    Collection<Schema> schemas() {
        return Collections.unmodifiableCollection(schemas.values());
    }

    Collection<Channel> channels() {
        return Collections.unmodifiableCollection(channels.values());
    }

    List<MetadataIndex> metadata() {
        return Collections.unmodifiableList(metadata);
    }

    List<AttachmentInfo> attachments() {
        return Collections.unmodifiableList(attachments);
    }

    /** The chunks in order of the file. */
    List<ChunkIndex> chunks() {
        return Collections.unmodifiableList(chunks);
    }

    boolean hasChannel(int id) {
        return channels.containsKey(id);
    }

    boolean hasSchema(int id) {
        return schemas.containsKey(id);
    }

    /** The number of messages of a channel. */
    long messages(int channel) {
        return channelMessages.getOrDefault(channel, 0L);
    }

    long startNanos() {
        return startNanos;
    }

    long endNanos() {
        return endNanos;
    }

    Statistics statistics() {
        return new Statistics(
                messages,
                schemas.size(),
                channels.size(),
                attachments.size(),
                metadata.size(),
                chunks.size(),
                startNanos,
                endNanos,
                channelMessages);
    }

    /** Replaces the counts by those of a summary. */
    void setCounts(Statistics statistics) {
        messages = statistics.messages();
        startNanos = statistics.startNanos();
        endNanos = statistics.endNanos();
        channelMessages.clear();
        channelMessages.putAll(statistics.channelMessages());
    }

    private static void limit(String field, long value, long max, long offset)
            throws McapException {
        if (value > max) {
            throw new McapException(
                    Reason.LIMIT,
                    offset,
                    field,
                    String.format(Locale.ROOT, "is %,d, at most %,d are allowed", value, max));
        }
    }

    /**
     * Whether there is room for a schema, channel or metadata record.
     *
     * @param bytes size of its record
     * @param offset place of its record
     */
    void checkDefinition(String field, int count, int max, long bytes, long offset)
            throws McapException {
        limit(field + " count", count + 1L, max, offset);
        limit(field + " bytes", bytes, McapLimits.MAX_DEFINITION_BYTES, offset);
        limit(
                "bytes of schemas, channels and metadata",
                definitionBytes + bytes,
                McapLimits.MAX_DEFINITIONS_BYTES,
                offset);
    }

    void checkSchema(long bytes, long offset) throws McapException {
        checkDefinition("schema", schemas.size(), McapLimits.MAX_SCHEMAS, bytes, offset);
    }

    void checkChannel(long bytes, long offset) throws McapException {
        checkDefinition("channel", channels.size(), McapLimits.MAX_CHANNELS, bytes, offset);
    }

    void checkMetadata(long bytes, long offset) throws McapException {
        checkDefinition("metadata", metadata.size(), McapLimits.MAX_METADATA, bytes, offset);
    }

    void checkAttachment(long offset) throws McapException {
        limit("attachment count", attachments.size() + 1L, McapLimits.MAX_ATTACHMENTS, offset);
    }

    void checkChunk(int channelCount, long offset) throws McapException {
        limit("chunk count", chunks.size() + 1L, McapLimits.MAX_CHUNKS, offset);
        limit(
                "bytes of chunk indexes",
                chunkIndexBytes + ChunkIndex.bytes(channelCount),
                McapLimits.MAX_SUMMARY_BYTES - 2L * McapLimits.MAX_DEFINITIONS_BYTES,
                offset);
    }

    /**
     * Adds a schema. A further one of the same id must be equal.
     *
     * @param bytes size of its record
     * @param offset place of its record
     */
    void add(Schema schema, long bytes, long offset) throws McapException {
        Schema before = schemas.get(schema.id());
        if (before == null) {
            checkSchema(bytes, offset);
            schemas.put(schema.id(), schema);
            definitionBytes += bytes;
        } else if (!before.equals(schema)) {
            throw conflict("schema.id", schema.id(), offset);
        }
    }

    /** As {@link #add(Schema, long, long)}. */
    void add(Channel channel, long bytes, long offset) throws McapException {
        Channel before = channels.get(channel.id());
        if (before == null) {
            checkChannel(bytes, offset);
            channels.put(channel.id(), channel);
            definitionBytes += bytes;
        } else if (!before.equals(channel)) {
            throw conflict("channel.id", channel.id(), offset);
        }
    }

    private static McapException conflict(String field, int id, long offset) {
        return new McapException(
                Reason.CONFLICT, offset, field, "is " + id + ", as another one before it");
    }

    void add(MetadataIndex index) throws McapException {
        checkMetadata(index.length(), index.offset());
        metadata.add(index);
        definitionBytes += index.length();
    }

    void add(AttachmentInfo attachment) throws McapException {
        checkAttachment(attachment.offset());
        attachments.add(attachment);
    }

    /** Adds a chunk; its messages are counted by {@link #count}. */
    void add(ChunkIndex chunk) throws McapException {
        checkChunk(chunk.channelCount(), chunk.offset());
        chunks.add(chunk);
        chunkIndexBytes += ChunkIndex.bytes(chunk.channelCount());
    }

    /** Counts messages of a channel in the last chunk. */
    void count(int channel, long count) {
        if (count > 0) {
            ChunkIndex chunk = chunks.getLast();
            startNanos =
                    messages == 0 ? chunk.startNanos() : Math.min(startNanos, chunk.startNanos());
            endNanos = Math.max(endNanos, chunk.endNanos());
            channelMessages.merge(channel, count, Long::sum);
            messages += count;
        }
    }

    /** Removes the last chunk and its messages. */
    void removeLast(Map<Integer, Long> counts) {
        ChunkIndex removed = chunks.removeLast();
        chunkIndexBytes -= ChunkIndex.bytes(removed.channelCount());
        counts.forEach((channel, count) -> {
            channelMessages.computeIfPresent(
                    channel, (_, all) -> all > count ? Long.valueOf(all - count) : null);
            messages -= count;
        });
        List<ChunkIndex> left =
                chunks.stream().filter(chunk -> chunk.uncompressedBytes() > 0).toList();
        startNanos = left.stream().mapToLong(ChunkIndex::startNanos).min().orElse(0);
        endNanos = left.stream().mapToLong(ChunkIndex::endNanos).max().orElse(0);
    }

    /**
     * Appends what ends a file: the end of its data, the summary, the footer and the magic bytes.
     *
     * @param position place in the file of the first byte
     */
    void write(RecordBuffer out, long position) {
        long base = position - out.size();
        int dataEnd = out.begin(Opcode.DATA_END);
        out.u32(0);
        out.end(dataEnd);
        int start = out.size();
        List<Group> groups = new ArrayList<>();
        groups.add(write(out, Opcode.SCHEMA, schemas.values(), each -> each.write(out)));
        groups.add(write(out, Opcode.CHANNEL, channels.values(), each -> each.write(out)));
        groups.add(write(out, Opcode.STATISTICS, List.of(statistics()), each -> each.write(out)));
        groups.add(write(out, Opcode.CHUNK_INDEX, chunks, each -> each.write(out)));
        groups.add(write(out, Opcode.ATTACHMENT_INDEX, attachments, each -> each.write(out)));
        groups.add(write(out, Opcode.METADATA_INDEX, metadata, each -> each.write(out)));
        int offsets = out.size();
        for (Group group : groups) {
            if (group.end > group.start) {
                int record = out.begin(Opcode.SUMMARY_OFFSET);
                out.u8(group.opcode);
                out.u64(base + group.start);
                out.u64(group.end - group.start);
                out.end(record);
            }
        }
        int footer = out.begin(Opcode.FOOTER);
        out.u64(base + start);
        out.u64(base + offsets);
        CRC32 crc = new CRC32();
        out.setU64(footer - Long.BYTES, FOOTER_BYTES - Opcode.HEAD_BYTES);
        crc.update(out.array(), start, out.size() - start);
        out.u32((int) crc.getValue());
        out.end(footer);
        Magic.write(out);
    }

    /** Records of one kind, by their places in the buffer. */
    private record Group(int opcode, int start, int end) {}

    private static <T> Group write(
            RecordBuffer out, int opcode, Collection<T> records, Consumer<T> writer) {
        int start = out.size();
        records.forEach(writer);
        return new Group(opcode, start, out.size());
    }
}
