package dev.wishdir.quake2.movement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.idtech.Obstacle;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Triple;

import org.junit.jupiter.api.Test;

import java.util.List;

/** Which bodies are in each other, and what clients are sent of them. */
class PlayerHullsTest {
    private static PlayerState body(double x, double y, double z, boolean ducked) {
        Stance stance = Stance.NONE.with(Stance.Flag.CROUCHED, ducked);
        Vec3 feet = new Vec3(x, y, z).times(1 / Quake2Motion.SCALE);
        return Quake2Motion.toNative(new Movement(feet, 0, 0, Vec3.ZERO, stance));
    }

    private static EntityState seen(PlayerState body, int solid) {
        Triple origin = body.origin();
        return new EntityState(
                255, 255, 0, 0, 0, 0, 0, 0, origin, Triple.ZERO, origin, 0, 0, solid);
    }

    @Test
    void encodesBodyInEighths() {
        assertThat(PlayerHulls.solid(false)).isEqualTo(8290);
        assertThat(PlayerHulls.solid(true)).isEqualTo(4194);
    }

    @Test
    void stopsAtEncodedBox() {
        for (boolean ducked : new boolean[] {false, true}) {
            PlayerState other = body(100, 0, 0, ducked);
            Obstacle box = PlayerHulls.around(body(0, 0, 0, false), List.of(other)).getFirst();
            int solid = PlayerHulls.solid(ducked);
            assertThat(box.maxs().x()).isEqualTo(8 * (solid & 31));
            assertThat(box.mins().z()).isEqualTo(-8 * (solid >> 5 & 31));
            assertThat(box.maxs().z()).isEqualTo(8 * (solid >> 10 & 63) - 32);
            assertThat(box.origin().x()).isEqualTo(100);
        }
    }

    @Test
    void doesNotStopPlayerInsideBody() {
        PlayerState self = body(0, 0, 0, false);
        for (double apart : new double[] {0, 31.875, 32}) {
            PlayerState other = body(apart, -apart, 0, false);
            assertThat(PlayerHulls.overlaps(self, other)).as("%f apart", apart).isTrue();
            assertThat(PlayerHulls.overlaps(self, seen(other, PlayerHulls.solid(false)))).isTrue();
            assertThat(PlayerHulls.overlaps(self, seen(other, 0))).as("stops nobody").isFalse();
            assertThat(PlayerHulls.around(self, List.of(other))).isEmpty();
        }
        assertThat(PlayerHulls.overlaps(self, body(32.125, 0, 0, false))).isFalse();
        assertThat(PlayerHulls.overlaps(self, body(0, 0, 56, false))).isTrue();
        assertThat(PlayerHulls.overlaps(self, body(0, 0, 56.125, false))).isFalse();
        assertThat(PlayerHulls.overlaps(self, body(0, 0, -24, true))).isTrue();
        assertThat(PlayerHulls.overlaps(self, body(0, 0, -24.125, true))).isFalse();
        assertThat(PlayerHulls.overlaps(body(0, 0, 0, true), body(0, 0, 28.125, false))).isFalse();
    }
}
