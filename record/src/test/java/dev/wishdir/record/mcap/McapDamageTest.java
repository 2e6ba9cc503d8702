package dev.wishdir.record.mcap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.record.mcap.McapException.Reason;
import dev.wishdir.record.mcap.McapFile.Message;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Files that were cut, flipped bits, and what repair makes of them. */
@Timeout(300)
@Tag("slow")
class McapDamageTest {
    @TempDir private Path folder;

    /** Opens a file that was cut; it has the messages of the whole chunks, and no other. */
    private void assertReadsCut(McapFile file, byte[] bytes, int size) throws IOException {
        Path cut = folder.resolve("cut.mcap");
        Files.write(cut, Arrays.copyOf(bytes, size));
        if (size < Magic.LENGTH) {
            assertThatThrownBy(() -> McapReader.open(cut))
                    .isInstanceOf(McapException.class)
                    .extracting(e -> ((McapException) e).reason())
                    .isEqualTo(Reason.NOT_MCAP);
            return;
        }
        try (McapReader reader = McapReader.open(cut)) {
            assertThat(reader.isComplete()).isEqualTo(size == bytes.length);
            // A chunk may be whole where the indexes behind it are not.
            List<Message> whole = file.messagesTo(size);
            assertThat(McapFile.readAll(reader)).as("cut at %s", size).isEqualTo(whole);
            assertThat(reader.statistics().messages()).isEqualTo(whole.size());
            assertThat(reader.damage())
                    .allSatisfy(each -> assertThat(each.reason()).isEqualTo(Reason.TRUNCATED));
        }
        RepairResult result = McapRepair.repair(cut);
        assertThat(result.complete()).isEqualTo(size == bytes.length);
        assertThat(result.keptBytes() + result.cutBytes()).isEqualTo(size);
        assertThat(result.damage()).isEmpty();
        assertThat(Arrays.copyOf(McapFile.bytes(cut), (int) result.keptBytes()))
                .isEqualTo(Arrays.copyOf(bytes, (int) result.keptBytes()));
        try (McapReader reader = McapReader.open(cut)) {
            assertThat(reader.isComplete()).isTrue();
            List<Message> whole = file.messagesTo(size);
            assertThat(McapFile.readAll(reader)).as("cut at %s", size).isEqualTo(whole);
            assertThat(reader.statistics()).isEqualTo(result.statistics());
            assertThat(reader.statistics().messages()).isEqualTo(whole.size());
            assertThat(reader.damage()).isEmpty();
            for (AttachmentInfo each : reader.attachments()) {
                assertThat(reader.read(each)).isEqualTo(McapFile.bytes("blocks and blocks"));
            }
        }
        assertThat(McapRepair.repair(cut).complete()).isTrue();
    }

    @Test
    @DisplayName("M3 a file that is cut anywhere keeps its whole chunks")
    void readsAndRepairsSmallFileCutAnywhere() throws IOException {
        McapFile file = McapFile.write(folder.resolve("a.mcap"), 1, 2, 2, 3);
        byte[] bytes = McapFile.bytes(file.path);
        for (int size = 0; size <= bytes.length; size++) {
            assertReadsCut(file, bytes, size);
        }
        // What indexes repair wrote are those that were cut off.
        Files.write(file.path, Arrays.copyOf(bytes, (int) file.places.getLast()[1]));
        McapRepair.repair(file.path);
        assertThat(McapFile.bytes(file.path)).isEqualTo(bytes);
    }

    @Test
    void readsAndRepairsLargeFileCutAtRandom() throws IOException {
        McapFile file = McapFile.write(folder.resolve("a.mcap"), 2, 5, 40, 60);
        byte[] bytes = McapFile.bytes(file.path);
        Random random = new Random(3);
        for (int i = 0; i < TestEffort.times(100); i++) {
            assertReadsCut(file, bytes, random.nextInt(bytes.length));
        }
    }

