package dev.wishdir.motion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.util.List;

class MotionTest {
    @Test
    void keepsAnglesInRange() {
        assertThat(Angles.wrap360(-1e-20)).isZero();
        assertThat(Angles.wrap360(-90)).isEqualTo(270);
        assertThat(Angles.wrap360(720)).isZero();
        assertThat(Angles.wrap180(270)).isEqualTo(-90);
        assertThat(Angles.between(350, 10)).isCloseTo(20, within(1e-9));
        assertThat(Angles.yaw(0, 1)).isEqualTo(90);
        assertThat(Angles.yaw(-1, 0)).isEqualTo(180);
    }

    @Test
    void storesStanceAsFlags() {
        Stance stance = Stance.STANDING.with(Stance.Flag.CROUCHED);
        assertThat(stance.labels()).containsExactly("on-ground", "crouched");
        assertThat(stance.with(Stance.Flag.ON_GROUND, false).onGround()).isFalse();
    }

    @Test
    void acceptsOnlyFiniteMovement() {
        assertThat(Movement.ORIGIN.isValid()).isTrue();
        for (double bad :
                new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
            assertThat(Movement.at(new Vec3(0, bad, 0), 0).isValid()).isFalse();
            assertThat(Movement.at(Vec3.ZERO, bad).isValid()).isFalse();
            assertThat(new Movement(Vec3.ZERO, 0, bad, Vec3.ZERO, Stance.NONE).isValid()).isFalse();
            assertThat(new Movement(Vec3.ZERO, 0, 0, new Vec3(bad, 0, 0), Stance.NONE).isValid())
                    .isFalse();
        }
    }

    @Test
    void refusesBoundsThatAreInvertedOrNotANumber() {
        Vec3 max = new Vec3(1, 1, 2);
        for (Vec3 min :
                List.of(
                        new Vec3(1.5, 0, 0),
                        new Vec3(0, 1.5, 0),
                        new Vec3(0, 0, 2.5),
                        new Vec3(Double.NaN, 0, 0))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Bounds(min, max))
                    .withMessageContaining("min " + min)
                    .withMessageContaining("max " + max);
        }
        assertThat(new Bounds(max, max).contains(max)).isTrue();
    }

    @Test
    void clampsToNearestPoint() {
        Bounds box = new Bounds(new Vec3(-1, -1, 0), new Vec3(1, 1, 2));
        assertThat(box.clamp(new Vec3(9, 0, -3))).isEqualTo(new Vec3(1, 0, 0));
        Vec3 inside = new Vec3(0.5, 0, 1);
        assertThat(box.clamp(inside)).isSameAs(inside);
    }
}
