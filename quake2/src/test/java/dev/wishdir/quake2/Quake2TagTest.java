package dev.wishdir.quake2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.Game;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.movement.Quake2Motion;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.function.DoubleUnaryOperator;

/** The tags of the load generator in the angles that others see, as each server makes them. */
class Quake2TagTest {
    enum Cut {
        TOWARDS_ZERO(angle -> (int) angle),
        ROUNDED(Math::rint),
        DOWN(Math::floor);

        private final DoubleUnaryOperator steps;

        Cut(DoubleUnaryOperator steps) {
            this.steps = steps;
        }

        double degrees(double sent) {
            return Quake2Motion.degrees8((int) steps.applyAsDouble(sent * 256 / 360));
        }
    }

    @ParameterizedTest
    @EnumSource
    void showsEveryTagDespiteAngleRounding(Cut cut) {
        Game game = new Quake2Game();
        for (int tag = 0; tag < game.latencyTagCount(); tag++) {
            Game.View view = game.encodeLatencyTag(tag);
            double viewYaw = Quake2Motion.degrees16(Quake2Motion.angle16(view.yaw()));
            double viewPitch = Quake2Motion.degrees16(Quake2Motion.angle16(-view.pitch()));
            assertThat(viewPitch).isLessThan(89);
            Movement seen =
                    new Movement(
                            Vec3.ZERO,
                            Angles.wrap360(cut.degrees(viewYaw)),
                            -3 * cut.degrees(viewPitch / 3),
                            Vec3.ZERO,
                            Stance.NONE);
            assertThat(game.decodeLatencyTag(seen)).isEqualTo(tag);
        }
    }
}
