package dev.wishdir.record.mcap;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** Any bytes at all as a file, as the records of a chunk, and as what repair is given. */
final class McapReaderFuzzTest {
    /** One for all runs: a folder for each would cost more than reading does. */
    private static final Path FILE = temporary();

    private static Path temporary() {
        try {
            Path file = Files.createTempFile("fuzz", ".mcap");
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As a whole file, and as the records behind a good header. */
    @FuzzTest
    void file(byte[] data) throws IOException {
        read(data);
        read(new RawFile().channel(0, "/t").bytes(data).bytes());
    }

    /** As the records of a chunk with the right CRC. */
    @FuzzTest
    void chunk(byte[] data) throws IOException {
        int crc = RawFile.crc(data);
        read(
                new RawFile()
                        .channel(0, "/t")
                        .chunk(0, Long.MAX_VALUE, "", data.length, crc, data)
                        .bytes());
        read(
                new RawFile()
                        .channel(0, "/t")
                        .chunk(0, Long.MAX_VALUE, "zstd", 1_000, 0, data)
                        .bytes());
    }

    /** What a reader finds in a repaired file is what it found before. */
    @FuzzTest
    void repair(byte[] data) throws IOException {
        Path path = Files.write(FILE, data);
        try {
            Set<McapFile.Message> before = new HashSet<>();
            boolean damaged;
            try (McapReader reader = McapReader.open(path)) {
                before.addAll(McapFile.readAll(reader));
                damaged = !reader.damage().isEmpty();
            }
            RepairResult result = McapRepair.repair(path);
            assertThat(result.keptBytes() + result.cutBytes()).isEqualTo(data.length);
            try (McapReader reader = McapReader.open(path)) {
                assertThat(reader.isComplete()).isTrue();
                if (!damaged) {
                    assertThat(McapFile.readAll(reader)).containsAll(before);
                }
            }
            assertThat(McapRepair.repair(path).complete()).isTrue();
        } catch (McapException e) {
            assertThat(e.offset()).isNotNegative();
        }
    }

    /** Ends, with nothing but the reader's own exception. */
    private void read(byte[] data) throws IOException {
        Path path = Files.write(FILE, data);
        try (McapReader reader = McapReader.open(path)) {
            long time = 0;
            MessageCursor cursor = reader.messages(0, Long.MAX_VALUE, McapFile.all(reader));
            while (cursor.next()) {
                assertThat(cursor.logTimeNanos()).isGreaterThanOrEqualTo(time);
                time = cursor.logTimeNanos();
                assertThat(cursor.offset()).isBetween(0, cursor.buffer().length - cursor.length());
            }
            for (Channel channel : reader.channels()) {
                reader.last(channel.id(), Long.MAX_VALUE);
            }
            for (AttachmentInfo attachment : reader.attachments()) {
                try {
                    assertThat(reader.read(attachment)).hasSize((int) attachment.dataBytes());
                } catch (McapException e) {
                    assertThat(e.field()).isNotEmpty();
                }
            }
            reader.refresh();
            assertThat(reader.damage()).allMatch(each -> each.offset() >= 0 && each.length() >= 0);
        } catch (McapException e) {
            assertThat(e.offset()).isNotNegative();
        }
        assertThat(Arrays.equals(Files.readAllBytes(path), data)).isTrue();
    }
}
