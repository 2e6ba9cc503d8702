package dev.wishdir.record.mcap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.record.mcap.McapFile.Message;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads what was written, by the summary and without it, in whole and in part. */
class McapReaderTest {
    @TempDir private Path folder;

    @Test
    void readsWhatWasWritten() throws IOException {
        for (int seed = 0; seed < 60; seed++) {
            McapFile file =
                    McapFile.write(
                            folder.resolve(seed + ".mcap"),
                            seed,
                            1 + seed % 7,
                            seed % 9,
                            1 + seed * 3);
            try (McapReader reader = McapReader.open(file.path)) {
                assertThat(reader.isComplete()).isTrue();
                assertThat(McapFile.readAll(reader)).isEqualTo(file.messages());
                assertDescribed(reader, file, 1 + seed % 7);
            }
            byte[] bytes = McapFile.bytes(file.path);
            Path cut = folder.resolve(seed + ".part");
            Files.write(cut, Arrays.copyOf(bytes, bytes.length - 1));
            try (McapReader reader = McapReader.open(cut)) {
                assertThat(reader.isComplete()).isFalse();
                assertThat(McapFile.readAll(reader)).isEqualTo(file.messages());
                assertDescribed(reader, file, 1 + seed % 7);
            }
        }
    }

    private static void assertDescribed(McapReader reader, McapFile file, int channels)
            throws IOException {
        assertThat(reader.schemas())
                .containsExactly(
                        new Schema(
                                1,
                                "test.Schema",
                                "protobuf",
                                Bytes.of(McapFile.bytes("a schema"))));
        assertThat(reader.channels()).hasSize(channels);
        assertThat(reader.channels().getLast())
                .isEqualTo(
                        new Channel(
                                channels - 1,
                                1,
                                "/topic" + (channels - 1),
                                "protobuf",
                                Map.of("number", "" + (channels - 1))));
        assertThat(reader.metadata())
                .containsExactly(new Metadata("about", Map.of("a", "1", "b", "2")));
        AttachmentInfo attachment = reader.attachments().getFirst();
        assertThat(attachment.name()).isEqualTo("arena.txt");
        assertThat(attachment.mediaType()).isEqualTo("text/plain");
        assertThat(reader.read(attachment)).isEqualTo(McapFile.bytes("blocks and blocks"));
        Statistics statistics = reader.statistics();
        Map<Integer, Long> counts = new TreeMap<>();
        file.messages().forEach(message -> counts.merge(message.channel(), 1L, Long::sum));
        assertThat(statistics.channelMessages()).isEqualTo(counts);
        assertThat(statistics.messages()).isEqualTo(file.messages().size());
        assertThat(statistics.chunks()).isEqualTo(file.chunks.size());
        assertThat(statistics.attachments()).isEqualTo(1);
        assertThat(statistics.metadata()).isEqualTo(1);
        if (!file.messages().isEmpty()) {
            assertThat(reader.startNanos()).isEqualTo(file.messages().getFirst().time());
            assertThat(reader.endNanos()).isEqualTo(file.messages().getLast().time());
        }
        assertThat(reader.damage()).allMatch(each -> each.offset() > file.lastEnd());
    }

    @Test
    void seeksAsALinearScanDoes() throws IOException {
        McapFile file = McapFile.write(folder.resolve("a.mcap"), 5, 6, 40, 30);
        Random random = new Random(6);
        try (McapReader reader = McapReader.open(file.path)) {
            for (int i = 0; i < 500; i++) {
                int span = (int) (reader.endNanos() - reader.startNanos()) + 4_000;
                long from = reader.startNanos() - 2_000 + random.nextInt(span);
                long to = from + random.nextInt(span / 3) - 1_000;
                Set<Integer> channels = new TreeSet<>();
                for (int channel = 0; channel < 6; channel++) {
                    if (random.nextBoolean()) {
                        channels.add(channel);
                    }
                }
                List<Message> expected =
                        file.messages().stream()
                                .filter(it -> it.time() >= from && it.time() <= to)
                                .filter(it -> channels.contains(it.channel()))
                                .toList();
                assertThat(McapFile.read(reader, from, to, channels)).isEqualTo(expected);
            }
        }
    }

    @Test
    void findsNewestMessageOfAChannel() throws IOException {
        McapFile file = McapFile.write(folder.resolve("a.mcap"), 7, 12, 60, 12);
        Random random = new Random(8);
        try (McapReader reader = McapReader.open(file.path)) {
            for (int i = 0; i < 500; i++) {
                int span = (int) (reader.endNanos() - reader.startNanos()) + 4_000;
                long at = reader.startNanos() - 2_000 + random.nextInt(span);
                int channel = random.nextInt(14);
                List<Message> before =
                        file.messages().stream()
                                .filter(it -> it.time() <= at && it.channel() == channel)
                                .toList();
                var cursor = reader.last(channel, at);
                List<Message> found = new ArrayList<>();
                if (cursor.isPresent()) {
                    found.add(McapFile.message(cursor.get()));
                    assertThat(cursor.get().next()).isFalse();
                }
                assertThat(found)
                        .isEqualTo(before.isEmpty() ? List.of() : List.of(before.getLast()));
            }
        }
    }

