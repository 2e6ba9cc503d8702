package dev.wishdir.app.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

/** What is made of what the system says of a terminal. */
final class ThisTerminalTest {
    @Test
    void readsRowsFirstFromStty() {
        assertThat(ThisTerminal.parse("40 110\n")).contains(new Terminal.Size(110, 40));
    }

    /** A pseudo-terminal has no size before one is set. */
    @ParameterizedTest
    @ValueSource(
            strings = {"0 0\n", "", "40\n", "40 110 3", "speed 38400 baud", "40 -1", "1000000 1"})
    void reportsNoSizeForInvalidOutput(String said) {
        assertThat(ThisTerminal.parse(said)).isEmpty();
    }

    @Test
    void usesColoursWhereSupportedAndWanted() {
        assertThat(ThisTerminal.hasColours(Map.of("TERM", "xterm"))).isTrue();
        assertThat(ThisTerminal.hasColours(Map.of("TERM", "xterm", "NO_COLOR", ""))).isTrue();
        assertThat(ThisTerminal.hasColours(Map.of("TERM", "xterm", "NO_COLOR", "1"))).isFalse();
        assertThat(ThisTerminal.hasColours(Map.of("TERM", "dumb"))).isFalse();
        assertThat(ThisTerminal.hasColours(Map.of())).isFalse();
    }

    @Test
    void readsSizeFromEnvironment() {
        assertThat(ThisTerminal.of(Map.of("COLUMNS", "132", "LINES", "50")))
                .isEqualTo(new Terminal.Size(132, 50));
        assertThat(ThisTerminal.of(Map.of("COLUMNS", "132"))).isEqualTo(new Terminal.Size(132, 24));
        assertThat(ThisTerminal.of(Map.of("COLUMNS", "wide", "LINES", "0")))
                .isEqualTo(new Terminal.Size(80, 24));
    }
}
