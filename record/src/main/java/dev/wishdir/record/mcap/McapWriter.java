package dev.wishdir.record.mcap;

import dev.wishdir.wire.Bytes;

import io.airlift.compress.v3.zstd.ZstdJavaCompressor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * Writes an MCAP file, each record or chunk whole or not at all: after a failed write the file is
 * cut back to what stood before, and the next call may try again. A file that is never closed has
 * no summary, but all that was written. For one thread at a time.
 */
public final class McapWriter implements AutoCloseable {
    private final OutputFile file;
    private final Summary summary;
    private final RecordBuffer out = new RecordBuffer();
    private final ZstdJavaCompressor zstd = new ZstdJavaCompressor();
    private long position;
    private boolean torn;
    private boolean closed;

    /**
     * @param summary of what the file has
     * @param position where it ends
     */
    private McapWriter(OutputFile file, Summary summary, long position) {
        this.file = file;
        this.summary = summary;
        this.position = position;
    }

    /**
     * Creates a file, which only its owner and its group may read where the file system knows them.
     *
     * @param profile of the messages, as the specification lists them; or ""
     * @param library name and version of the program that writes
     * @throws java.nio.file.FileAlreadyExistsException if there is one
     */
    public static McapWriter create(Path file, String profile, String library) throws IOException {
        OutputFile output = OutputFile.create(file);
        try {
            return start(output, profile, library);
        } catch (IOException | RuntimeException e) {
            // It would be in the way of the next try.
            Files.deleteIfExists(file);
            throw e;
        }
    }

    /** Starts a file that is empty. */
    static McapWriter start(OutputFile file, String profile, String library) throws IOException {
        McapWriter writer = new McapWriter(file, new Summary(), 0);
        try {
            Magic.write(writer.out);
            writer.header(profile, library);
            writer.append();
            return writer;
        } catch (IOException | RuntimeException e) {
            try {
                file.close();
            } catch (IOException closing) {
                e.addSuppressed(closing);
            }
            throw e;
        }
    }

    /**
     * Continues a file that was cut.
     *
     * @param summary of what it has
     * @param position from which it is overwritten
     */
    static McapWriter resume(OutputFile file, Summary summary, long position) {
        McapWriter writer = new McapWriter(file, summary, position);
        writer.torn = true;
        return writer;
    }

    /** Writes the header of a file that was cut within it. */
    void writeHeader(String profile, String library) throws IOException {
        out.clear();
        header(profile, library);
        append();
    }

    private void header(String profile, String library) {
        int record = out.begin(Opcode.HEADER);
        out.text("profile", profile);
        out.text("library", library);
        out.end(record);
    }

    /** Appends the buffer to the file, all of it or nothing. */
    private void append() throws IOException {
        cut();
        torn = true;
        try {
            file.write(out.array(), 0, out.size());
            torn = false;
        } catch (IOException e) {
            try {
                cut();
            } catch (IOException cutting) {
                // The next call tries again.
                e.addSuppressed(cutting);
            }
            throw e;
        }
        position += out.size();
    }

    /** Removes what a failed write may have left. */
    private void cut() throws IOException {
        if (torn) {
            file.truncate(position);
            torn = false;
        }
    }

    private void begin() {
        if (closed) {
            throw new IllegalStateException("file is closed");
        }
        out.clear();
    }

    /**
     * Writes a schema.
     *
     * @param encoding of the data: "protobuf", "jsonschema", ...
     * @return its id, 1..65535
     * @throws McapException if a limit is reached: {@link McapLimits#MAX_SCHEMAS}
     * @throws IllegalArgumentException if a text is too long
     */
    public int addSchema(String name, String encoding, byte[] data) throws IOException {
        begin();
        int id = summary.schemas().size() + 1;
        Schema schema = new Schema(id, name, encoding, Bytes.of(data));
        schema.write(out);
        summary.checkSchema(out.size(), position);
        append();
        summary.add(schema, out.size(), position);
        return id;
    }

    /**
     * Writes a channel.
     *
     * @param schema id of its schema, 0 for none
     * @param messageEncoding "protobuf", "json", ...
     * @return its id, 0..65535
     * @throws McapException if a limit is reached: {@link McapLimits#MAX_CHANNELS}
     * @throws IllegalArgumentException if this file does not have the schema, or a text is too long
     */
    public int addChannel(
            int schema, String topic, String messageEncoding, Map<String, String> metadata)
            throws IOException {
        begin();
        if (schema != 0 && !summary.hasSchema(schema)) {
            throw new IllegalArgumentException(
                    "schema " + schema + " is not in this file: call addSchema first");
        }
        int id = summary.channels().size();
        Channel channel = new Channel(id, schema, topic, messageEncoding, metadata);
        channel.write(out);
        summary.checkChannel(out.size(), position);
        append();
        summary.add(channel, out.size(), position);
        return id;
    }

    /**
     * Writes texts about the file.
     *
     * @throws McapException if a limit is reached: {@link McapLimits#MAX_METADATA}
     * @throws IllegalArgumentException if a text is too long
     */
    public void addMetadata(String name, Map<String, String> values) throws IOException {
        begin();
        new Metadata(name, values).write(out);
        summary.checkMetadata(out.size(), position);
        long offset = position;
        append();
        summary.add(new MetadataIndex(offset, out.size(), name));
    }