    /** Reads only chunks of the span that have the channel. */
    @Test
    void readsOnlyChunksAskedFor() throws IOException {
        Path path = folder.resolve("a.mcap");
        try (McapWriter writer = McapWriter.create(path, "", "")) {
            writer.addChannel(0, "/moves", "", Map.of());
            writer.addChannel(0, "/snapshot", "", Map.of());
            Chunk chunk = new Chunk();
            for (int second = 0; second < 100; second++) {
                chunk.clear();
                chunk.add(0, second * 1_000L, new byte[10], 0, 10);
                if (second % 5 == 0) {
                    chunk.add(1, second * 1_000L + 500, new byte[10], 0, 10);
                }
                writer.write(chunk);
            }
        }
        try (McapReader reader = McapReader.open(path)) {
            assertThat(reader.reads()).isEqualTo(3);
            assertThat(McapFile.read(reader, 20_000, 22_999, Set.of(0))).hasSize(3);
            assertThat(reader.reads()).isEqualTo(6);
            assertThat(McapFile.read(reader, 0, Long.MAX_VALUE, Set.of(1))).hasSize(20);
            assertThat(reader.reads()).isEqualTo(26);
            MessageCursor last = reader.last(1, 54_321).orElseThrow();
            assertThat(last.logTimeNanos()).isEqualTo(50_500);
            assertThat(reader.reads()).isEqualTo(27);
            // The chunk that begins at the time has a snapshot, but after it.
            assertThat(reader.last(1, 50_200).orElseThrow().logTimeNanos()).isEqualTo(45_500);
            assertThat(reader.reads()).isEqualTo(29);
        }
    }

    @Test
    void followsAFileThatGrows() throws IOException {
        Path path = folder.resolve("a.mcap");
        McapFile file = McapFile.write(folder.resolve("whole.mcap"), 9, 3, 12, 20);
        byte[] bytes = McapFile.bytes(file.path);
        Random random = new Random(10);
        for (int round = 0; round < 30; round++) {
            int size = 8 + random.nextInt(400);
            Files.write(path, Arrays.copyOf(bytes, size));
            try (McapReader reader = McapReader.open(path)) {
                while (size < bytes.length) {
                    int more = Math.min(1 + random.nextInt(1_000), bytes.length - size);
                    Files.write(
                            path,
                            Arrays.copyOfRange(bytes, size, size + more),
                            StandardOpenOption.APPEND);
                    size += more;
                    long before = reader.statistics().messages();
                    boolean changed = reader.refresh();
                    List<Message> whole = file.messagesTo(size);
                    assertThat(McapFile.readAll(reader)).as("at %s", size).isEqualTo(whole);
                    assertThat(reader.statistics().messages()).isEqualTo(whole.size());
                    if (whole.size() > before) {
                        assertThat(changed).isTrue();
                    }
                    assertThat(reader.isComplete()).isEqualTo(size == bytes.length);
                    assertThat(reader.refresh()).isFalse();
                }
                assertDescribed(reader, file, 3);
                assertThat(reader.damage()).isEmpty();
            }
        }
    }

    /** A refresh reads what is new, not the file. */
    @Test
    void refreshesWithoutRescan() throws IOException {
        Path path = folder.resolve("a.mcap");
        try (McapWriter writer = McapWriter.create(path, "", "")) {
            writer.addChannel(0, "/t", "", Map.of());
            Chunk chunk = new Chunk();
            try (McapReader reader = McapReader.open(path)) {
                for (int i = 0; i < 300; i++) {
                    chunk.clear();
                    chunk.add(0, i, new byte[100], 0, 100);
                    writer.write(chunk);
                    long before = reader.reads();
                    assertThat(reader.refresh()).isTrue();
                    assertThat(reader.reads() - before).isLessThanOrEqualTo(2);
                    assertThat(reader.endNanos()).isEqualTo(i);
                    assertThat(McapFile.read(reader, i, i, Set.of(0))).hasSize(1);
                }
                assertThat(reader.refresh()).isFalse();
            }
        }
    }

    /** A writer that fails cuts off what it began; other bytes may follow in its place. */
    @Test
    void followsAFileThatIsCutBack() throws IOException {
        McapFile file = McapFile.write(folder.resolve("whole.mcap"), 11, 3, 8, 20);
        byte[] bytes = McapFile.bytes(file.path);
        Path path = folder.resolve("a.mcap");
        int stands = (int) file.places.get(4)[2];
        // The sixth chunk is whole, its message indexes are not.
        Files.write(path, Arrays.copyOf(bytes, (int) file.places.get(5)[1] + 10));
        try (McapReader reader = McapReader.open(path)) {
            assertThat(McapFile.readAll(reader))
                    .hasSize(file.messagesTo(stands).size() + file.chunks.get(5).size());
            Files.write(path, Arrays.copyOf(bytes, stands));
            assertThat(reader.refresh()).isTrue();
            assertThat(McapFile.readAll(reader)).isEqualTo(file.messagesTo(stands));
            assertThat(reader.endNanos()).isEqualTo(file.messagesTo(stands).getLast().time());
            Files.write(path, bytes);
            assertThat(reader.refresh()).isTrue();
            assertThat(McapFile.readAll(reader)).isEqualTo(file.messages());
            // Another file in its place: all of it is read again.
            Files.write(path, Arrays.copyOf(bytes, (int) file.places.get(1)[2]));
        }
        try (McapReader reader = McapReader.open(path)) {
            Files.write(path, Arrays.copyOf(bytes, (int) file.places.get(0)[2]));
            reader.refresh();
            assertThat(McapFile.readAll(reader)).isEqualTo(file.chunks.getFirst());
        }
    }

    @Test
    void throwsWithoutMessage() throws IOException {
        McapFile file = McapFile.write(folder.resolve("a.mcap"), 1, 1, 1, 1);
        try (McapReader reader = McapReader.open(file.path)) {
            MessageCursor cursor = reader.messages(0, Long.MAX_VALUE, Set.of(0));
            assertThatThrownBy(cursor::channel).isInstanceOf(IllegalStateException.class);
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.next()).isFalse();
            assertThatThrownBy(cursor::length).isInstanceOf(IllegalStateException.class);
            assertThat(cursor.next()).isFalse();
        }
    }
}
