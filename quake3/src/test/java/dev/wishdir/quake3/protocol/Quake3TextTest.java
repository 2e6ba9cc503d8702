package dev.wishdir.quake3.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.netchan.OutOfBand;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;

/** What becomes of text on its way in and out. */
class Quake3TextTest {
    private static final String ANY =
            "^\"\\;%/'. \n\t\u0000\u0019\u007Faz09~éß’Ж漢\uFF02\uFF3E😀\uD800";

    @ParameterizedTest
    @CsvSource({
        "^1red, red",
        "r^2e^xd, red",
        "a^^1b, a^b",
        "^, ^",
        "end^, end^",
        "^^, ^^",
        "'^ x', x",
        "'a \"b\" %;\\', 'a \"b\" %;\\'"
    })
    void removesOnlyColoursOfInput(String sent, String plain) {
        assertThat(Quake3Text.plain(sent)).isEqualTo(plain);
    }

    @Test
    void joinsLinesOfServerBySpaces() {
        assertThat(Quake3Text.shown("^3first\n\n  second\r\nthird\n"))
                .isEqualTo("first second third");
    }

    @ParameterizedTest
    @CsvSource({
        "plain text, plain text, plain text",
        "say \"hi\", say 'hi', say 'hi'",
        "a\\b;c, a\\b;c, 'a/b,c'",
        "100%, 100., 100.",
        "x^2, x^^72, x^^72",
        "é Ü ñ Å, e U n A, e U n A",
        "straße – “œuvre”, strasse - 'oeuvre', strasse - 'oeuvre'",
        "漢字 Ж😀, ?? ??, ?? ??"
    })
    void keepsWhatTheGameShows(String text, String line, String value) {
        assertThat(Quake3Text.line(text, 100)).isEqualTo(line);
        assertThat(Quake3Text.value(text, 100)).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void neverChangesMeaningOfText(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder made = new StringBuilder();
            for (int length = random.nextInt(40); length > 0; length--) {
                made.append(ANY.charAt(random.nextInt(ANY.length())));
            }
            String text = made.toString();
            int length = random.nextInt(40);
            String line = Quake3Text.line(text, length, Quake3Text.CHAT_COLOUR);
            assertThat(line).matches("[ -~&&[^\"%]]*").hasSizeLessThanOrEqualTo(length);
            assertThat(OutOfBand.words("chat \"" + line + "\"")).containsExactly("chat", line);
            assertThat(line.replace("^^2", "")).as("its own colour alone").doesNotContain("^");
            String value = Quake3Text.value(text, length);
            assertThat(value).matches("[ -~&&[^\"%;\\\\]]*").hasSizeLessThanOrEqualTo(length);
            assertThat(InfoString.parse("n\\" + value + "\\t\\3").get("n")).isEqualTo(value);
            assertThat(Quake3Text.name(text)).isNotBlank();
        }
    }

    @Test
    void blocksFullWidthBypass() {
        String wide = "\uFF02\uFF1B\uFF3C\uFF05\uFF3E1";
        assertThat(Quake3Text.line(wide, 100)).isEqualTo("';\\.^^71");
        assertThat(Quake3Text.value(wide, 100)).isEqualTo("',/.^^71");
    }

    @Test
    void keepsPrintableText() {
        for (char c = ' '; c <= '~'; c++) {
            String text = "a" + c + "b";
            String seen = Quake3Text.plain(Quake3Text.line(text, 9));
            assertThat(seen).isEqualTo(text.replace('"', '\'').replace('%', '.'));
        }
    }
}
