package dev.wishdir.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Text files as editors of several systems save them. */
class TextFileTest {
    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"one\ntwö\n", "one\r\ntwö\r\n", "one\rtwö\r", "\uFEFFone\r\ntwö\n"})
    void acceptsMarksAndLineEndsOfAllSystems(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("a.txt"), text);
        assertThat(TextFile.read(file, 100)).isEqualTo("one\ntwö\n");
    }

    @ParameterizedTest
    @CsvSource({
        "ISO-8859-1, 'line 2: is not UTF-8 text (byte 0xF6)'",
        "UTF-16, 'line 1: is not UTF-8 text but UTF-16'",
        "x-UTF-16LE-BOM, 'line 1: is not UTF-8 text but UTF-16'",
        "UTF-16LE, 'line 1: is not UTF-8 text (byte 0x00)'",
        "X-UTF-32LE-BOM, 'line 1: is not UTF-8 text but UTF-32'",
    })
    void refusesOtherEncodings(String encoding, String message) throws IOException {
        Path file = folder.resolve("a.txt");
        Files.write(file, "one\rtwö\n".getBytes(Charset.forName(encoding)));
        assertThatThrownBy(() -> TextFile.read(file, 100))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file + ", " + message);
    }

    @Test
    void refusesIncompleteCharacter() {
        byte[] cut = {'a', '\n', (byte) 0xC3};
        assertThatThrownBy(() -> TextFile.decode("a.txt", cut))
                .hasMessageContaining("a.txt, line 2: is not UTF-8 text");
    }

    @Test
    void namesUnreadableFile() throws IOException {
        assertThatThrownBy(() -> TextFile.read(folder.resolve("none"), 100))
                .hasMessageContaining("none: there is no such file");
        assertThatThrownBy(() -> TextFile.read(folder, 100)).hasMessageContaining("cannot read");
        Path file = Files.write(folder.resolve("a"), "four".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> TextFile.read(file, 3)).hasMessageContaining("longer than 3");
        assertThat(TextFile.read(file, 4)).isEqualTo("four");
    }
}
