package dev.wishdir.game;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.GamePresentation.Colours;

import org.junit.jupiter.api.Test;

class GamePresentationTest {
    private static int channel(int rgb, int number) {
        return rgb >> 8 * number & 0xFF;
    }

    /** The luminance of a colour by its channels' weights in sRGB, without gamma, 0 to 255. */
    private static double brightness(int rgb) {
        return 0.21 * channel(rgb, 2) + 0.72 * channel(rgb, 1) + 0.07 * channel(rgb, 0);
    }

    @Test
    void hasReadableColoursOfOneHueForAnyName() {
        for (String name : new String[] {"words", "chess", "a", "", "golf3"}) {
            Colours colours = Colours.of(name);
            assertThat(colours).isEqualTo(Colours.of(name));
            assertThat(brightness(colours.dark())).as(name).isGreaterThan(120);
            assertThat(brightness(colours.light())).as(name).isLessThan(145);
            assertThat(colours.body()).isBetween(0, 0xFFFFFF);
        }
        assertThat(Colours.of("words")).isNotEqualTo(Colours.of("chess"));
    }
}
