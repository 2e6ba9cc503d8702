package dev.wishdir.quake3.server.combat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.game.TestMissiles;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.combat.Weapon;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.server.view.CombatEntities;
import dev.wishdir.quake3.server.view.TempEvent;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

class ForeignMissilesTest {
    private static final long MILLI = 1_000_000;

    private static final int FRAME_MILLIS = 25;

    private final Arena arena = new Arena(Level.BOX, 8);
    private final CombatEntities entities = new CombatEntities();
    private final ForeignMissiles foreign = new ForeignMissiles(arena, entities);

    private List<EntityState> advance(int millis) {
        arena.advance(millis * MILLI);
        foreign.advance(millis);
        entities.advance(millis);
        return entities.visible(new PlayerId(0, 99), Vec3f.ZERO, _ -> -1, 99).stream()
                .map(CombatEntities.Visible::state)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "PISTOL, PLASMA_GUN",
        "MACHINE_GUN, PLASMA_GUN",
        "RIFLE, PLASMA_GUN",
        "ROCKET, ROCKET_LAUNCHER",
        "GRENADE, GRENADE_LAUNCHER",
        "BFG, BFG"
    })
    void fliesAsTheNearestOfTheGame(DamageMeans means, Weapon weapon) {
        TestMissiles.launch(arena, "bedrock", means);
        assertThat(advance(0))
                .singleElement()
                .satisfies(state -> {
                    assertThat(state.get(EntityField.WEAPON)).isEqualTo(weapon.number());
                    assertThat(state.real(EntityField.POS_TR_DELTA_0)).isEqualTo(640f);
                });
        assertThat(advance(200))
                .singleElement()
                .satisfies(
                        state -> assertThat(state.real(EntityField.POS_TR_BASE_0)).isEqualTo(128f));
    }

    @Test
    void endsWithAnImpactAndIsGone() {
        TestMissiles.launch(arena, "bedrock", DamageMeans.ROCKET);
        for (int millis = 0; millis < 1_050; millis += FRAME_MILLIS) {
            advance(millis);
        }
        assertThat(advance(1_050))
                .singleElement()
                .satisfies(state ->
                        assertThat(state.get(EntityField.EVENT))
                                .isEqualTo(TempEvent.MISSILE_MISS.number()));
        for (int millis = 1_050 + FRAME_MILLIS; millis < 1_400; millis += FRAME_MILLIS) {
            advance(millis);
        }
        assertThat(advance(1_400)).isEmpty();
    }

    @Test
    void leavesMissilesOfItsOwnGameToTheirShooter() {
        TestMissiles.launch(arena, "quake3", DamageMeans.ROCKET);
        assertThat(advance(0)).isEmpty();
    }
}
