package dev.wishdir.idtech;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

class CollisionSpaceTest {
    private static final CollisionSpace ROOM =
            CollisionSpace.within(new Bounds(new Vec3(-8, -8, 0), new Vec3(8, 8, 16)));
    private static final Offset<Double> EXACT = Offset.offset(1e-9);

    @Test
    void stopsBodyAtWallsAndFloor() {
        Vec3 middle = new Vec3(0, 0, 0);
        assertThat(ROOM.free(middle, new Vec3(5, 0, 0), 1, 2)).isEqualTo(1);
        assertThat(ROOM.free(middle, new Vec3(15, 0, 0), 1, 2)).isEqualTo(0.5, EXACT);
        assertThat(ROOM.free(middle, new Vec3(0, -75, 0), 1, 2)).isEqualTo(0.1, EXACT);
        assertThat(ROOM.free(new Vec3(0, 0, 4), new Vec3(0, 0, -4), 1, 2)).isEqualTo(0.5, EXACT);
        assertThat(ROOM.free(middle, new Vec3(0, 0, 100), 1, 2)).isEqualTo(1);
    }

    /** Contents: 1 solid, 8 lava, 16 slime, 32 water. */
    @ParameterizedTest
    @CsvSource({"1, false", "8, true", "16, true", "32, false"})
    void knowsDeadlyLiquids(int contents, boolean isDeadly) {
        Brush pool = Brush.box(new Vec3f(0, 0, 0), new Vec3f(64, 64, 64), contents, 0);
        MapSpace space = new MapSpace(new BrushWorld(List.of(pool)), 32, 1);
        assertThat(space.isDeadly(new Vec3(1, 1, 1))).isEqualTo(isDeadly);
        assertThat(space.isDeadly(new Vec3(1, 1, 3))).isFalse();
    }

    @Test
    void knowsAreasThatHurt() {
        Bounds area = new Bounds(new Vec3(0, 0, -2), new Vec3(4, 4, -1));
        MapSpace space = new MapSpace(new BrushWorld(List.of()), 32, 1, 0, List.of(area));
        assertThat(space.isDeadly(new Vec3(2, 2, -1.5))).isTrue();
        assertThat(space.isDeadly(new Vec3(2, 2, 0))).isFalse();
    }

    @Test
    void findsRoomForBody() {
        assertThat(ROOM.fits(new Vec3(7.4, 0, 0), 1, 2)).isTrue();
        assertThat(ROOM.fits(new Vec3(7.6, 0, 0), 1, 2)).isFalse();
        assertThat(ROOM.fits(new Vec3(0, 0, -0.1), 1, 2)).isFalse();
        assertThat(CollisionSpace.OPEN.fits(new Vec3(0, 0, -1_000), 1, 2)).isTrue();
    }
}
