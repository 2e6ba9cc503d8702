package dev.wishdir.record.mcap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.record.mcap.McapException.Reason;
import dev.wishdir.record.mcap.McapFile.Message;

import io.airlift.compress.v3.zstd.ZstdJavaCompressor;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Files made to harm, and foreign ones that differ from ours. */
@Timeout(120)
@Tag("slow")
class McapHostileInputTest {
    @TempDir private Path folder;

    private McapReader open(RawFile file) throws IOException {
        return McapReader.open(file.save(folder.resolve("a.mcap")));
    }

    private static byte[] zstd(byte[] data) {
        ZstdJavaCompressor zstd = new ZstdJavaCompressor();
        byte[] packed = new byte[zstd.maxCompressedLength(data.length)];
        int length = zstd.compress(data, 0, data.length, packed, 0, packed.length);
        return Arrays.copyOf(packed, length);
    }

    private static RawFile file() {
        return new RawFile().channel(0, "/t");
    }

    private static final Message GOOD = new Message(0, 0, 5, "676f6f64");

    private static RawFile withGood(RawFile file) {
        return file.chunk(5, 5, RawFile.message(0, 0, 5, "good"));
    }

    /** The message of the good chunk behind is read, what is before it is reported. */
    private void assertSkips(RawFile file, Reason reason) throws IOException {
        try (McapReader reader = open(withGood(file))) {
            assertThat(McapFile.readAll(reader)).containsExactly(GOOD);
            assertThat(reader.damage()).isNotEmpty().allMatch(each -> each.reason() == reason);
        }
    }

    @Test
    @DisplayName("M1 a chunk that would decompress to far more is skipped")
    void skipsBombs() throws IOException {
        byte[] zeros = zstd(new byte[15 << 20]);
        assertThat(zeros.length).isLessThan(10_000);
        assertSkips(file().chunk(1, 1, "zstd", 15 << 20, 0, zeros), Reason.LIMIT);
        assertSkips(file().chunk(1, 1, "zstd", 17 << 20, 0, new byte[200_000]), Reason.LIMIT);
        assertSkips(file().chunk(1, 1, "zstd", Long.MAX_VALUE, 0, zeros), Reason.LIMIT);
        assertSkips(file().chunk(1, 1, "zstd", -1, 0, zeros), Reason.LENGTH);
        // Claims a hundredth of what comes out.
        assertSkips(file().chunk(1, 1, "zstd", 150_000, 0, zeros), Reason.MALFORMED);
        // Claims more than comes out.
        byte[] some = zstd(new byte[1_000]);
        assertSkips(file().chunk(1, 1, "zstd", 2_000, 0, some), Reason.MALFORMED);
        assertSkips(file().chunk(1, 1, "", 2_000, 0, new byte[1_000]), Reason.LENGTH);
        assertSkips(file().chunk(1, 1, "zstd", 1_000, 0, new byte[1_000]), Reason.MALFORMED);
    }

