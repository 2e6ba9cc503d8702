package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.record.mcap.Chunk;
import dev.wishdir.record.mcap.ChunkIndex;
import dev.wishdir.record.mcap.McapReader;
import dev.wishdir.record.mcap.McapRepair;
import dev.wishdir.record.mcap.McapWriter;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The reader of those who made MCAP, {@code @mcap/core}, reads what we write and repair. */
@Timeout(600)
class McapPeerIT {
    private static final int CHANNELS = 5;
    private static final int CHUNKS = 20;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private record Message(String topic, int sequence, long time, String data) {}

    @RegisterExtension
    private final Npm npm =
            new Npm(
                    Path.of("target/mcap-peers").toAbsolutePath(),
                    Path.of("src/test/peers/mcap"),
                    "@mcap/core",
                    "fzstd");

    @TempDir private Path folder;

    /** The messages of each chunk. */
    private final List<List<Message>> chunks = new ArrayList<>();

    private Path write() throws IOException {
        Path path = folder.resolve("a.mcap");
        Random random = new Random(1);
        int[] sequences = new int[CHANNELS];
        long time = 1_764_000_000_000_000_000L;
        try (McapWriter writer = McapWriter.create(path, "", "wishdir")) {
            int schema = writer.addSchema("wishdir.v1.Moves", "protobuf", new byte[] {1, 2, 3});
            for (int i = 0; i < CHANNELS; i++) {
                writer.addChannel(schema, "/topic" + i, "protobuf", Map.of("number", "" + i));
            }
            writer.addMetadata("wishdir", Map.of("arena", "boxarena"));
            writer.addAttachment(
                    "arena.txt", "text/plain", time, "blocks".getBytes(StandardCharsets.UTF_8));
            Chunk chunk = new Chunk();
            for (int i = 0; i < CHUNKS; i++) {
                chunk.clear();
                List<Message> messages = new ArrayList<>();
                for (int k = 0; k < 40; k++) {
                    time += random.nextInt(1_000_000_000);
                    int channel = random.nextInt(CHANNELS);
                    // Every other chunk hardly compresses.
                    byte[] data = new byte[random.nextInt(200)];
                    if (i % 2 == 0) {
                        random.nextBytes(data);
                    }
                    chunk.add(channel, time, data, 0, data.length);
                    messages.add(
                            new Message(
                                    "/topic" + channel,
                                    sequences[channel]++,
                                    time,
                                    Base64.getEncoder().encodeToString(data)));
                }
                writer.write(chunk);
                chunks.add(messages);
            }
        }
        return path;
    }

    private List<Message> expected(int count) {
        return chunks.subList(0, count).stream().flatMap(List::stream).toList();
    }

    /** What the peer prints. */
    private List<JsonObject> read(String how, Path path) throws Exception {
        Peer peer = npm.node("read.mjs", how, path.toString());
        int status = peer.awaitExit(LIMIT);
        assertThat(status).as(String.join("\n", peer.lines())).isZero();
        return peer.lines().stream()
                .map(each -> JsonParser.parseString(each).getAsJsonObject())
                .toList();
    }

    private static List<Message> messages(List<JsonObject> lines) {
        return lines.stream()
                .filter(line -> line.has("topic"))
                .map(line ->
                        new Message(
                                line.get("topic").getAsString(),
                                line.get("sequence").getAsInt(),
                                Long.parseLong(line.get("logTime").getAsString()),
                                line.get("data").getAsString()))
                .toList();
    }

    private static void assertCounts(List<JsonObject> lines, int messages, int chunks) {
        JsonObject counts = lines.getLast().getAsJsonObject("statistics");
        assertThat(counts.get("messages").getAsInt()).isEqualTo(messages);
        assertThat(counts.get("chunks").getAsInt()).isEqualTo(chunks);
        assertThat(counts.get("schemas").getAsInt()).isEqualTo(1);
        assertThat(counts.get("channels").getAsInt()).isEqualTo(CHANNELS);
        assertThat(counts.get("attachments").getAsInt()).isEqualTo(1);
        assertThat(counts.get("metadata").getAsInt()).isEqualTo(1);
    }

