package dev.wishdir.app.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ColumnsTest {
    @ParameterizedTest
    @CsvSource({
        "hello, 5, hello",
        "hello, 4, hel…",
        "hello, 1, …",
        "hello, 0, ''",
        "a😀😀b, 3, a😀…"
    })
    void cutsOverlongText(String text, int columns, String cut) {
        assertThat(Columns.cut(text, columns)).isEqualTo(cut);
    }

    @ParameterizedTest
    @CsvSource({
        "bot-quake3, 10, bot-quake3",
        "bot-quake3, 8, bot…ake3",
        "bot-quake2, 7, bot…ke2",
        "a😀😀b, 3, a…b",
        "bot, 1, …",
        "bot, 0, ''"
    })
    void keepsBothEndsOfName(String name, int columns, String shortened) {
        assertThat(Columns.shortened(name, columns)).isEqualTo(shortened);
    }

    @Test
    void countsNoColumnsForColours() {
        assertThat(Columns.width("\u001B[33mS\u001B[39m ab")).isEqualTo(4);
        assertThat(Columns.padded("\u001B[33mS\u001B[39m", 3)).endsWith("m  ");
    }

    @Test
    void removesTerminalControlsFromForeignText() {
        assertThat(Columns.plain("a\u001B[2Jb\r\n\u009Bc\u202Ed ä█")).isEqualTo("a?[2Jb???c?d ä█");
    }

    @Test
    void drawsBarToAnEighth() {
        assertThat(Columns.bar(1, 3)).isEqualTo("███");
        assertThat(Columns.bar(0.5, 3)).isEqualTo("█▌");
        assertThat(Columns.bar(1.0 / 24, 3)).isEqualTo("▏");
        assertThat(Columns.bar(0, 3)).isEmpty();
        assertThat(Columns.bar(7, 3)).isEqualTo("███");
    }
}