    @Test
    @DisplayName("M2 records with lying lengths are skipped")
    void skipsLyingLengths() throws IOException {
        for (long length : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40, 1_000}) {
            for (int opcode : new int[] {Opcode.SCHEMA, Opcode.ATTACHMENT, Opcode.CHUNK, 0x77}) {
                assertSkips(
                        file().lyingRecord(opcode, length, content -> content.u64(0)),
                        Reason.LENGTH);
            }
        }
        for (int text : new int[] {-1, 1 << 30, Integer.MIN_VALUE, 100}) {
            assertSkips(
                    file().record(Opcode.METADATA, content -> content.u32(text)),
                    text == 1 << 30 ? Reason.LIMIT : Reason.LENGTH);
            assertSkips(
                    file().record(
                                    Opcode.CHANNEL,
                                    content -> {
                                        content.u32(1);
                                        content.text("", "");
                                        content.text("", "");
                                        content.u32(text);
                                    }),
                    Reason.LENGTH);
        }
    }

    @Test
    @DisplayName("M2 chunks that lie about themselves are skipped")
    void skipsLyingChunks() throws IOException {
        Consumer<RecordBuffer> message = RawFile.message(0, 0, 5, "x");
        byte[] content = RawFile.record(message);
        int crc = RawFile.crc(content);
        // The time of a message is outside of its chunk's span.
        assertSkips(file().chunk(6, 7, message), Reason.MALFORMED);
        assertSkips(file().chunk(7, 6, message), Reason.LENGTH);
        assertSkips(file().chunk(5, 5, "", content.length, crc + 1, content), Reason.CRC);
        // A message is longer than the chunk, or shorter than its own fields.
        byte[] longer = content.clone();
        longer[1]++;
        assertSkips(
                file().chunk(5, 5, "", longer.length, RawFile.crc(longer), longer),
                Reason.MALFORMED);
        byte[] shorter =
                RawFile.record(buffer -> {
                    buffer.u8(Opcode.MESSAGE);
                    buffer.u64(10);
                    buffer.bytes(new byte[10], 0, 10);
                });
        assertSkips(
                file().chunk(0, 5, "", shorter.length, RawFile.crc(shorter), shorter),
                Reason.MALFORMED);
        assertSkips(
                file().chunk(0, 5, RawFile.message(0, 0, -1, "time before 1970")),
                Reason.MALFORMED);
    }

    @Test
    void namesAllowedCompressions() throws IOException {
        RawFile lz4 = file().chunk(5, 5, "lz4", 100, 0, new byte[50]);
        assertThatThrownBy(() -> open(lz4))
                .isInstanceOf(McapException.class)
                .hasMessageContaining("\"lz4\", allowed are \"zstd\" and \"\" (none)")
                .extracting(e -> ((McapException) e).reason())
                .isEqualTo(Reason.COMPRESSION);
        Path path = lz4.save(folder.resolve("lz4.mcap"));
        assertThatThrownBy(() -> McapRepair.repair(path)).isInstanceOf(McapException.class);
        assertThat(McapFile.bytes(path)).isEqualTo(lz4.bytes());
        assertSkips(file().chunk(5, 5, "lz4", 100, 0, new byte[50]), Reason.COMPRESSION);
    }

    /** What repair does not support may be sound: it stays in the file. */
    @Test
    void repairCutsNoChunkOfAnotherCompression() throws IOException {
        RawFile file = withGood(file()).chunk(6, 6, "lz4", 100, 0, new byte[50]);
        Path path = file.save(folder.resolve("a.mcap"));
        RepairResult result = McapRepair.repair(path);
        assertThat(result.keptBytes()).isEqualTo(file.size());
        assertThat(result.damage()).hasSize(1);
        try (McapReader reader = McapReader.open(path)) {
            assertThat(reader.isComplete()).isTrue();
            assertThat(McapFile.readAll(reader)).containsExactly(GOOD);
        }
    }

    @Test
    void skipsUnknownRecords() throws IOException {
        RawFile file = file();
        file.record(0x10, content -> content.u64(1));
        file.record(0x80, content -> content.u64(1));
        file.record(0xFF, content -> {});
        try (McapReader reader = open(withGood(file))) {
            assertThat(McapFile.readAll(reader)).containsExactly(GOOD);
            assertThat(reader.damage()).isEmpty();
        }
    }

    @Test
    void reportsMessagesOutsideOfChunks() throws IOException {
        RawFile file = file();
        for (int i = 0; i < 100; i++) {
            file.bytes(RawFile.record(RawFile.message(0, i, i, "unchunked")));
        }
        try (McapReader reader = open(withGood(file))) {
            assertThat(McapFile.readAll(reader)).containsExactly(GOOD);
            assertThat(reader.damage()).hasSize(1);
            assertThat(reader.damage().getFirst().reason()).isEqualTo(Reason.UNCHUNKED);
        }
        Path path = folder.resolve("a.mcap");
        byte[] before = McapFile.bytes(path);
        assertThatThrownBy(() -> McapRepair.repair(path)).isInstanceOf(McapException.class);
        assertThat(McapFile.bytes(path)).isEqualTo(before);
    }

    @Test
    void readsAllChannelsThereCanBe() throws IOException {
        Path path = folder.resolve("channels.mcap");
        byte[] data = {1};
        try (McapWriter writer = McapWriter.create(path, "", "")) {
            Chunk chunk = new Chunk();
            for (int i = 0; i < McapLimits.MAX_CHANNELS; i++) {
                assertThat(writer.addChannel(0, "/" + i, "", Map.of())).isEqualTo(i);
                chunk.add(i, i, data, 0, 1);
            }
            writer.write(chunk);
            assertThatThrownBy(() -> writer.addChannel(0, "/more", "", Map.of()))
                    .isInstanceOf(McapException.class);
        }
        for (int cut : new int[] {0, 1}) {
            try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
                file.setLength(file.length() - cut);
            }
            try (McapReader reader = McapReader.open(path)) {
                assertThat(reader.isComplete()).isEqualTo(cut == 0);
                assertThat(reader.channels()).hasSize(McapLimits.MAX_CHANNELS);
                assertThat(reader.statistics().channelMessages()).hasSize(McapLimits.MAX_CHANNELS);
                assertThat(McapFile.read(reader, 7, 8, Set.of(7, 8, 9))).hasSize(2);
                MessageCursor last = reader.last(65_535, Long.MAX_VALUE).orElseThrow();
                assertThat(last.channel()).isEqualTo(65_535);
            }
        }
    }

    @Test
    @DisplayName("M1 chunks without end take bounded memory")
    void boundsEndlessChunks() throws IOException {
        byte[] chunk =
                Arrays.copyOfRange(
                        new RawFile().chunk(0, 0).bytes(),
                        new RawFile().size(),
                        new RawFile().chunk(0, 0).size());
        RawFile file = file();
        for (int i = 0; i < McapLimits.MAX_CHUNKS + 50_000; i++) {
            file.bytes(chunk);
        }
        try (McapReader reader = open(file)) {
            assertThat(reader.chunks()).hasSize(McapLimits.MAX_CHUNKS);
            assertThat(reader.damage()).hasSize(1);
            assertThat(reader.damage().getFirst().reason()).isEqualTo(Reason.LIMIT);
            assertThat(reader.damage().getFirst().length()).isEqualTo(50_000L * chunk.length);
        }
    }

    /** Each byte of the rest may be the head of a chunk that is to be decompressed. */
    @Test
    void boundsTheSearchBehindDamage() throws IOException {
        byte[] large = new byte[200_000];
        RawFile file = withGood(file()).lyingRecord(Opcode.SCHEMA, -1, _ -> {});
        for (int i = 0; i < 2_000; i++) {
            int size = (1_999 - i) * 53 + large.length - 1_000;
            file.lyingRecord(
                    Opcode.CHUNK,
                    size + 44,
                    content -> {
                        content.u64(1);
                        content.u64(1);
                        content.u64(12_000_000);
                        content.u32(1);
                        content.text("", "zstd");
                        content.u64(size);
                    });
        }
        file.bytes(large);
        try (McapReader reader = open(file)) {
            assertThat(McapFile.readAll(reader)).containsExactly(GOOD);
        }
        Path path = folder.resolve("a.mcap");
        assertThatThrownBy(() -> McapRepair.repair(path)).hasMessageContaining("too much damage");
        assertThat(McapFile.bytes(path)).isEqualTo(file.bytes());
    }

    @Test
    @DisplayName("M1 chunks that overlap in time take bounded memory")
    void boundsChunksThatOverlap() throws IOException {
        Path path = folder.resolve("overlap.mcap");
        byte[] data = new byte[8 << 20];
        new java.util.Random(1).nextBytes(data);
        try (McapWriter writer = McapWriter.create(path, "", "")) {
            int channel = writer.addChannel(0, "/t", "", Map.of());
            Chunk chunk = new Chunk();
            for (int i = 0; i < 9; i++) {
                chunk.clear();
                chunk.add(channel, i, data, 0, data.length - 2_000);
                chunk.add(channel, 1_000 + i, data, 0, 1);
                writer.write(chunk);
            }
        }
        try (McapReader reader = McapReader.open(path)) {
            assertThat(McapFile.readAll(reader))
                    .extracting(Message::time)
                    .containsExactly(0L, 1L, 2L, 3L, 1_000L, 1_001L, 1_002L, 1_003L);
            assertThat(reader.damage()).hasSize(5).allMatch(each -> each.reason() == Reason.LIMIT);
            assertThat(McapFile.read(reader, 1_005, 2_000, Set.of(0))).hasSize(4);
        }
    }

    /** Each of them has a message at the start, and one that keeps it open. */
    @Test
    @DisplayName("M1 small chunks that overlap in time count with their buffers")
    void boundsManySmallChunksThatOverlap() throws IOException {
        RawFile file = file();
        for (int i = 0; i < 2_000; i++) {
            file.chunk(0, 9, RawFile.message(0, 2 * i, 0, ""), RawFile.message(0, i, 9, ""));
        }
        try (McapReader reader = open(file)) {
            MessageCursor cursor = reader.messages(0, Long.MAX_VALUE, Set.of(0));
            int read = 0;
            while (cursor.next()) {
                read++;
            }
            assertThat(read).isPositive().isLessThan(2 * 1_024 + 1);
            assertThat(reader.damage()).allMatch(each -> each.reason() == Reason.LIMIT);
            assertThat(reader.damage()).isNotEmpty();
        }
    }

    @Test
    @DisplayName("M11 an index that names a place twice is not used")
    void rejectsIndexesThatNameAPlaceTwice() throws IOException {
        RawFile file = file();
        int at = file.size();
        file.chunk(5, 5, RawFile.message(0, 0, 5, "good"));
        int bytes = file.size() - at;
        long length = bytes;
        long size = length - ChunkHead.MIN_BYTES;
        for (int shift : new int[] {0, 1}) {
            Summary summary = new Summary();
            summary.add(new Channel(0, 0, "/t", "", Map.of()), 20, 0);
            for (int i = 0; i < 1_000; i++) {
                int place = at + (i > 0 ? shift : 0);
                ChunkHead head = new ChunkHead(5, 5, place, length - shift, "", size, size);
                summary.add(new ChunkIndex(head, new char[0], new long[0], 0));
                summary.count(0, 1);
            }
            RecordBuffer end = new RecordBuffer();
            summary.write(end, file.size());
            byte[] tail = Arrays.copyOf(end.array(), end.size());
            Path path = folder.resolve("twice.mcap");
            Files.write(path, file.bytes());
            Files.write(path, tail, java.nio.file.StandardOpenOption.APPEND);
            try (McapReader reader = McapReader.open(path)) {
                assertThat(reader.chunks()).hasSize(1);
                assertThat(McapFile.readAll(reader)).containsExactly(GOOD);
                assertThat(reader.damage().getFirst().reason()).isEqualTo(Reason.CONFLICT);
            }
        }
    }

    /** Each of them would be the start of a search through the rest of the file. */
    @Test
    @Timeout(20)
    void searchesOnlyOnceForAChunkThatIsNotThere() throws IOException {
        RawFile file = withGood(file());
        for (int i = 0; i < 100_000; i++) {
            file.record(Opcode.METADATA, content -> content.u32(100));
        }
        try (McapReader reader = open(file)) {
            assertThat(McapFile.readAll(reader)).containsExactly(GOOD);
            assertThat(reader.reads()).isLessThan(500_000);
        }
    }

    @Test
    void mergesChunksThatOverlapOrAreOutOfOrder() throws IOException {
        RawFile file =
                file().chunk(
                                20,
                                40,
                                RawFile.message(0, 0, 20, "c"),
                                RawFile.message(0, 1, 40, "g"),
                                RawFile.message(0, 2, 30, "e"))
                        .chunk(
                                10,
                                35,
                                RawFile.message(0, 3, 35, "f"),
                                RawFile.message(0, 4, 10, "a"),
                                RawFile.message(0, 5, 20, "b"),
                                RawFile.message(0, 6, 30, "d"))
                        .chunk(50, 50, RawFile.message(0, 7, 50, "h"));
        try (McapReader reader = open(file)) {
            List<String> read = new ArrayList<>();
            MessageCursor cursor = reader.messages(0, 100, Set.of(0));
            while (cursor.next()) {
                read.add(
                        new String(
                                cursor.buffer(),
                                cursor.offset(),
                                cursor.length(),
                                java.nio.charset.StandardCharsets.UTF_8));
            }
            assertThat(read).containsExactly("a", "b", "c", "d", "e", "f", "g", "h");
            assertThat(reader.last(0, 30).orElseThrow().logTimeNanos()).isEqualTo(30);
            assertThat(reader.last(0, 34).orElseThrow().sequence()).isEqualTo(2);
            assertThat(reader.last(0, 9)).isEmpty();
            assertThat(reader.startNanos()).isEqualTo(10);
            assertThat(reader.endNanos()).isEqualTo(50);
        }
    }

    /** As other writers do: schemas and channels in the chunk that uses them first. */
    @Test
    void takesChannelsFromChunks() throws IOException {
        RawFile file =
                new RawFile()
                        .chunk(
                                5,
                                5,
                                RawFile.channelInChunk(3, "/inside"),
                                RawFile.message(3, 0, 5, "a"));
        try (McapReader reader = open(file)) {
            assertThat(reader.channels())
                    .containsExactly(new Channel(3, 0, "/inside", "", Map.of()));
            assertThat(McapFile.readAll(reader)).hasSize(1);
        }
        McapRepair.repair(folder.resolve("a.mcap"));
        try (McapReader reader = McapReader.open(folder.resolve("a.mcap"))) {
            assertThat(reader.isComplete()).isTrue();
            assertThat(McapFile.readAll(reader)).hasSize(1);
        }
    }

    @Test
    void keepsTheFirstOfTwoChannelsOfAnId() throws IOException {
        try (McapReader reader = open(withGood(file().channel(0, "/other").channel(0, "/t")))) {
            assertThat(reader.channels()).extracting(Channel::topic).containsExactly("/t");
            assertThat(reader.damage()).hasSize(1);
            assertThat(reader.damage().getFirst().reason()).isEqualTo(Reason.CONFLICT);
        }
    }

    /** A summary with the right CRC may still lie about what is where. */
    @Test
    @DisplayName("M2 indexes that lie lead to no message that is not there")
    void distrustsIndexes() throws IOException {
        McapFile written = McapFile.write(folder.resolve("b.mcap"), 3, 2, 3, 10);
        byte[] bytes = McapFile.bytes(written.path);
        for (int at = (int) written.lastEnd() + 13; at < bytes.length - 8; at++) {
            for (int bit : new int[] {0, 7}) {
                byte[] changed = bytes.clone();
                changed[at] ^= (byte) (1 << bit);
                // No CRC of the summary: the last field of the footer is 0.
                Arrays.fill(changed, bytes.length - 12, bytes.length - 8, (byte) 0);
                Path path = folder.resolve("c.mcap");
                Files.write(path, changed);
                try (McapReader reader = McapReader.open(path)) {
                    assertThat(written.messages())
                            .containsAll(McapFile.read(reader, 0, Long.MAX_VALUE, Set.of(0, 1)));
                    for (AttachmentInfo each : reader.attachments()) {
                        readOrReject(reader, each);
                    }
                }
            }
        }
    }

    private static void readOrReject(McapReader reader, AttachmentInfo attachment)
            throws IOException {
        try {
            assertThat(reader.read(attachment)).isEqualTo(McapFile.bytes("blocks and blocks"));
        } catch (McapException e) {
            assertThat(e.offset()).isNotNegative();
        }
    }

    @Test
    void rejectsDamagedAttachment() throws IOException {
        McapFile file = McapFile.write(folder.resolve("a.mcap"), 1, 1, 1, 1);
        byte[] bytes = McapFile.bytes(file.path);
        String text = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
        bytes[text.indexOf("blocks and blocks")] ^= 1;
        Files.write(file.path, bytes);
        try (McapReader reader = McapReader.open(file.path)) {
            assertThatThrownBy(() -> reader.read(reader.attachments().getFirst()))
                    .isInstanceOf(McapException.class)
                    .extracting(e -> ((McapException) e).reason())
                    .isEqualTo(Reason.CRC);
        }
    }

    @Test
    void rejectsFilesOfOtherKinds() throws IOException {
        for (String text : new String[] {"", "x", "not MCAP at all, but long enough to be one"}) {
            Path path = Files.writeString(folder.resolve("a.txt"), text);
            assertThatThrownBy(() -> McapReader.open(path))
                    .isInstanceOf(McapException.class)
                    .hasMessageContaining("89 4D 43 41 50 30 0D 0A");
        }
    }
}
