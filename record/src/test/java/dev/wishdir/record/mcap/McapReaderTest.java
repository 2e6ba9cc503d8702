package dev.wishdir.record.mcap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.record.mcap.McapFile.Message;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
            Files.write(cut, java.util.Arrays.copyOf(bytes, bytes.length - 1));
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
}
