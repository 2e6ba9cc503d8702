package dev.wishdir.app;

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
    void whatDoesNotFitIsCut(String text, int columns, String cut) {
        assertThat(Columns.cut(text, columns)).isEqualTo(cut);
    }

    @Test
    void nobodyElseSteersTheTerminal() {
        assertThat(Columns.plain("a\u001B[2Jb\r\n\u009Bc\u202Ed ä█")).isEqualTo("a?[2Jb???c?d ä█");
    }

    @Test
    void aBarIsExactToAnEighth() {
        assertThat(Columns.bar(1, 3)).isEqualTo("███");
        assertThat(Columns.bar(0.5, 3)).isEqualTo("█▌");
        assertThat(Columns.bar(1.0 / 24, 3)).isEqualTo("▏");
        assertThat(Columns.bar(0, 3)).isEmpty();
        assertThat(Columns.bar(7, 3)).isEqualTo("███");
    }
}
