package dev.wishdir.idtech;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.motion.Vec3f;

import org.junit.jupiter.api.Test;

/** Two rooms side by side along x, a third above the second, and the void below all. */
class AreaTreeTest {
    private final AreaTree leafs =
            new AreaTree(
                    new Plane[] {
                        new Plane(new Vec3f(0, 0, 1), 0),
                        new Plane(new Vec3f(1, 0, 0), 100),
                        new Plane(new Vec3f(0, 0, 1), 64)
                    },
                    new int[] {0, 1, -1, 1, 2, -2, 2, -4, -3},
                    new int[] {-1, 0, 1, 2});

    @Test
    void knowsTheAreaOfAPoint() {
        assertThat(leafs.areaCount()).isEqualTo(3);
        assertThat(leafs.area(new Vec3f(0, 0, 10))).isZero();
        assertThat(leafs.area(new Vec3f(200, 0, 10))).isEqualTo(1);
        assertThat(leafs.area(new Vec3f(200, 0, 70))).isEqualTo(2);
        assertThat(leafs.area(new Vec3f(200, 0, -1))).isNegative();
    }

    @Test
    void knowsTheAreasThatABoxMeets() {
        assertThat(leafs.areas(new Box(new Vec3f(90, 0, 10), new Vec3f(110, 10, 20))).stream())
                .containsExactly(0, 1);
        assertThat(leafs.areas(new Box(new Vec3f(110, 0, 10), new Vec3f(120, 10, 80))).stream())
                .containsExactly(1, 2);
        assertThat(leafs.areas(new Box(new Vec3f(0, 0, -20), new Vec3f(9, 9, -10))).stream())
                .isEmpty();
    }

    @Test
    void reportsNoAreasWithoutTree() {
        AreaTree none = new AreaTree(new Plane[0], new int[0], new int[0]);
        assertThat(none.area(Vec3f.ZERO)).isNegative();
        assertThat(none.areas(new Box(Vec3f.ZERO, Vec3f.ZERO)).isEmpty()).isTrue();
    }
}
