package dev.wishdir.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "=1+1",
                "+1",
                "-1",
                "@a",
                "'a",
                "\uFF1D1+1",
                "\uFF0B1",
                "\uFF0D1",
                "\uFF20a",
                " =1+1",
                "\u00A0\u3000=1+1",
                "\uFEFF=1+1",
                "\u200B\u202E\uFF1D1",
                "\u0000=1+1"
            })
    void marksFormulas(String text) {
        assertThat(CsvText.text(text).replace("\"", "")).startsWith("'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=1", "1-1", "a\uFF1D1", "\u200Ba@b"})
    void keepsOtherText(String text) {
        assertThat(CsvText.text(text)).isEqualTo(text);
    }

    @Test
    void quotesWhatReadersWouldSplitOrLose() {
        assertThat(CsvText.quoted("a,\"b\"")).isEqualTo("\"a,\"\"b\"\"\"");
        assertThat(CsvText.quoted("a\0b")).isEqualTo("\"a\uFFFDb\"");
        assertThat(CsvText.quoted("")).isEqualTo("\"\"");
        assertThat(CsvText.quoted("plain text")).isEqualTo("plain text");
    }
}
