package dev.wishdir.bedrock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.Test;

/** What the game says of itself. */
class BedrockGameTest {
    @Test
    void readsTagsFromView() {
        BedrockGame game = new BedrockGame();
        for (int tag = 0; tag < game.latencyTagCount(); tag++) {
            var view = game.encodeLatencyTag(tag);
            Movement seen =
                    BedrockMotion.toCanonical(
                            BedrockMotion.toNative(
                                    1,
                                    new Movement(
                                            Vec3.ZERO,
                                            view.yaw(),
                                            view.pitch(),
                                            Vec3.ZERO,
                                            Stance.NONE)),
                            Vec3.ZERO,
                            Stance.NONE);
            assertThat(game.decodeLatencyTag(seen)).isEqualTo(tag);
        }
        assertThat(game.decodeLatencyTag(Movement.ORIGIN)).isEqualTo(-1);
    }
}
