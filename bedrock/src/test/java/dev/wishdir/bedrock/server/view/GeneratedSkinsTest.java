package dev.wishdir.bedrock.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.bedrock.message.Skin;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

class GeneratedSkinsTest {
    private static final List<String> GAMES = List.of("sauerbraten", "quake2", "quake3", "bedrock");

    @Test
    void keepsFigureOfNameAndSharesIt() {
        Set<Bytes> drawn = new HashSet<>();
        for (int i = 0; i < 300; i++) {
            Skin figure = GeneratedSkins.of("quake3", "player" + i);
            assertThat(GeneratedSkins.of("quake3", "player" + i)).isSameAs(figure);
            drawn.add(figure.image().pixels());
        }
        assertThat(drawn).hasSize(GeneratedSkins.VARIATIONS);
    }

    @Test
    void spreadsNamesOverFigures() {
        Map<Skin, Integer> times = new HashMap<>();
        for (int i = 0; i < 1200; i++) {
            times.merge(GeneratedSkins.of("quake2", "Bot " + i), 1, Integer::sum);
        }
        assertThat(times.values())
                .hasSize(GeneratedSkins.VARIATIONS)
                .allMatch(n -> n > 50 && n < 200);
    }

    @Test
    void givesEachGameItsColour() {
        assertThat(GAMES.stream().map(GeneratedSkins::clothes)).doesNotHaveDuplicates();
        for (String game : GAMES) {
            Skin.Image image = GeneratedSkins.of(game, "x").image();
            // The side of the body, on which no variation draws anything but bands.
            int at = (20 * image.width() + 17) * 4;
            Bytes pixels = image.pixels();
            int colour =
                    (pixels.get(at) & 0xFF) << 16
                            | (pixels.get(at + 1) & 0xFF) << 8
                            | pixels.get(at + 2) & 0xFF;
            assertThat(colour).isEqualTo(GeneratedSkins.clothes(game));
        }
    }
}
