package dev.wishdir.idtech;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CenteredTextTest {
    @Test
    void breaksLongLinesBetweenWords() {
        String text = "Race: leave the start, pass 4 check points in order, reach the finish.";
        assertThat(CenteredText.wrapped(text))
                .isEqualTo(
                        "Race: leave the start, pass 4 check\n"
                                + "points in order, reach the finish.");
        assertThat(CenteredText.wrapped("Check point 1 of 4: 8.100"))
                .isEqualTo("Check point 1 of 4: 8.100");
        assertThat(CenteredText.wrapped("")).isEmpty();
        String word = "x".repeat(50);
        assertThat(CenteredText.wrapped("a " + word + " b")).isEqualTo("a\n" + word + "\nb");
        assertThat(CenteredText.wrapped("word ".repeat(40)).lines())
                .allMatch(line -> line.length() <= CenteredText.LINE_CHARS);
    }
}