    /** With its summary, without it, and after repair: only the chunk with the bit is lost. */
    @Test
    @DisplayName("M3 a flipped bit loses only its chunk")
    void losesOnlyTheChunkWithAFlippedBit() throws IOException {
        McapFile file = McapFile.write(folder.resolve("a.mcap"), 4, 5, 20, 60);
        byte[] bytes = McapFile.bytes(file.path);
        Random random = new Random(5);
        for (int i = 0; i < TestEffort.times(50); i++) {
            int chunk = random.nextInt(file.chunks.size());
            long[] place = file.places.get(chunk);
            int at = (int) (place[0] + random.nextInt((int) (place[1] - place[0])));
            byte[] flipped = bytes.clone();
            flipped[at] ^= (byte) (1 << random.nextInt(8));
            Path path = folder.resolve("flipped.mcap");
            Files.write(path, flipped);
            assertLoses(file, chunk, path, at);
            Files.write(path, Arrays.copyOf(flipped, (int) file.lastEnd()));
            assertLoses(file, chunk, path, at);
            RepairResult result = McapRepair.repair(path);
            assertThat(result.complete()).isFalse();
            try (McapReader reader = McapReader.open(path)) {
                assertThat(reader.isComplete()).isTrue();
                assertThat(McapFile.readAll(reader))
                        .as("flipped at %s", at)
                        .isIn(file.messages(), file.messagesWithout(chunk));
                assertThat(reader.damage()).isEmpty();
                assertThat(reader.statistics().messages())
                        .isEqualTo(McapFile.readAll(reader).size());
            }
        }
    }

    private static void assertLoses(McapFile file, int chunk, Path path, int at)
            throws IOException {
        try (McapReader reader = McapReader.open(path)) {
            List<Message> read = McapFile.readAll(reader);
            assertThat(read)
                    .as("flipped at %s", at)
                    .isIn(file.messages(), file.messagesWithout(chunk));
            if (read.size() < file.messages().size()) {
                assertThat(reader.damage()).isNotEmpty();
                assertThat(reader.damage())
                        .allMatch(each ->
                                each.offset() >= file.places.get(chunk)[0]
                                        && each.offset() + each.length()
                                                <= file.places.get(chunk)[2]);
            }
        }
    }

    @Test
    void scansAFileWithADamagedSummary() throws IOException {
        McapFile file = McapFile.write(folder.resolve("a.mcap"), 6, 3, 6, 20);
        byte[] bytes = McapFile.bytes(file.path);
        for (int at = (int) file.lastEnd() + 13; at < bytes.length; at++) {
            byte[] flipped = bytes.clone();
            flipped[at] ^= 4;
            Path path = folder.resolve("flipped.mcap");
            Files.write(path, flipped);
            try (McapReader reader = McapReader.open(path)) {
                assertThat(reader.isComplete()).isFalse();
                assertThat(McapFile.readAll(reader)).isEqualTo(file.messages());
            }
            assertThat(McapRepair.repair(path).cutBytes()).isPositive();
            assertThat(McapFile.bytes(path)).isEqualTo(bytes);
        }
    }

    @Test
    void leavesACompleteFileAsItIs() throws IOException {
        McapFile file = McapFile.write(folder.resolve("a.mcap"), 7, 3, 6, 20);
        byte[] bytes = McapFile.bytes(file.path);
        RepairResult result = McapRepair.repair(file.path);
        assertThat(result.complete()).isTrue();
        assertThat(result.keptBytes()).isEqualTo(bytes.length);
        assertThat(result.cutBytes()).isZero();
        assertThat(McapFile.bytes(file.path)).isEqualTo(bytes);
    }

    @Test
    void repairsNoFileOfAnotherKind() throws IOException {
        Path path = folder.resolve("a.txt");
        Files.writeString(path, "not a recording");
        assertThatThrownBy(() -> McapRepair.repair(path))
                .isInstanceOf(McapException.class)
                .hasMessageContaining("MCAP");
        assertThat(path).hasContent("not a recording");
    }

    /** Power loss may leave zeros where the file had grown already. */
    @Test
    void cutsZerosAtTheEnd() throws IOException {
        McapFile file = McapFile.write(folder.resolve("a.mcap"), 8, 3, 6, 20);
        byte[] bytes = McapFile.bytes(file.path);
        byte[] torn = Arrays.copyOf(bytes, (int) file.lastEnd() + 5_000);
        Arrays.fill(torn, (int) file.places.getLast()[0] + 70, torn.length, (byte) 0);
        Files.write(file.path, torn);
        try (McapReader reader = McapReader.open(file.path)) {
            assertThat(McapFile.readAll(reader)).isEqualTo(file.messagesWithout(5));
        }
        RepairResult result = McapRepair.repair(file.path);
        assertThat(result.keptBytes()).isEqualTo(file.places.get(4)[2]);
        try (McapReader reader = McapReader.open(file.path)) {
            assertThat(reader.isComplete()).isTrue();
            assertThat(McapFile.readAll(reader)).isEqualTo(file.messagesWithout(5));
        }
    }
}
