package dev.wishdir.record.mcap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.zip.CRC32;

/** A file put together record by record, as our writer never would. */
final class RawFile {
    private final RecordBuffer out = new RecordBuffer();

    RawFile() {
        Magic.write(out);
        record(
                Opcode.HEADER,
                content -> {
                    content.text("", "");
                    content.text("", "");
                });
    }

    static byte[] record(Consumer<RecordBuffer> content) {
        RecordBuffer buffer = new RecordBuffer();
        content.accept(buffer);
        return Arrays.copyOf(buffer.array(), buffer.size());
    }

    /** Appends a record. */
    RawFile record(int opcode, Consumer<RecordBuffer> content) {
        int record = out.begin(opcode);
        content.accept(out);
        out.end(record);
        return this;
    }

    /** Appends a record whose length is not that of its content. */
    RawFile lyingRecord(int opcode, long length, Consumer<RecordBuffer> content) {
        out.u8(opcode);
        out.u64(length);
        content.accept(out);
        return this;
    }

    RawFile channel(int id, String topic) {
        return record(Opcode.CHANNEL, content -> channel(content, id, topic));
    }

    private static void channel(RecordBuffer content, int id, String topic) {
        content.u16(id);
        content.u16(0);
        content.text("", topic);
        content.text("", "");
        content.u32(0);
    }

    /** A message as a record in a chunk. */
    static Consumer<RecordBuffer> message(int channel, int sequence, long time, String data) {
        return content -> {
            int record = content.begin(Opcode.MESSAGE);
            content.u16(channel);
            content.u32(sequence);
            content.u64(time);
            content.u64(time);
            content.bytes(McapFile.bytes(data), 0, data.length());
            content.end(record);
        };
    }

    /** A channel as a record in a chunk. */
    static Consumer<RecordBuffer> channelInChunk(int id, String topic) {
        return content -> {
            int record = content.begin(Opcode.CHANNEL);
            channel(content, id, topic);
            content.end(record);
        };
    }

    /** Appends an uncompressed chunk without message indexes. */
    @SafeVarargs
    final RawFile chunk(long start, long end, Consumer<RecordBuffer>... records) {
        byte[] content =
                record(buffer -> {
                    for (Consumer<RecordBuffer> each : records) {
                        each.accept(buffer);
                    }
                });
        return chunk(start, end, "", content.length, crc(content), content);
    }

    static int crc(byte[] content) {
        CRC32 crc = new CRC32();
        crc.update(content);
        return (int) crc.getValue();
    }

    RawFile chunk(
            long start, long end, String compression, long uncompressed, int crc, byte[] content) {
        return record(
                Opcode.CHUNK,
                buffer -> {
                    buffer.u64(start);
                    buffer.u64(end);
                    buffer.u64(uncompressed);
                    buffer.u32(crc);
                    buffer.text("", compression);
                    buffer.u64(content.length);
                    buffer.bytes(content, 0, content.length);
                });
    }

    RawFile bytes(byte[] data) {
        out.bytes(data, 0, data.length);
        return this;
    }

    int size() {
        return out.size();
    }

    byte[] bytes() {
        return Arrays.copyOf(out.array(), out.size());
    }

    Path save(Path path) throws IOException {
        return Files.write(path, bytes());
    }
}
