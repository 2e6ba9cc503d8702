package dev.wishdir.quake2.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

class SkinsTest {
    @Test
    void spreadsPlayersOverSkinsOfTheirModel() {
        Set<String> models = new HashSet<>();
        for (String game : List.of("sauerbraten", "quake3", "bedrock")) {
            Set<String> skins = new HashSet<>();
            for (int i = 0; i < 100; i++) {
                String skin = Skins.of(game, "bot " + i);
                assertThat(skin).matches("(male|female|cyborg)/[a-z0-9]+");
                skins.add(skin);
            }
            assertThat(skins).hasSizeGreaterThanOrEqualTo(3);
            assertThat(skins.stream().map(skin -> skin.split("/")[0]).distinct()).hasSize(1);
            models.add(skins.iterator().next().split("/")[0]);
        }
        assertThat(models).hasSize(3);
    }

    @Test
    void keepsSkinOfName() {
        assertThat(Skins.of("quake3", "Anna")).isEqualTo(Skins.of("quake3", "anna"));
        assertThat(Skins.of("sauerbraten", "anna")).isEqualTo("female/" + athena());
    }

    /** Where the hash of "anna" points to: a change of the list would change everybody's look. */
    private static String athena() {
        return List.of(
                        "athena",
                        "brianna",
                        "cobalt",
                        "ensign",
                        "jezebel",
                        "jungle",
                        "lotus",
                        "stiletto",
                        "venus",
                        "voodoo")
                .get("anna".hashCode() % 10);
    }
}
