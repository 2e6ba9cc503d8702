package dev.wishdir.sauerbraten.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.sauerbraten.map.MoveTriggers;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;

import org.junit.jupiter.api.Test;

import java.util.Optional;

class RunningLevelTest {
    private static final Level LEVEL = Level.of(ArenaCatalog.FLAT);

    private final Arena arena = new Arena(new Level("other", LEVEL.bounds()), 10);
    private final RunningLevel geometry = new RunningLevel(arena, SauerbratenMotion.CENTERED);

    @Test
    void setsLevelOfGameInArena() {
        geometry.start(0, LEVEL, Optional.of(MoveTriggers.NONE));
        assertThat(arena.level(SauerbratenCodec.GAME)).isEqualTo(LEVEL);
        assertThat(geometry.level()).isEqualTo(LEVEL);
        assertThat(geometry.moveTriggers()).contains(MoveTriggers.NONE);
    }

    @Test
    void knowsOnlyNameAndBoundsOfEditedMap() {
        geometry.start(0, LEVEL, Optional.of(MoveTriggers.NONE));
        geometry.onEdited();
        assertThat(geometry.level()).isEqualTo(new Level(LEVEL.name(), LEVEL.bounds()));
        assertThat(geometry.level()).isNotEqualTo(LEVEL);
        assertThat(geometry.moveTriggers()).isEmpty();
        geometry.start(1, LEVEL, Optional.of(MoveTriggers.NONE));
        assertThat(geometry.level()).isEqualTo(LEVEL);
        assertThat(geometry.moveTriggers()).contains(MoveTriggers.NONE);
    }
}
