package dev.wishdir.quake2.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.BoxLaw;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Optional;

/** The generated arena as a map of the game. */
class BoxMapTest {
    @Test
    void whatIsSolidOfItIsSolidOfTheArena() throws IOException {
        BoxLaw.holds(new Levels(Optional.empty()).load("").space());
    }

    @Test
    void theArenaIsToldOfItsFile() throws IOException {
        assertThat(new Levels(Optional.empty()).load("").played().files())
                .singleElement()
                .satisfies(file -> {
                    assertThat(file.path()).isEqualTo("maps/" + BoxMap.NAME + ".bsp");
                    assertThat(file.content()).isEqualTo(BoxMap.file());
                });
    }
}
