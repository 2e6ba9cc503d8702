package dev.wishdir.arena.player;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.icu.text.SpoofChecker;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Random;

class NameSkeletonTest {
    private final SpoofChecker icu = new SpoofChecker.Builder().build();

    @Test
    void matchesIcuForEachCharacter() {
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            if (Character.getType(c) != Character.SURROGATE) {
                String text = Character.toString(c);
                assertThat(NameSkeleton.skeleton(text))
                        .as("U+%04X", c)
                        .isEqualTo(icu.getSkeleton(text));
            }
        }
    }

    @Test
    void matchesIcuForTexts() {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int k = random.nextInt(12); k >= 0; k--) {
                int c = random.nextInt(random.nextBoolean() ? 0x3000 : 0x20000);
                int type = Character.getType(c);
                // ICU's Unicode is newer than Java's: it orders marks that Java does not know.
                if (type != Character.SURROGATE && type != Character.UNASSIGNED) {
                    text.appendCodePoint(c);
                }
            }
            assertThat(NameSkeleton.skeleton(text.toString())).isEqualTo(icu.getSkeleton(text));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Ann, Аnn", // Cyrillic A
        "Ann, \uFF21nn", // full width
        "Ann, A\uFE0Fnn", // variation selector
        "Ann, A\u3164nn", // Hangul filler
        "Ann, A\uDB40\uDD00nn", // variation selector of the supplement
        "lisa, Iisa", // capital I for a small L
        "LISA, lisa",
        "LISA, Iisa",
        "modern, rnodern",
        "\u00C5sa, A\u030Asa", // composed and decomposed
        "Bob, b\u043Eb", // Cyrillic o, and another case
    })
    void findsNamesThatLookAlike(String a, String b) {
        assertThat(NameSkeleton.isConfusable(a, b)).isTrue();
        assertThat(NameSkeleton.isConfusable(b, a)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"Ann, Anna", "Ann, \u00C5nn", "bot-1, bot-2", "max, min", "load-10, load-11"})
    void distinguishesOtherNames(String a, String b) {
        assertThat(NameSkeleton.isConfusable(a, b)).isFalse();
    }
}
