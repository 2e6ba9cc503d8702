package dev.wishdir.record.mcap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** A file of random messages, and what must be read from it. */
final class McapFile {
    /** A message as it was written, or read. */
    record Message(int channel, int sequence, long time, String data) {}

    final Path path;
    final List<List<Message>> chunks = new ArrayList<>();

    /** Where each chunk starts, and its indexes end. */
    final List<long[]> places = new ArrayList<>();

    private McapFile(Path path) {
        this.path = path;
    }

    /** Writes a file with what all kinds of records need. */
    static McapFile write(Path path, long seed, int channels, int chunks, int messages)
            throws IOException {
        try (McapWriter writer = McapWriter.create(path, "", "test")) {
            return fill(path, writer, seed, channels, chunks, messages);
        }
    }

    static McapFile fill(
            Path path, McapWriter writer, long seed, int channels, int chunks, int messages)
            throws IOException {
        Random random = new Random(seed);
        McapFile file = new McapFile(path);
        int schema = writer.addSchema("test.Schema", "protobuf", bytes("a schema"));
        for (int i = 0; i < channels; i++) {
            writer.addChannel(schema, "/topic" + i, "protobuf", Map.of("number", "" + i));
        }
        writer.addMetadata("about", Map.of("a", "1", "b", "2"));
        writer.addAttachment("arena.txt", "text/plain", 1, bytes("blocks and blocks"));
        long time = 1_000_000;
        int[] sequences = new int[channels];
        Chunk chunk = new Chunk();
        for (int i = 0; i < chunks; i++) {
            List<Message> expected = new ArrayList<>();
            int count = 1 + random.nextInt(messages);
            for (int k = 0; k < count; k++) {
                time += random.nextInt(3) * 1_000L;
                expected.add(add(chunk, random.nextInt(channels), time, random, sequences));
            }
            long start = writer.position();
            writer.write(chunk);
            file.places.add(new long[] {start, writer.position()});
            file.chunks.add(expected);
            chunk.clear();
        }
        return file;
    }

    private static Message add(
            Chunk chunk, int channel, long time, Random random, int[] sequences) {
        byte[] data = new byte[random.nextInt(200)];
        for (int i = 0; i < data.length; i++) {
            data[i] = (byte) (random.nextInt(100) < 80 ? i : random.nextInt());
        }
        byte[] around = new byte[data.length + 10];
        System.arraycopy(data, 0, around, 5, data.length);
        chunk.add(channel, time, around, 5, data.length);
        return new Message(channel, sequences[channel]++, time, HexFormat.of().formatHex(data));
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** All messages, as a reader must give them. */
    List<Message> messages() {
        return chunks.stream().flatMap(List::stream).toList();
    }

    /** Where the last chunk ends. */
    long lastEnd() {
        return places.isEmpty() ? 0 : places.getLast()[1];
    }

    /** The messages of the chunks that end up to a place of the file. */
    List<Message> messagesTo(long size) {
        List<Message> whole = new ArrayList<>();
        for (int i = 0; i < chunks.size(); i++) {
            if (places.get(i)[1] <= size) {
                whole.addAll(chunks.get(i));
            }
        }
        return whole;
    }

    static List<Message> readAll(McapReader reader) throws IOException {
        return read(reader, 0, Long.MAX_VALUE, all(reader));
    }

    static Set<Integer> all(McapReader reader) {
        Set<Integer> ids = new TreeSet<>();
        reader.channels().forEach(channel -> ids.add(channel.id()));
        return ids;
    }

    static List<Message> read(McapReader reader, long from, long to, Set<Integer> channels)
            throws IOException {
        List<Message> messages = new ArrayList<>();
        MessageCursor cursor = reader.messages(from, to, channels);
        while (cursor.next()) {
            messages.add(message(cursor));
        }
        return messages;
    }

    static Message message(MessageCursor cursor) {
        String data =
                HexFormat.of()
                        .formatHex(
                                cursor.buffer(),
                                cursor.offset(),
                                cursor.offset() + cursor.length());
        return new Message(cursor.channel(), cursor.sequence(), cursor.logTimeNanos(), data);
    }

    static List<Message> sorted(List<Message> messages) {
        return messages.stream().sorted(Comparator.comparingLong(Message::time)).toList();
    }

    static List<Message> readAll(Path path) throws IOException {
        try (McapReader reader = McapReader.open(path)) {
            return readAll(reader);
        }
    }

    static byte[] bytes(Path path) throws IOException {
        return Files.readAllBytes(path);
    }
}
