package dev.wishdir.idtech;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.motion.Vec3f;

import org.junit.jupiter.api.Test;

import java.util.List;

/** A box of 64 by 32 by 16 that stands elsewhere, or turned. */
class PlacedModelTest {
    private static final Vec3f MINS = new Vec3f(-15, -15, -24);
    private static final Vec3f MAXS = new Vec3f(15, 15, 32);
    private static final int DOOR = 70;

    private final BrushWorld model =
            new BrushWorld(List.of(Brush.box(new Vec3f(-32, -16, -8), new Vec3f(32, 16, 8), 1, 0)));
    private final BrushWorld empty = new BrushWorld(List.of());

    private BrushWorld world(Vec3f origin, Vec3f angles) {
        return empty.with(List.of(), List.of(new PlacedModel(DOOR, model, origin, angles)));
    }

    @Test
    void stopsABoxWhereItStands() {
        BrushWorld world = world(new Vec3f(100, 200, 0), Vec3f.ZERO);
        Trace trace = world.trace(new Vec3f(0, 200, 0), MINS, MAXS, new Vec3f(100, 200, 0), 1);
        assertThat(trace.entity()).isEqualTo(DOOR);
        assertThat(trace.end().x()).isCloseTo(100 - 32 - 15 - 0.125f, within(0.001f));
        assertThat(trace.plane().normal().x()).isEqualTo(-1);
        assertThat(trace.plane().dist()).isEqualTo(-68);
        assertThat(world.trace(new Vec3f(0, 200, 0), MINS, MAXS, new Vec3f(100, 200, 0), 2))
                .extracting(Trace::fraction, Trace::entity)
                .containsExactly(1f, Trace.WORLD);
        assertThat(world.contents(new Vec3f(100, 200, 0))).isEqualTo(1);
        assertThat(world.contents(Vec3f.ZERO)).isZero();
    }

    @Test
    void stopsElsewhereWhenTurned() {
        BrushWorld world = world(new Vec3f(100, 200, 0), new Vec3f(0, 90, 0));
        Trace trace =
                world.trace(
                        new Vec3f(0, 200, 0), Vec3f.ZERO, Vec3f.ZERO, new Vec3f(100, 200, 0), 1);
        assertThat(trace.end().x()).isCloseTo(100 - 16 - 0.125f, within(0.001f));
        assertThat(trace.plane().normal().x()).isCloseTo(-1, within(0.0001f));
        assertThat(trace.plane().dist()).isCloseTo(-84, within(0.001f));
        assertThat(world.contents(new Vec3f(100, 230, 0))).isEqualTo(1);
        assertThat(world.contents(new Vec3f(130, 200, 0))).isZero();
    }

    @Test
    void holdsBodyInside() {
        BrushWorld world = world(new Vec3f(100, 0, 0), Vec3f.ZERO);
        Vec3f inside = new Vec3f(100, 0, 0);
        Trace trace = world.trace(inside, MINS, MAXS, inside.withZ(100), 1);
        assertThat(trace.startSolid()).isTrue();
        PlacedModel placed = new PlacedModel(DOOR, model, inside, Vec3f.ZERO);
        assertThat(placed.intersects(new Vec3f(146, 0, 0), MINS, MAXS)).isTrue();
        assertThat(placed.intersects(new Vec3f(148, 0, 0), MINS, MAXS)).isFalse();
    }

    @Test
    void stopsAtNearestOfWorldAndModels() {
        BrushWorld wall =
                new BrushWorld(
                        List.of(Brush.box(new Vec3f(50, -99, -99), new Vec3f(60, 99, 99), 1, 0)));
        PlacedModel behind = new PlacedModel(DOOR, model, new Vec3f(100, 0, 0), Vec3f.ZERO);
        PlacedModel before = new PlacedModel(71, model, new Vec3f(20, 0, 0), Vec3f.ZERO);
        Vec3f from = new Vec3f(-100, 0, 0);
        Vec3f to = new Vec3f(200, 0, 0);
        assertThat(wall.with(List.of(), List.of(behind)).trace(from, MINS, MAXS, to, 1).entity())
                .isEqualTo(Trace.WORLD);
        assertThat(
                        wall.with(List.of(), List.of(behind, before))
                                .trace(from, MINS, MAXS, to, 1)
                                .entity())
                .isEqualTo(71);
    }
}
