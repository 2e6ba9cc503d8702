package dev.wishdir.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;

@Timeout(30)
final class FileLinesTest {
    @TempDir private Path folder = Path.of("");
    private Instant now = Instant.parse("2026-11-25T00:00:00Z");

    private FileLineSink open(Path file, FileLineSink.Rotation rotation) throws IOException {
        return new FileLineSink(file, rotation, () -> now);
    }

    @Test
    void keepsContentAndEndsLastLine() throws Exception {
        Path file = Files.writeString(folder.resolve("e.jsonl"), "{\"kept\":1}\n{\"cut");
        FileLineSink lines = open(file, FileLineSink.Rotation.NONE);
        lines.write("{\"new\":1}\n");
        lines.close();
        assertThat(file).hasContent("{\"kept\":1}\n{\"cut\n{\"new\":1}\n");
    }

    /** What logrotate's copytruncate does. */
    @Test
    void leavesNoHoleInTruncatedFile() throws Exception {
        Path file = folder.resolve("e.jsonl");
        FileLineSink lines = open(file, FileLineSink.Rotation.NONE);
        lines.write("a long line that is cut away\n");
        try (FileChannel cut = FileChannel.open(file, StandardOpenOption.WRITE)) {
            cut.truncate(0);
        }
        lines.write("new\n");
        lines.close();
        assertThat(file).hasContent("new\n");
    }

    @Test
    void reopensFileAfterRename() throws Exception {
        Path file = folder.resolve("e.jsonl");
        FileLineSink lines = open(file, FileLineSink.Rotation.NONE);
        lines.write("old\n");
        Path renamed = Files.move(file, folder.resolve("e.jsonl.1"));
        lines.write("still old\n");
        lines.reopen();
        lines.write("new\n");
        lines.close();
        assertThat(renamed).hasContent("old\nstill old\n");
        assertThat(file).hasContent("new\n");
    }

    @Test
    void rotatesBySize() throws Exception {
        Path file = folder.resolve("e.jsonl");
        FileLineSink lines = open(file, new FileLineSink.Rotation(10, Duration.ZERO, 2));
        for (int i = 0; i < 8; i++) {
            lines.write("line" + i + "\n");
        }
        lines.close();
        assertThat(file).hasContent("line7\n");
        assertThat(folder.resolve("e.jsonl.1")).hasContent("line6\n");
        assertThat(folder.resolve("e.jsonl.2")).hasContent("line5\n");
        assertThat(folder.resolve("e.jsonl.3")).doesNotExist();
    }

    @Test
    void rotatesTargetOfLink() throws Exception {
        Path real = Files.createDirectory(folder.resolve("real")).resolve("e.jsonl");
        Files.writeString(real, "before\n");
        Path link = Files.createSymbolicLink(folder.resolve("e.jsonl"), real);
        FileLineSink lines = open(link, new FileLineSink.Rotation(10, Duration.ZERO, 2));
        lines.write("line1\n");
        lines.close();
        assertThat(link).isSymbolicLink().hasContent("line1\n");
        assertThat(folder.resolve("real/e.jsonl.1")).hasContent("before\n");
    }

    @Test
    void createsFileThatOthersCannotRead() throws Exception {
        Path file = folder.resolve("e.jsonl");
        open(file, FileLineSink.Rotation.NONE).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r-----");
    }

    @Test
    void rotatesByAge() throws Exception {
        Path file = folder.resolve("e.jsonl");
        FileLineSink lines = open(file, new FileLineSink.Rotation(0, Duration.ofDays(1), 5));
        lines.write("monday\n");
        now = now.plus(Duration.ofHours(20));
        lines.write("evening\n");
        now = now.plus(Duration.ofHours(5));
        lines.write("tuesday\n");
        lines.close();
        assertThat(folder.resolve("e.jsonl.1")).hasContent("monday\nevening\n");
        assertThat(file).hasContent("tuesday\n");
    }

    @Test
    void waitsForTheReaderOfAPipeOnlyWhenItWrites() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        AsyncLineWriter lines = new AsyncLineWriter(open(pipe, FileLineSink.Rotation.NONE));
        lines.accept("one");
        assertThat(Files.readString(readerOf(pipe))).isEqualTo("one\n");
        lines.close();
    }

    private Path readerOf(Path pipe) throws Exception {
        Path copy = folder.resolve("copy");
        Process head =
                new ProcessBuilder("head", "-n", "1", pipe.toString())
                        .redirectOutput(copy.toFile())
                        .start();
        assertThat(head.waitFor()).isZero();
        return copy;
    }
}
