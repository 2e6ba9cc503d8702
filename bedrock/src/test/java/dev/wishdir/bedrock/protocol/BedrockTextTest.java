package dev.wishdir.bedrock.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Random;

class BedrockTextTest {
    @ParameterizedTest
    @CsvSource({
        "§cred §l§kand§r odd, red and odd",
        "§§ca, ca",
        "a§, a",
        "§ 5, ' 5'",
        "§§, ''",
        "§a§, ''",
        "say \"hi\" ^1 %s, say \"hi\" ^1 %s",
        "/kick all, /kick all",
    })
    void removesOnlyColourCodesOfInput(String said, String plain) {
        assertThat(BedrockText.withoutCodes(said)).isEqualTo(plain);
    }

    @ParameterizedTest
    @CsvSource({
        "%item.apple.name, ％item.apple.name",
        "100 %, 100 %",
        "5%. Or 6%!, 5%. Or 6%!",
        "%§ritem.apple.name, ％item.apple.name",
        "%1$s and %%s, ％1$s and ％％s",
        "^1red \"quoted\" \\n, ^1red \"quoted\" \\n",
        "/kick all, /kick all",
    })
    void escapesTranslationKeys(String said, String shown) {
        assertThat(BedrockText.literal(said)).isEqualTo(shown);
    }

    @Test
    void writesOutputAsOneLine() {
        assertThat(BedrockText.literal(" a\nb\rc\u2028d\u2029e\u0085f\0 "))
                .isEqualTo("a b c d e f");
    }

    @Test
    void reportsNoNameWhenNothingIsLeft() {
        assertThat(BedrockText.literalName("§c§l")).isEqualTo("unnamed");
        assertThat(BedrockText.literalName("§cBob")).isEqualTo("Bob");
    }

    @Test
    void neverProducesCodeOrKey() {
        Random random = new Random(1);
        char[] some = {'§', '%', 'a', '1', '\n', ' ', 'k', '.', '$', '\u2028'};
        for (int i = 0; i < 100_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(12); length > 0; length--) {
                text.append(some[random.nextInt(some.length)]);
            }
            String shown = BedrockText.literal(text.toString());
            assertThat(shown).doesNotContain("§").doesNotContainPattern("[\n\u2028]|%[a-z0-9%$]");
            assertThat(BedrockText.literal(shown)).isEqualTo(shown);
            assertThat(BedrockText.withoutCodes(text.toString())).doesNotContain("§");
        }
    }
}
