package dev.wishdir.record.mcap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.record.mcap.McapFile.Message;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The bytes of a file, and files on disks that fail or fill. */
@Tag("slow")
class McapWriterTest {
    /** A file by the specification, record by record; its CRCs are by Python's zlib. */
    private static final String FILE =
            String.join(
                    "",
                    // magic
                    "894d434150300d0a",
                    // header
                    "010c000000000000000100000070030000006c6962",
                    // schema
                    "03150000000000000001000100000053040000006a736f6e020000007b7d",
                    // channel
                    "04200000000000000000000100020000002f74040000006a736f6e0a000000010000006b",
                    "0100000076",
                    // metadata
                    "0c1300000000000000010000006d0a00000001000000610100000062",
                    // chunk
                    "064a00000000000000010203040506070801020304050607082200000000000000488fad",
                    "d00000000022000000000000000519000000000000000000000000000102030405060708",
                    "0102030405060708616263",
                    // message index
                    "07160000000000000000001000000001020304050607080000000000000000",
                    // data end
                    "0f040000000000000000000000",
                    // schema
                    "03150000000000000001000100000053040000006a736f6e020000007b7d",
                    // channel
                    "04200000000000000000000100020000002f74040000006a736f6e0a000000010000006b",
                    "0100000076",
                    // statistics
                    "0b3800000000000000010000000000000001000100000000000000010000000100000001",
                    "0203040506070801020304050607080a00000000000100000000000000",
                    // chunk index
                    "084a00000000000000010203040506070801020304050607088000000000000000530000",
                    "00000000000a0000000000d3000000000000001f00000000000000000000002200000000",
                    "0000002200000000000000",
                    // metadata index
                    "0d150000000000000064000000000000001c00000000000000010000006d",
                    // summary offset
                    "0e110000000000000003ff000000000000001e00000000000000",
                    // summary offset
                    "0e1100000000000000041d010000000000002900000000000000",
                    // summary offset
                    "0e11000000000000000b46010000000000004100000000000000",
                    // summary offset
                    "0e11000000000000000887010000000000005300000000000000",
                    // summary offset
                    "0e11000000000000000dda010000000000001e00000000000000",
                    // footer
                    "021400000000000000ff00000000000000f801000000000000e68d8e6c",
                    // magic
                    "894d434150300d0a");

    /** Of the message in it, which no compression makes shorter. */
    private static final long TIME = 0x0807060504030201L;

    @TempDir private Path folder;

    @Test
    void writesWhatTheSpecificationSays() throws IOException {
        Path path = folder.resolve("a.mcap");
        try (McapWriter writer = McapWriter.create(path, "p", "lib")) {
            int schema = writer.addSchema("S", "json", McapFile.bytes("{}"));
            int channel = writer.addChannel(schema, "/t", "json", Map.of("k", "v"));
            writer.addMetadata("m", Map.of("a", "b"));
            Chunk chunk = new Chunk();
            chunk.add(channel, TIME, McapFile.bytes("abc"), 0, 3);
            writer.write(chunk);
        }
        assertThat(HexFormat.of().formatHex(Files.readAllBytes(path))).isEqualTo(FILE);
    }

    @Test
    void readsWhatTheSpecificationSays() throws IOException {
        Path path = folder.resolve("a.mcap");
        Files.write(path, HexFormat.of().parseHex(FILE));
        try (McapReader reader = McapReader.open(path)) {
            assertThat(reader.isComplete()).isTrue();
            assertThat(McapFile.readAll(reader)).containsExactly(new Message(0, 0, TIME, "616263"));
            assertThat(reader.channels())
                    .containsExactly(new Channel(0, 1, "/t", "json", Map.of("k", "v")));
        }
    }

    @Test
    void neverOverwrites() throws IOException {
        Path path = folder.resolve("a.mcap");
        Files.writeString(path, "kept");
        assertThatThrownBy(() -> McapWriter.create(path, "", ""))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(path).hasContent("kept");
    }

    @Test
    void letsOnlyOwnerAndGroupRead() throws IOException {
        Path path = folder.resolve("a.mcap");
        McapWriter.create(path, "", "").close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .matches("rw-[r-]-----");
    }

