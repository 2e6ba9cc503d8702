package dev.wishdir.app.bot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.BotController;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Random;

final class BotPathTest {
    /** Ten minutes of the fastest player, 10 m/s at 30 Hz. */
    @ParameterizedTest
    @EnumSource(BotPath.class)
    void keepsEveryPathNearItsStartAndFacingForward(BotPath path) {
        BotController controller = path.controller(new Random(1));
        Vec3 home = new Vec3(3, -4, 0);
        Movement self = Movement.at(home, 0);
        double walked = 0;
        for (int i = 0; i < 18_000; i++) {
            BotController.PlayerInput input = controller.steer(i * 33_333_333L, self);
            double direction =
                    Math.toRadians(input.yaw()) + Math.atan2(input.left(), input.forward());
            double metres = Math.hypot(input.forward(), input.left()) / 3;
            Vec3 step = new Vec3(Math.cos(direction) * metres, Math.sin(direction) * metres, 0);
            if (metres > 0) {
                assertThat(Angles.between(input.yaw(), Angles.yaw(step.x(), step.y())))
                        .isLessThan(0.001);
            }
            walked += metres;
            self =
                    new Movement(
                            self.position().plus(step), input.yaw(), 0, Vec3.ZERO, Stance.STANDING);
            assertThat(self.position().distance(home)).isLessThan(21);
        }
        assertThat(walked).isGreaterThan(path == BotPath.STILL ? -1 : 5000);
    }
}
