package dev.wishdir.quake3.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.BoxLaw;

import org.junit.jupiter.api.Test;

/** The generated arena as a map of the game. */
class BoxMapTest {
    @Test
    void whatIsSolidOfItIsSolidOfTheArena() {
        BoxLaw.holds(BoxMap.build().space());
    }

    @Test
    void theArenaIsToldOfItsFile() {
        assertThat(BoxMap.build().played().files())
                .singleElement()
                .satisfies(file -> assertThat(file.path()).endsWith(".pk3"));
    }
}