    @Test
    void refusesWhatTheFileDoesNotHave() throws IOException {
        Path path = folder.resolve("a.mcap");
        try (McapWriter writer = McapWriter.create(path, "", "")) {
            assertThatThrownBy(() -> writer.addChannel(1, "/t", "json", Map.of()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("schema 1 is not in this file: call addSchema first");
            Chunk chunk = new Chunk();
            chunk.add(3, 5, new byte[1], 0, 1);
            long before = writer.position();
            assertThatThrownBy(() -> writer.write(chunk))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("channel 3 is not in this file: call addChannel first");
            assertThat(writer.position()).isEqualTo(before);
        }
        assertThat(McapFile.readAll(path)).isEmpty();
    }

    @Test
    void refusesWhatReadersWould() throws IOException {
        try (McapWriter writer = McapWriter.create(folder.resolve("a.mcap"), "", "")) {
            String text = "a".repeat(McapLimits.MAX_TEXT_BYTES + 1);
            assertThatThrownBy(() -> writer.addMetadata(text, Map.of()))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> writer.addSchema(text, "", new byte[0]))
                    .isInstanceOf(IllegalArgumentException.class);
            byte[] large = new byte[McapLimits.MAX_DEFINITION_BYTES];
            assertThatThrownBy(() -> writer.addSchema("s", "", large))
                    .isInstanceOf(McapException.class)
                    .extracting(e -> ((McapException) e).reason())
                    .isEqualTo(McapException.Reason.LIMIT);
            for (int i = 0; i < McapLimits.MAX_METADATA; i++) {
                writer.addMetadata("" + i, Map.of());
            }
            assertThatThrownBy(() -> writer.addMetadata("one more", Map.of()))
                    .isInstanceOf(McapException.class);
        }
        try (McapReader reader = McapReader.open(folder.resolve("a.mcap"))) {
            assertThat(reader.isComplete()).isTrue();
            assertThat(reader.metadata()).hasSize(McapLimits.MAX_METADATA);
        }
    }

    @Test
    void refusesMoreThanAChunkHolds() {
        Chunk chunk = new Chunk();
        byte[] data = new byte[(4 << 20) - Chunk.MESSAGE_HEAD_BYTES];
        for (int i = 0; i < 4; i++) {
            chunk.add(0, i, data, 0, data.length);
        }
        assertThat(chunk.size()).isEqualTo(McapLimits.MAX_CHUNK_BYTES);
        assertThatThrownBy(() -> chunk.add(0, 9, data, 0, 0))
                .isInstanceOf(IllegalStateException.class);
        chunk.clear();
        assertThat(chunk.isEmpty()).isTrue();
        assertThat(chunk.size()).isZero();
        assertThatThrownBy(() -> chunk.add(0, -1, data, 0, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> chunk.add(65_536, 1, data, 0, 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    /** Zeros compress a thousand times, which a reader would take for a bomb. */
    @Test
    void storesWhatWouldLookLikeABomb() throws IOException {
        Path path = folder.resolve("a.mcap");
        try (McapWriter writer = McapWriter.create(path, "", "")) {
            int channel = writer.addChannel(0, "/t", "", Map.of());
            Chunk chunk = new Chunk();
            chunk.add(channel, 1, new byte[1 << 20], 0, 1 << 20);
            writer.write(chunk);
        }
        try (McapReader reader = McapReader.open(path)) {
            assertThat(reader.chunks().getFirst().compression()).isEmpty();
            assertThat(McapFile.readAll(reader)).hasSize(1);
            assertThat(reader.damage()).isEmpty();
        }
    }

    /** What a writer did, as far as it succeeded. */
    private static final class Attempt {
        private final List<Message> messages = new ArrayList<>();
        private int schemas;
        private int channels;
        private int metadata;
        private int attachments;
        private boolean closed;
    }

    /** Writes some of everything, and goes on after each failure. */
    private static Attempt attempt(FaultyFile file, boolean repeat) {
        Attempt done = new Attempt();
        McapWriter writer;
        try {
            writer = McapWriter.start(file, "", "test");
        } catch (IOException e) {
            return done;
        }
        Random random = new Random(1);
        Chunk chunk = new Chunk();
        int[] sequences = new int[2];
        for (int i = 0; i < 30; i++) {
            chunk.clear();
            List<Message> messages = new ArrayList<>();
            try {
                switch (i) {
                    case 0 -> {
                        writer.addSchema("S", "json", McapFile.bytes("{}"));
                        done.schemas++;
                    }
                    case 1, 15 -> {
                        writer.addChannel(0, "/t" + i, "json", Map.of());
                        done.channels++;
                    }
                    case 2, 10 -> {
                        writer.addMetadata("m" + i, Map.of("a", "b"));
                        done.metadata++;
                    }
                    case 3, 20 -> {
                        writer.addAttachment("a" + i, "text/plain", 1, new byte[100]);
                        done.attachments++;
                    }
                    default -> {
                        for (int k = 0; k < 20 && done.channels > 0; k++) {
                            int channel = k % done.channels;
                            byte[] data = new byte[20];
                            random.nextBytes(data);
                            chunk.add(channel, i, data, 0, data.length);
                            messages.add(
                                    new Message(
                                            channel,
                                            sequences[channel] + k / done.channels,
                                            i,
                                            HexFormat.of().formatHex(data)));
                        }
                        writer.write(chunk);
                    }
                }
            } catch (IOException e) {
                if (repeat && !chunk.isEmpty()) {
                    try {
                        writer.write(chunk);
                    } catch (IOException again) {
                        messages.clear();
                    }
                } else {
                    messages.clear();
                }
            }
            messages.forEach(it -> sequences[it.channel()]++);
            done.messages.addAll(messages);
        }
        try {
            writer.close();
            done.closed = true;
        } catch (IOException e) {
            // The file has no summary.
        }
        assertThat(file.isClosed()).isTrue();
        return done;
    }

    private void assertHas(FaultyFile file, Attempt done) throws IOException {
        Path path = folder.resolve("faulty.mcap");
        file.save(path);
        try (McapReader reader = McapReader.open(path)) {
            assertThat(reader.isComplete()).isEqualTo(done.closed);
            assertThat(reader.damage()).isEmpty();
            assertThat(McapFile.readAll(reader)).isEqualTo(done.messages);
            Statistics statistics = reader.statistics();
            assertThat(statistics.messages()).isEqualTo(done.messages.size());
            assertThat(statistics.schemas()).isEqualTo(done.schemas);
            assertThat(statistics.channels()).isEqualTo(done.channels);
            assertThat(statistics.metadata()).isEqualTo(done.metadata);
            assertThat(statistics.attachments()).isEqualTo(done.attachments);
            for (AttachmentInfo each : reader.attachments()) {
                assertThat(reader.read(each)).hasSize(100);
            }
            assertThat(reader.damage()).isEmpty();
        }
    }

    @Test
    void keepsExactlyWhatSucceeded() throws IOException {
        FaultyFile sound = new FaultyFile();
        assertThat(attempt(sound, false).closed).isTrue();
        int writes = sound.writes();
        assertThat(writes).isGreaterThan(30);
        for (int write = 1; write < writes; write++) {
            for (int part : new int[] {0, 1, 9, 30, 300, Integer.MAX_VALUE}) {
                for (int failures = 1; failures < 3; failures++) {
                    FaultyFile file = new FaultyFile();
                    file.failAt(write, failures, part);
                    assertHas(file, attempt(file, part % 2 == 0));
                }
            }
        }
    }

    @Test
    void failsToStartOnAFailingDisk() {
        FaultyFile file = new FaultyFile();
        file.failAt(0, 1, 4);
        attempt(file, false);
        assertThat(file.isClosed()).isTrue();
        assertThat(file.content()).isEmpty();
    }

    /** The rest of a failed write is cut off before anything else is written. */
    @Test
    void cutsLaterWhereCuttingFails() throws IOException {
        FaultyFile file = new FaultyFile();
        McapWriter writer = McapWriter.start(file, "", "");
        writer.addChannel(0, "/t", "", Map.of());
        long stands = writer.position();
        file.failAt(2, 1, 20);
        file.failCuts(true);
        Chunk chunk = new Chunk();
        chunk.add(0, 1, new byte[50], 0, 50);
        assertThatThrownBy(() -> writer.write(chunk))
                .hasMessage("input/output error")
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
        assertThat(writer.position()).isEqualTo(stands);
        assertThat(file.content()).hasSize((int) stands + 20);
        assertThatThrownBy(() -> writer.write(chunk)).hasMessage("can't be cut");
        assertThat(file.content()).hasSize((int) stands + 20);
        file.failCuts(false);
        writer.write(chunk);
        writer.close();
        Path path = folder.resolve("a.mcap");
        file.save(path);
        try (McapReader reader = McapReader.open(path)) {
            assertThat(reader.isComplete()).isTrue();
            assertThat(McapFile.readAll(reader)).hasSize(1);
        }
    }

    @Test
    @DisplayName("M4 a full disk keeps what fits")
    void keepsWhatFitsOnAFullDisk() throws IOException {
        FaultyFile sound = new FaultyFile();
        attempt(sound, false);
        int size = sound.content().length;
        int closed = 0;
        for (int capacity = 40; capacity < size + 5; capacity += 61) {
            FaultyFile file = new FaultyFile();
            file.capacity(capacity);
            Attempt done = attempt(file, true);
            closed += done.closed ? 1 : 0;
            assertHas(file, done);
        }
        // A summary fits where a chunk did not.
        assertThat(closed).isGreaterThan(1);
    }
}
