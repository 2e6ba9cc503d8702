package dev.wishdir.quake3.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.idtech.Brush;
import dev.wishdir.idtech.BrushWorld;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.Usercmd;

import org.junit.jupiter.api.Test;

import java.util.List;

/** Bodies that run into each other. */
class PlayerBodyTest {
    private static final BrushWorld FLOOR =
            new BrushWorld(
                    List.of(
                            Brush.box(
                                    new Vec3f(-999, -999, -8),
                                    new Vec3f(999, 999, 0),
                                    Pmove.SOLID,
                                    0)));

    private static PlayerBody at(float x) {
        PlayerBody body = new PlayerBody();
        body.origin = new Vec3f(x, 0, 24.125f);
        body.health = 100;
        body.gravity = 800;
        body.speed = 320;
        return body;
    }

    private static void run(PlayerBody body, BrushWorld world, int msec) {
        for (int time = 16; time <= msec; time += 16) {
            Pmove.move(
                    body,
                    new Usercmd(time, 0, 0, 0, 127, 0, 0, 0, 1),
                    PmoveSettings.OPENARENA,
                    world);
        }
    }

    @Test
    void stopsAtOtherPlayer() {
        PlayerBody walker = at(-100);
        PlayerBody stands = at(7.9f);
        BrushWorld world = FLOOR.with(List.of(PlayerBody.obstacle(3, stands.entity(0))));
        assertThat(walker.meets(stands.entity(0), 0)).isFalse();
        run(walker, world, 1_600);
        // Others see it at 7, and its hull begins 15 before.
        assertThat(walker.origin.x()).isCloseTo(7 - 30 - 0.125f, within(0.001f));
        assertThat(walker.meets(stands.entity(0), 0)).isFalse();
        assertThat(walker.meets(stands.entity(0), 1)).isTrue();
    }

    /** A player of another game, 3 m away. */
    private static EntityState foreign(boolean crouched) {
        Stance stance = Stance.NONE.with(Stance.Flag.CROUCHED, crouched);
        return Quake3Motion.entity(new Movement(new Vec3(3, 0, 0), 0, 0, Vec3.ZERO, stance));
    }

    @Test
    void stopsAtForeignPlayers() {
        EntityState standing = foreign(false);
        assertThat(standing.get(EntityField.SOLID)).isEqualTo(0x40180F);
        assertThat(foreign(true).get(EntityField.SOLID)).isEqualTo(0x30180F);
        PlayerBody walker = at(0);
        run(walker, FLOOR.with(List.of(PlayerBody.obstacle(3, standing))), 1_600);
        assertThat(walker.origin.x()).isCloseTo(96 - 30 - 0.125f, within(0.001f));
        assertThat(walker.meets(standing, 0)).isFalse();
        assertThat(at(66).meets(standing, 0)).as("touches").isTrue();
        assertThat(at(96).meets(standing, 0)).isTrue();
        assertThat(at(96).meets(standing.with(EntityField.SOLID, 0), 0)).isFalse();
    }

    @Test
    void letsSpectatorThrough() {
        PlayerBody walker = at(-100);
        walker.pmType = PlayerBody.SPECTATOR;
        walker.speed = 400;
        run(walker, FLOOR.with(List.of(PlayerBody.obstacle(3, at(0).entity(0)))), 1_600);
        assertThat(walker.origin.x()).isGreaterThan(100);
    }

    @Test
    void letsPlayersStandOnEachOther() {
        PlayerBody above = at(0);
        above.origin = new Vec3f(0, 0, 90);
        Pmove.move(
                above,
                new Usercmd(900, 0, 0, 0, 0, 0, 0, 0, 1),
                PmoveSettings.OPENARENA,
                FLOOR.with(List.of(PlayerBody.obstacle(3, at(0).entity(0)))));
        assertThat(above.groundEntityNum).isEqualTo(3);
        assertThat(above.origin.z()).isEqualTo(24 + 32 + 24 + 0.125f);
    }
}