    /**
     * Writes a file into the file.
     *
     * @param logTimeNanos at least 0
     * @throws McapException if a limit is reached: {@link McapLimits#MAX_ATTACHMENTS}
     * @throws IllegalArgumentException if it is larger than {@link
     *     McapLimits#MAX_ATTACHMENT_BYTES}, or a text is too long
     */
    public void addAttachment(String name, String mediaType, long logTimeNanos, byte[] data)
            throws IOException {
        begin();
        if (data.length > McapLimits.MAX_ATTACHMENT_BYTES) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT,
                            "attachment %s has %,d bytes, at most %,d are allowed",
                            name,
                            data.length,
                            McapLimits.MAX_ATTACHMENT_BYTES));
        }
        if (logTimeNanos < 0) {
            throw new IllegalArgumentException("log time is " + logTimeNanos + ", not positive");
        }
        summary.checkAttachment(position);
        int record = out.begin(Opcode.ATTACHMENT);
        out.u64(logTimeNanos);
        out.u64(logTimeNanos);
        out.text("name", name);
        out.text("media_type", mediaType);
        out.u64(data.length);
        out.bytes(data, 0, data.length);
        CRC32 crc = new CRC32();
        crc.update(out.array(), record, out.size() - record);
        out.u32((int) crc.getValue());
        out.end(record);
        long offset = position;
        append();
        summary.add(
                new AttachmentInfo(
                        name,
                        mediaType,
                        logTimeNanos,
                        logTimeNanos,
                        offset,
                        out.size(),
                        data.length));
    }

    /**
     * Compresses a chunk and writes it and its message indexes in one write; none if it is empty.
     * Numbers its messages: the sequence of a channel shows where a chunk was lost.
     *
     * @throws McapException if a limit is reached: {@link McapLimits#MAX_CHUNKS}
     * @throws IllegalArgumentException if this file does not have one of its channels
     */
    public void write(Chunk chunk) throws IOException {
        begin();
        if (chunk.isEmpty()) {
            return;
        }
        chunk.sortChannels();
        int channels = chunk.channelCount();
        summary.checkChunk(channels, position);
        for (int i = 0; i < channels; i++) {
            int channel = chunk.channel(i);
            if (!summary.hasChannel(channel)) {
                throw new IllegalArgumentException(
                        "channel " + channel + " is not in this file: call addChannel first");
            }
            chunk.number(i, summary.messages(channel));
        }
        appendChunk(compress(chunk), chunk);
    }

    /** Writes the message indexes of a chunk at the end of the file, which has none. */
    void writeIndexes(ChunkHead head, Chunk chunk) throws IOException {
        begin();
        chunk.sortChannels();
        appendChunk(head, chunk);
    }

    /** Adds the message indexes to the buffer and appends it. */
    private void appendChunk(ChunkHead head, Chunk chunk) throws IOException {
        int channels = chunk.channelCount();
        long indexes = position + out.size();
        char[] ids = new char[channels];
        long[] indexOffsets = new long[channels];
        for (int i = 0; i < channels; i++) {
            ids[i] = (char) chunk.channel(i);
            indexOffsets[i] = position + out.size();
            chunk.writeIndex(i, out);
        }
        append();
        summary.add(new ChunkIndex(head, ids, indexOffsets, position - indexes));
        for (int i = 0; i < channels; i++) {
            summary.count(ids[i], chunk.messages(i));
        }
    }

    /** Appends the chunk record to the buffer. */
    private ChunkHead compress(Chunk chunk) {
        RecordBuffer records = chunk.records();
        CRC32 crc = new CRC32();
        crc.update(records.array(), 0, records.size());
        int record = out.begin(Opcode.CHUNK);
        out.u64(chunk.startNanos());
        out.u64(chunk.endNanos());
        out.u64(records.size());
        out.u32((int) crc.getValue());
        int compressionAt = out.size();
        out.text("compression", ChunkHead.ZSTD);
        out.u64(0);
        int start = out.size();
        out.reserve(zstd.maxCompressedLength(records.size()));
        int compressed =
                zstd.compress(
                        records.array(),
                        0,
                        records.size(),
                        out.array(),
                        start,
                        out.array().length - start);
        String compression = ChunkHead.ZSTD;
        if (compressed < records.size()
                && (long) compressed * McapLimits.MAX_CHUNK_RATIO >= records.size()) {
            out.setU64(start - Long.BYTES, compressed);
            out.advance(compressed);
        } else {
            // It would be larger, or look like a bomb.
            compression = ChunkHead.NONE;
            compressed = records.size();
            out.cut(compressionAt);
            out.text("compression", compression);
            out.u64(compressed);
            out.bytes(records.array(), 0, compressed);
        }
        out.end(record);
        return new ChunkHead(
                chunk.startNanos(),
                chunk.endNanos(),
                position,
                out.size(),
                compression,
                compressed,
                records.size());
    }

    /** Size of the file up to the end of what was written whole. */
    public long position() {
        return position;
    }

    /** End of the last chunk, without its message indexes. */
    long chunkEnd() {
        ChunkIndex last = summary.chunks().getLast();
        return last.offset() + last.length();
    }

    /** Statistics of what was written. */
    public Statistics statistics() {
        return summary.statistics();
    }

    /**
     * Returns when the disk has what was written. May be called by another thread than that which
     * writes, but not during or after {@link #close}.
     */
    public void force() throws IOException {
        file.force();
    }

    /**
     * Writes the summary and closes the file. If that fails, the file is closed without a summary;
     * {@link McapRepair} can add one. A second call does nothing.
     */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        begin();
        closed = true;
        try (file) {
            summary.write(out, position);
            append();
            file.force();
        }
    }
}
