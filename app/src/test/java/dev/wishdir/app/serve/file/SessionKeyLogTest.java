package dev.wishdir.app.serve.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.wishdir.app.command.CommandFailedException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

final class SessionKeyLogTest {
    @TempDir private Path folder = Path.of("");

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void isReadableOnlyByOwnerFromStart() throws Exception {
        Path file = folder.resolve("keys.jsonl");
        try (SessionKeyLog keys = SessionKeyLog.open(file)) {
            assertThat(mode(file)).isEqualTo("rw-------");
            keys.accept("one");
        }
        assertThat(file).hasContent("one\n");
    }

    @Test
    void keepsContentAndRestrictsPermissions() throws Exception {
        Path file = Files.writeString(folder.resolve("keys.jsonl"), "one\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        try (SessionKeyLog keys = SessionKeyLog.open(file)) {
            keys.accept("two");
        }
        assertThat(mode(file)).isEqualTo("rw-------");
        assertThat(file).hasContent("one\ntwo\n");
    }

    @Test
    void reportsUnwritableFile() {
        assertThatExceptionOfType(CommandFailedException.class)
                .isThrownBy(() -> SessionKeyLog.open(folder))
                .withMessageStartingWith("--key-log: cannot write " + folder);
    }
}
