package dev.wishdir.bedrock.movement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.Test;

import java.util.Random;

/** The game's movement and the canonical one. */
class BedrockMotionTest {
    @Test
    void convertsMovementsBackWithinQuantum() {
        Random random = new Random(1);
        for (int i = 0; i < 2000; i++) {
            MovePlayer told =
                    new MovePlayer(
                            5,
                            new Vec3f(
                                    random.nextFloat(-32, 32),
                                    random.nextFloat(1, 60),
                                    random.nextFloat(-32, 32)),
                            new Vec2f(random.nextFloat(-90, 90), random.nextFloat(-180, 180)),
                            0,
                            0,
                            random.nextBoolean(),
                            0);
            Movement m = BedrockMotion.toCanonical(told, Vec3.ZERO, Stance.NONE);
            MovePlayer back = BedrockMotion.toNative(5, m);
            assertThat(BedrockMotion.point(back.position()))
                    .satisfies(p ->
                            assertThat(p.distance(BedrockMotion.point(told.position())))
                                    .isLessThan(1e-5));
            assertThat(back.rotation().x()).isEqualTo(told.rotation().x());
            assertThat(Math.abs(back.rotation().y() - told.rotation().y())).isLessThan(1e-4f);
            assertThat(back.onGround()).isEqualTo(told.onGround());
        }
    }

    @Test
    void usesDirectionsOfTheGame() {
        // Canonical east, north, west, south.
        assertThat(BedrockMotion.yaw(0)).isEqualTo(-90);
        assertThat(BedrockMotion.yaw(90)).isEqualTo(-180);
        assertThat(BedrockMotion.yaw(180)).isEqualTo(90);
        assertThat(BedrockMotion.yaw(270)).isEqualTo(0);
        assertThat(BedrockMotion.point(new Vec3(1, 2, 3))).isEqualTo(new Vec3f(1, 3, -2));
    }
}
