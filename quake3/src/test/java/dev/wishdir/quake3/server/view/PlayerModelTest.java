package dev.wishdir.quake3.server.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.wishdir.quake3.map.PakSearchPath;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** How players of other games look. */
class PlayerModelTest {
    private static final List<String> GAMES = List.of("sauerbraten", "quake2", "quake3", "bedrock");

    @Test
    void spreadsNamesOverModelsInOneColourPerGame() {
        for (boolean openArena : new boolean[] {true, false}) {
            Set<String> models = new HashSet<>();
            Set<Integer> colours = new HashSet<>();
            for (String game : GAMES) {
                Set<String> skins = new HashSet<>();
                for (int i = 0; i < 60; i++) {
                    PlayerModel model = PlayerModel.of(game, "player " + i, openArena);
                    assertThat(model).isEqualTo(PlayerModel.of(game, "player " + i, openArena));
                    models.add(model.model().split("/")[0]);
                    skins.add(model.model().split("/")[1]);
                    colours.add(model.colour());
                    assertThat(model.colour()).isBetween(1, 7);
                }
                assertThat(skins).as("of " + game).hasSize(1);
            }
            assertThat(models).hasSize(openArena ? 14 : 23);
            assertThat(colours).hasSize(GAMES.size());
        }
        Set<String> skins = new HashSet<>();
        for (String game : List.of("sauerbraten", "quake2", "bedrock")) {
            skins.add(PlayerModel.of(game, "", true).model().split("/")[1]);
        }
        assertThat(skins).as("the others' games look different").hasSize(3);
    }

    @Test
    void usesModelsOfOpenArena() throws IOException {
        Optional<Path> installed = PakSearchPath.usual();
        assumeTrue(
                installed.isPresent() || "true".equals(System.getenv("WISHDIR_REQUIRE_PEERS")),
                "looks need the Debian package openarena-data");
        PakSearchPath paks = PakSearchPath.read(installed.get());
        for (String game : GAMES) {
            for (int i = 0; i < 60; i++) {
                String[] look = PlayerModel.of(game, "player " + i, true).model().split("/");
                for (String part : List.of("head", "upper", "lower")) {
                    String skin = "models/players/" + look[0] + "/" + part + "_" + look[1];
                    assertThat(paks.file(skin + ".skin", 1 << 16)).as(skin).isPresent();
                }
            }
        }
    }
}
