package dev.wishdir.blocks.stock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.blocks.arena.MoveTrigger;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.blocks.stock.StockMap.TriggerArea;
import dev.wishdir.idtech.Brush;
import dev.wishdir.idtech.BrushWorld;
import dev.wishdir.idtech.MapSpace;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Paths between two platforms of 8 by 8 m, with a gap of 8 m between them. */
class StockMapPathsTest {
    private static final int SOLID = 1;
    private static final int LAVA = 8;
    private static final int WATER = 32;

    /** From a floor to the feet of a body that stands on it. */
    private static final double ABOVE = 1 / 256.0;

    private static final Vec3 WEST = new Vec3(-8, 0, ABOVE);
    private static final Vec3 EAST = new Vec3(8, 0, ABOVE);

    private final List<Brush> brushes = new ArrayList<>();
    private final List<Bounds> hurtAreas = new ArrayList<>();
    private final List<TriggerArea> triggers = new ArrayList<>();

    StockMapPathsTest() {
        box(-12, -4, -8, -4, 4, 0, SOLID);
        box(4, -4, -8, 12, 4, 0, SOLID);
    }

    private void box(double x0, double y0, double z0, double x1, double y1, double z1, int what) {
        Vec3f min = new Vec3f((float) x0, (float) y0, (float) z0);
        Vec3f max = new Vec3f((float) x1, (float) y1, (float) z1);
        brushes.add(
                Brush.box(
                        min.times(StockMap.UNITS_PER_METRE),
                        max.times(StockMap.UNITS_PER_METRE),
                        what,
                        0));
    }

    private StockMapPaths paths() {
        return new StockMapPaths(
                new StockMap(
                        "quake3",
                        "platforms",
                        "Two platforms",
                        new BodyDimensions("quake3", 0.9375, 1.75, 0.5625, 1.5),
                        brushes,
                        SOLID,
                        _ -> false,
                        _ -> false,
                        new MapSpace(
                                new BrushWorld(brushes),
                                StockMap.UNITS_PER_METRE,
                                SOLID,
                                0,
                                hurtAreas),
                        List.of(Movement.at(WEST, 0), Movement.at(EAST, 0)),
                        triggers,
                        List.of(),
                        Optional.empty(),
                        List.of()));
    }

    private static void assertNoPath(StockMapPaths paths) {
        assertThat(paths.path(WEST, EAST)).isEmpty();
        assertThat(paths.placesWithReturn()).isNotEmpty().allMatch(place -> place.x() < 0);
    }

    @Test
    void endsAtVoid() {
        assertNoPath(paths());
    }

    @Test
    void leadsOverFloorAndThroughWaterNotThroughLava() {
        box(-4, -4, -1.5, 4, 4, -1, SOLID);
        assertThat(paths().path(WEST, EAST)).hasSize(32).last().isEqualTo(EAST);
        box(-4, -4, -1, 4, 4, -0.25, WATER);
        assertThat(paths().path(WEST, EAST)).isNotEmpty();
        box(-4, -4, -1, 4, 4, -0.25, LAVA);
        assertNoPath(paths());
    }

    @Test
    void avoidsAreasThatHurt() {
        box(-4, -4, -1.5, 4, 4, -1, SOLID);
        // Above the floor, on which a body would be alive again.
        hurtAreas.add(new Bounds(new Vec3(-4, -4, -0.6), new Vec3(4, 4, -0.2)));
        assertNoPath(paths());
    }

    /** A bridge as narrow as a body leads straight on; another one, broad, is 16 m to the side. */
    @Test
    void prefersFirmGround() {
        box(-4, -0.45, -0.5, 4, 0.45, 0, SOLID);
        StockMapPaths narrow = paths();
        assertThat(narrow.path(WEST, EAST)).hasSize(32);
        assertThat(narrow.isReached(new Vec3(0, 0, 0))).isTrue();
        assertThat(narrow.isReached(new Vec3(0, 2, 0))).isFalse();
        box(-12, 4, -0.5, -8, 20, 0, SOLID);
        box(8, 4, -0.5, 12, 20, 0, SOLID);
        box(-12, 16, -0.5, 12, 20, 0, SOLID);
        assertThat(paths().path(WEST, EAST)).anyMatch(place -> place.y() > 16);
    }

    /** The body flies on behind the highest point of its flight. */
    @Test
    void takesJumpPads() {
        Bounds area = new Bounds(new Vec3(-6, -1, 0), new Vec3(-5, 1, 0.25));
        Vec3 place = new Vec3(-5.5, 0, 0);
        triggers.add(
                new TriggerArea(
                        area, new MoveTrigger.JumpPad(place, place.plus(new Vec3(6, 0, 4)))));
        List<Vec3> path = paths().path(WEST, EAST);
        assertThat(path).last().isEqualTo(EAST);
        assertThat(path).noneMatch(at -> Math.abs(at.x()) < 4);
        assertThat(paths().path(EAST, WEST)).isEmpty();
    }

    @Test
    void slidesAlongWallBesideJumpPad() {
        box(4, -4, 0, 12, 4, 2, SOLID);
        box(-4, -4, -1.5, 4, 4, -1, SOLID);
        Bounds area = new Bounds(new Vec3(3, -1, -1), new Vec3(4, 1, -0.75));
        Vec3 place = new Vec3(3.5, 0, -1);
        triggers.add(
                new TriggerArea(
                        area, new MoveTrigger.JumpPad(place, place.plus(new Vec3(2, 0, 6)))));
        assertThat(paths().path(WEST, new Vec3(8, 0, 2))).isNotEmpty();
    }

    @Test
    void takesTeleportersAndLeadsBackFromThere() {
        Bounds area = new Bounds(new Vec3(-12, -1, 0), new Vec3(-11, 1, 2));
        Movement exit = Movement.at(new Vec3(8.2, 0.1, 0.5), 0);
        triggers.add(
                new TriggerArea(area, new MoveTrigger.Teleporter(new Vec3(-11.5, 0, 0), exit)));
        assertThat(paths().path(WEST, EAST)).last().isEqualTo(EAST);
        assertThat(paths().path(EAST, WEST)).isEmpty();
    }

    @Test
    void findsWayFromTheAirAndSeesOverVoid() {
        StockMapPaths paths = paths();
        assertThat(paths.path(new Vec3(-9, 0, 6), WEST)).last().isEqualTo(WEST);
        assertThat(paths.isSeen(WEST.plus(new Vec3(0, 0, 1)), EAST.plus(new Vec3(0, 0, 1))))
                .isTrue();
        assertThat(paths.isSeen(WEST.plus(new Vec3(0, 0, 1)), new Vec3(0, 0, -20))).isFalse();
        assertThat(paths.placesIn(new Bounds(new Vec3(-9, -1, -1), new Vec3(-8, 1, 1))))
                .hasSize(15);
    }
}
