package dev.wishdir.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantityTest {
    @ParameterizedTest
    @CsvSource({"0, 0 violations", "1, 1 violation", "2, 2 violations"})
    void namesOneInSingular(long count, String text) {
        assertThat(Quantity.of(count, "violation")).isEqualTo(text);
    }
}
