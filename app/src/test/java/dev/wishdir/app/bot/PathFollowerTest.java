package dev.wishdir.app.bot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

class PathFollowerTest {
    private static final long SECOND = 1_000_000_000L;

    private final PathFollower follower = new PathFollower(new Random(1));

    private Optional<PlayerInput> follow(long now, double x, double y, double z) {
        return follower.follow(now, body(new Vec3(x, y, z), Stance.STANDING), 1);
    }

    private static Movement body(Vec3 at, Stance stance) {
        return new Movement(at, 0, 0, Vec3.ZERO, stance);
    }

    /** A jump pad throws a body farther than it walks in the time of a step. */
    @Test
    void staysOnPathWhileItFlies() {
        follower.start(0, List.of(new Vec3(0.5, 0, 0), new Vec3(40, 0, 0), new Vec3(41, 0, 0)));
        assertThat(follower.isCarried()).isFalse();
        assertThat(follow(0, 0.4, 0, 0)).isPresent();
        assertThat(follower.isCarried()).isTrue();
        assertThat(follow(3 * SECOND, 30, 0, 6))
                .hasValueSatisfying(input -> assertThat(input.yaw()).isZero());
        assertThat(follow(4 * SECOND, 40, 0, 0)).isPresent();
        assertThat(follower.isCarried()).isFalse();
        assertThat(follow(6 * SECOND, 40, 3, 0)).isEmpty();
    }

    @Test
    void leavesPathOnWhichItDoesNotGetOn() {
        follower.start(0, List.of(new Vec3(0.5, 0, 0), new Vec3(1, 0, 0)));
        assertThat(follow(SECOND, -1, 0, 0)).isPresent();
        assertThat(follow(2 * SECOND, -1, 0, 0)).isEmpty();
    }

    @Test
    void jumpsInSprintWherePathIsStraightAndEven() {
        Stance sprint = Stance.STANDING.with(Flag.SPRINTING, true);
        List<Vec3> straight = path(20, 0, 0);
        assertThat(jumps(straight, sprint)).isTrue();
        assertThat(jumps(straight, Stance.STANDING)).as("another game").isFalse();
        assertThat(jumps(straight, sprint.with(Flag.ON_GROUND, false))).isFalse();
        assertThat(jumps(path(8, 0, 0), sprint)).as("its end is near").isFalse();
        assertThat(jumps(path(20, 0, -1), sprint)).as("an edge").isFalse();
        assertThat(jumps(path(20, 2, 0), sprint)).as("a corner").isFalse();
    }

    private boolean jumps(List<Vec3> path, Stance stance) {
        follower.start(0, path);
        return follower.follow(0, body(Vec3.ZERO, stance), 1).orElseThrow().jump();
    }

    /** Places half a metre apart, the fourth of which lies aside, and lower. */
    private static List<Vec3> path(int length, double aside, double below) {
        return IntStream.range(0, length)
                .mapToObj(i -> new Vec3(i / 2.0, i == 3 ? aside : 0, i == 3 ? below : 0))
                .toList();
    }
}
