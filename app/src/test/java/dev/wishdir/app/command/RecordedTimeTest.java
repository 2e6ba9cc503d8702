package dev.wishdir.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import picocli.CommandLine.TypeConversionException;

class RecordedTimeTest {
    private static final long START = 1_700_000_000_000_000_000L;

    @ParameterizedTest
    @CsvSource({
        "0,                        1700000000000000000",
        "90,                       1700000090000000000",
        "1:30,                     1700000090000000000",
        "0:90.5,                   1700000090500000000",
        "1:02:03.000000004,        1700003723000000004",
        "2023-11-14T22:13:21Z,     1700000001000000000",
        "2023-11-14T22:13:21.5Z,   1700000001500000000",
        "2023-11-14T23:13:21+01:00, 1700000001000000000",
    })
    void readsTime(String text, long nanos) {
        assertThat(new RecordedTime.Converter().convert(text).since1970(START)).isEqualTo(nanos);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-5",
                "5s",
                "1:2:3:4",
                ":5",
                "1:",
                "1e9",
                "10000000",
                "2023-11-14",
                "2023-11-14T22:13:21",
                "99999-01-01T00:00:00Z",
                "+99999-01-01T00:00:00Z",
                "now",
                "1969-12-31T23:59:59Z",
            })
    void refusesOtherText(String text) {
        assertThatThrownBy(() -> new RecordedTime.Converter().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("'" + text + "' is not a time")
                .hasMessageContaining("1:30");
    }
}
