package dev.wishdir.quake3.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of a server with odd characters. */
class ServerNameTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '|',
            value = {
                "|Night shift \\|, Night shift /",
                "|a;b\"c%|, |a,b'c.|",
                "|two\nlines|, two lines",
                "^1Red, ^1Red",
                "Zéro, Zero",
            })
    void fitsServerNamesInInfoString(String name, String shown) {
        assertThat(Quake3Text.serverName(name)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({"62", "63", "64", "600"})
    void cutsLongServerNames(int length) {
        assertThat(Quake3Text.serverName("\uD83D\uDE00".repeat(length)))
                .hasSize(Math.min(63, length));
    }
}
