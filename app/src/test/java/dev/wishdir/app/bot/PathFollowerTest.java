package dev.wishdir.app.bot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;

class PathFollowerTest {
    private static final long SECOND = 1_000_000_000L;

    private final PathFollower follower = new PathFollower(new Random(1));

    /** A jump pad throws a body farther than it walks in the time of a step. */
    @Test
    void staysOnPathWhileItFlies() {
        follower.start(0, List.of(new Vec3(0.5, 0, 0), new Vec3(40, 0, 0), new Vec3(41, 0, 0)));
        assertThat(follower.isCarried()).isFalse();
        assertThat(follower.follow(0, new Vec3(0.4, 0, 0), 1)).isPresent();
        assertThat(follower.isCarried()).isTrue();
        assertThat(follower.follow(3 * SECOND, new Vec3(30, 0, 6), 1))
                .hasValueSatisfying(input -> assertThat(input.yaw()).isZero());
        assertThat(follower.follow(4 * SECOND, new Vec3(40, 0, 0), 1)).isPresent();
        assertThat(follower.isCarried()).isFalse();
        assertThat(follower.follow(6 * SECOND, new Vec3(40, 3, 0), 1)).isEmpty();
    }

    @Test
    void leavesPathOnWhichItDoesNotGetOn() {
        follower.start(0, List.of(new Vec3(0.5, 0, 0), new Vec3(1, 0, 0)));
        assertThat(follower.follow(SECOND, new Vec3(-1, 0, 0), 1)).isPresent();
        assertThat(follower.follow(2 * SECOND, new Vec3(-1, 0, 0), 1)).isEmpty();
    }
}
