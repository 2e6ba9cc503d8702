package dev.wishdir.quake2.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How fast others seem, by the frames that show where they are. */
class VelocityEstimatorTest {
    private static final double SPEED = 10;

    /** A player as shown, frame for frame. */
    private static final class Show {
        private @Nullable VelocityEstimator estimator;
        private int before;

        Vec3 shown(int frame, int framesASecond, Vec3 position) {
            VelocityEstimator known = estimator;
            Vec3 velocity = Vec3.ZERO;
            if (known == null) {
                estimator = new VelocityEstimator(frame, position);
            } else {
                velocity = known.update(before, frame, framesASecond, position);
            }
            before = frame;
            return velocity;
        }
    }

    private final Show track = new Show();

    /** Where a player is after the given seconds, with the last of its commands. */
    private static Vec3 after(double seconds, int commandsASecond) {
        double commands = Math.floor(seconds * commandsASecond + 1e-9);
        return new Vec3(SPEED * commands / commandsASecond, 0, 0);
    }

    @ParameterizedTest
    @CsvSource({
        "120, 40", "120, 30", "120, 20", "60, 40", "60, 30", "60, 20", "60, 60", "30, 40", "30, 20",
        "20, 30", "10, 40", "10, 10"
    })
    void estimatesSteadyWalk(int framesASecond, int commandsASecond) {
        for (int phase = 0; phase < 10; phase++) {
            Show track = new Show();
            for (int frame = 1; frame < 3 * framesASecond; frame++) {
                double seconds = (double) frame / framesASecond + phase / 300.0;
                Vec3 velocity = track.shown(frame, framesASecond, after(seconds, commandsASecond));
                double expected = frame > framesASecond / 2 ? SPEED : 0;
                assertThat(velocity.x())
                        .as("frame %d, phase %d", frame, phase)
                        .isBetween(expected - 1e-6, SPEED + 1e-6);
            }
        }
    }

    @Test
    void stopsAfterAnEighthOfASecond() {
        for (int frame = 1; frame <= 60; frame++) {
            track.shown(frame, 60, after(frame / 60.0, 40));
        }
        for (int frame = 61; frame < 69; frame++) {
            assertThat(track.shown(frame, 60, after(1, 40)).x()).isCloseTo(SPEED, within(1e-6));
        }
        assertThat(track.shown(69, 60, after(1, 40))).isEqualTo(Vec3.ZERO);
    }

    @Test
    void doesNotOverestimateAfterPause() {
        for (int frame = 1; frame <= 120; frame++) {
            double seconds = frame <= 60 ? 0 : (frame - 60) / 60.0;
            assertThat(track.shown(frame, 60, after(seconds, 40)).x())
                    .as("frame %d", frame)
                    .isLessThan(SPEED + 1e-6);
        }
    }

    @Test
    void accountsForLostFrames() {
        for (int frame = 1; frame <= 40; frame += 3) {
            Vec3 velocity = track.shown(frame, 10, new Vec3(frame * 0.3, 0, 0));
            assertThat(velocity.x()).isCloseTo(frame == 1 ? 0 : 3, within(1e-6));
        }
    }

    @Test
    void ignoresTeleports() {
        track.shown(1, 10, Vec3.ZERO);
        assertThat(track.shown(2, 10, new Vec3(1, 0, 0)).x()).isCloseTo(10, within(1e-6));
        assertThat(track.shown(3, 10, new Vec3(6, 0, 0))).isEqualTo(Vec3.ZERO);
        assertThat(track.shown(4, 10, new Vec3(7, 0, 0)).x()).isCloseTo(10, within(1e-6));
    }
}