    @Test
    void readsOurFilesByIndex() throws Exception {
        Path path = write();
        List<JsonObject> lines = read("indexed", path);
        assertThat(messages(lines)).isEqualTo(expected(CHUNKS));
        assertCounts(lines, expected(CHUNKS).size(), CHUNKS);
        assertThat(lines.getLast().get("start").getAsString())
                .isEqualTo("" + expected(CHUNKS).getFirst().time());
        assertThat(lines.getLast().get("end").getAsString())
                .isEqualTo("" + expected(CHUNKS).getLast().time());
        JsonObject attachment = lines.get(lines.size() - 3);
        assertThat(attachment.get("attachment").getAsString()).isEqualTo("arena.txt");
        assertThat(Base64.getDecoder().decode(attachment.get("data").getAsString()))
                .asString()
                .isEqualTo("blocks");
        JsonObject metadata = lines.get(lines.size() - 2);
        assertThat(metadata.get("metadata").getAsString()).isEqualTo("wishdir");
        assertThat(metadata.getAsJsonObject("values").get("arena").getAsString())
                .isEqualTo("boxarena");
    }

    @Test
    void readsOurFilesAsAStream() throws Exception {
        List<JsonObject> lines = read("stream", write());
        assertThat(messages(lines)).isEqualTo(expected(CHUNKS));
        assertCounts(lines, expected(CHUNKS).size(), CHUNKS);
        assertThat(lines.getLast().get("done").getAsBoolean()).isTrue();
    }

    @Test
    void readsRepairedFilesByIndex() throws Exception {
        Path path = write();
        byte[] bytes = Files.readAllBytes(path);
        List<ChunkIndex> indexes;
        try (McapReader reader = McapReader.open(path)) {
            indexes = reader.chunks();
        }
        ChunkIndex last = indexes.get(12);
        // Within a chunk; within the message indexes behind it; in the summary.
        List<Long> cuts =
                List.of(
                        last.offset() + last.length() - 5,
                        last.offset() + last.length() + 5,
                        bytes.length - 20L);
        List<Integer> whole = List.of(12, 13, CHUNKS);
        for (int i = 0; i < cuts.size(); i++) {
            Files.write(path, Arrays.copyOf(bytes, Math.toIntExact(cuts.get(i))));
            if (i < 2) {
                assertThat(messages(read("stream", path))).isEqualTo(expected(whole.get(i)));
            }
            McapRepair.repair(path);
            List<JsonObject> lines = read("indexed", path);
            assertThat(messages(lines)).isEqualTo(expected(whole.get(i)));
            assertCounts(lines, expected(whole.get(i)).size(), whole.get(i));
        }
    }

    /** The peer does look at the CRCs: it finds a flipped bit in what is not compressed. */
    @Test
    void findsAFlippedBit() throws Exception {
        Path path = folder.resolve("a.mcap");
        try (McapWriter writer = McapWriter.create(path, "", "wishdir")) {
            int channel = writer.addChannel(0, "/topic", "", Map.of());
            Chunk chunk = new Chunk();
            // Stored as it is: a reader would take so many zeros, compressed, for a bomb.
            chunk.add(channel, 1, new byte[1 << 20], 0, 1 << 20);
            writer.write(chunk);
        }
        try (McapReader reader = McapReader.open(path)) {
            ChunkIndex stored = reader.chunks().getFirst();
            assertThat(stored.compression()).isEmpty();
            byte[] bytes = Files.readAllBytes(path);
            bytes[Math.toIntExact(stored.offset() + stored.length() - 1)] ^= 1;
            Files.write(path, bytes);
        }
        for (String how : List.of("indexed", "stream")) {
            Peer peer = npm.node("read.mjs", how, path.toString());
            assertThat(peer.awaitExit(LIMIT)).isEqualTo(1);
            assertThat(String.join("\n", peer.lines())).containsIgnoringCase("crc");
        }
    }
}
