package dev.wishdir.quake2.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Random;

/** Text that crosses between this game and the arena. */
class Quake2TextTest {
    @Test
    void readsGreenTextAndGoldenDigitsAsPlain() {
        String green = "\u00c7\u00f2\u00e5\u00e5\u00ee\u00a0\u0090\u0091";
        assertThat(Quake2Text.plain(green)).isEqualTo("Green []");
        assertThat(Quake2Text.plain("\u0012\u001b\u0092\u009b")).isEqualTo("0909");
        assertThat(Quake2Text.plain("a\tb\u0001\u007f\u0081\u00ffc\nd")).isEqualTo("a bc d");
        assertThat(Quake2Text.plain("plain \"text\" \\ $x;")).isEqualTo("plain \"text\" \\ $x;");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "héllo Größe Łódź | hello Grosse Lodz",
                "“quoted” – it’s… | \"quoted\" - it's...",
                "\"a\" 'b' \\c; $d %s | \"a\" 'b' \\c; $d %s",
                "ｗｉｄｅ Ⅷ 東京 😀 | wide VIII ?? ?",
            })
    void keepsDrawableCharacters(String text, String line) {
        assertThat(Quake2Text.line(text, 150)).isEqualTo(line);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a\\skin\\x | a/skin/x",
                "\"quit\";x | 'quit',x",
                "“q” | 'q'",
                "$rcon_password | $rcon_password",
                "Gäst 東京 | Gast ??",
                "ﬁﬁﬁﬁﬁﬁﬁﬁﬁﬁ | fififif~ifififi",
                "`` | unnamed",
                "`   ` | unnamed",
            })
    void makesNamesHarmlessAndNonEmpty(String name, String shown) {
        assertThat(Quake2Text.name(name))
                .isEqualTo(shown)
                .hasSizeLessThanOrEqualTo(Quake2Text.MAX_NAME_CHARS);
    }

    @Test
    void neverWritesGreenControlOrOverlongText() {
        Random random = new Random(7);
        for (int i = 0; i < 2000; i++) {
            String text =
                    random.ints(random.nextInt(60), 0, i % 2 == 0 ? 0x250 : 0x1_1000)
                            .filter(c -> c < 0xD800 || c > 0xDFFF)
                            .collect(
                                    StringBuilder::new,
                                    StringBuilder::appendCodePoint,
                                    StringBuilder::append)
                            .toString();
            assertThat(Quake2Text.line(text, 40)).matches("[ -~]{0,40}");
            assertThat(Quake2Text.name(text)).matches("[ -~&&[^\\\\\";]]{1,15}");
            assertThat(Quake2Text.value(text, 40)).doesNotContain("\\", "\"", ";");
        }
    }
}
