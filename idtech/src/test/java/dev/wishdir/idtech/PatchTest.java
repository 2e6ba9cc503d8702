package dev.wishdir.idtech;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.motion.Vec3f;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Boxes against curved patches whose shape is known. */
class PatchTest {
    private static final Vec3f MINS = new Vec3f(-15, -15, -24);
    private static final Vec3f MAXS = new Vec3f(15, 15, 32);
    private static final int SOLID = 1;

    /** Rows of points over x and y; each z as a function would give it. */
    private static List<List<Vec3f>> grid(int size, float step, float[] heights) {
        List<List<Vec3f>> rows = new ArrayList<>();
        for (int row = 0; row < size; row++) {
            List<Vec3f> points = new ArrayList<>();
            for (int column = 0; column < size; column++) {
                points.add(new Vec3f(column * step, row * step, heights[column]));
            }
            rows.add(points);
        }
        return rows;
    }

    private static BrushWorld world(List<List<Vec3f>> rows) {
        return new BrushWorld(Patch.facets(rows, SOLID, 7, "", 0));
    }

    private static Trace fall(BrushWorld world, float x, float y, float from, float to) {
        return world.trace(new Vec3f(x, y, from), MINS, MAXS, new Vec3f(x, y, to), SOLID);
    }

    @Test
    void makesOneFacetOfFlatPatch() {
        List<List<Vec3f>> rows = grid(3, 64, new float[] {8, 8, 8});
        assertThat(Patch.facets(rows, SOLID, 7, "", 0)).hasSize(1);
        BrushWorld world = world(rows);
        Trace down = fall(world, 64, 64, 100, -100);
        assertThat(down.end().z()).isCloseTo(8 + 24.125f, within(0.0001f));
        assertThat(down.plane().normal()).isEqualTo(new Vec3f(0, 0, 1));
        assertThat(down.surface()).isEqualTo(7);
        Trace up = fall(world, 64, 64, -100, 100);
        assertThat(up.fraction()).isEqualTo(1);
        // Next to it, and under it.
        assertThat(fall(world, -15.5f, 64, 100, -100).fraction()).isEqualTo(1);
        Trace under =
                world.trace(new Vec3f(-100, 64, -40), MINS, MAXS, new Vec3f(200, 64, -40), SOLID);
        assertThat(under.fraction()).isEqualTo(1);
        // Its rim stops what comes from the side.
        Trace rim = world.trace(new Vec3f(-100, 64, 0), MINS, MAXS, new Vec3f(200, 64, 0), SOLID);
        assertThat(rim.end().x()).isCloseTo(-15.125f, within(0.001f));
    }

    @Test
    void letsBodyLeavePatch() {
        BrushWorld world = world(grid(3, 64, new float[] {8, 8, 8}));
        Trace out = fall(world, 64, 64, 8, 100);
        assertThat(out.startSolid()).isFalse();
        assertThat(out.fraction()).isEqualTo(1);
        Vec3f inside = new Vec3f(64, 64, 8);
        assertThat(world.trace(inside, MINS, MAXS, inside, SOLID).allSolid()).isTrue();
        Vec3f above = new Vec3f(64, 64, 33);
        assertThat(world.trace(above, MINS, MAXS, above, SOLID).allSolid()).isFalse();
    }

    @Test
    void cutsCurveUntilNear() {
        // Control points 0, 200, 0: the curve's top is at 100.
        List<List<Vec3f>> rows = grid(3, 128, new float[] {0, 200, 0});
        assertThat(Patch.facets(rows, SOLID, 0, "", 0)).hasSize(4);
        BrushWorld world = world(rows);
        Vec3f none = Vec3f.ZERO;
        for (int x = 1; x < 256; x++) {
            Trace hit =
                    world.trace(new Vec3f(x, 100, 300), none, none, new Vec3f(x, 100, -10), SOLID);
            float t = x / 256f;
            float curve = 2 * t * (1 - t) * 200;
            assertThat(hit.end().z() - 0.125f / hit.plane().normal().z())
                    .isBetween(curve - 16, curve + 0.01f);
        }
    }

    @Test
    void makesTwoTrianglesOfTwistedQuad() {
        List<List<Vec3f>> rows =
                List.of(
                        List.of(new Vec3f(0, 0, 0), new Vec3f(32, 0, 0), new Vec3f(64, 0, 0)),
                        List.of(new Vec3f(0, 32, 0), new Vec3f(32, 32, 4), new Vec3f(64, 32, 8)),
                        List.of(new Vec3f(0, 64, 0), new Vec3f(32, 64, 8), new Vec3f(64, 64, 16)));
        assertThat(Patch.facets(rows, SOLID, 0, "", 0)).hasSize(2);
    }

    @Test
    void stopsEverythingFromFront() {
        float[] heights = {0, 60, 40, 90, 0};
        BrushWorld world = world(grid(5, 80, heights));
        Random random = new Random(3);
        for (int i = 0; i < 2_000; i++) {
            Vec3f start = new Vec3f(random.nextFloat(20, 300), random.nextFloat(20, 300), 300);
            Vec3f end = new Vec3f(random.nextFloat(20, 300), random.nextFloat(20, 300), -300);
            Trace hit = world.trace(start, MINS, MAXS, end, SOLID);
            assertThat(hit.fraction()).as("%s to %s", start, end).isLessThan(1);
            assertThat(hit.plane().normal().z()).isNotNegative();
            // What was stopped is free.
            Vec3f stopped = hit.end();
            assertThat(world.trace(stopped, MINS, MAXS, stopped, SOLID).allSolid()).isFalse();
        }
    }

    @Test
    void refusesEndlesslyBentPatch() {
        for (float high : new float[] {1e8f, 1e20f, 3e38f}) {
            assertThatExceptionOfType(MalformedMapException.class)
                    .isThrownBy(() -> world(grid(3, 128, new float[] {0, high, 0})))
                    .withMessageContaining("byte 0")
                    .withMessageContaining("subdivision");
        }
        List<List<Vec3f>> point = grid(3, 0, new float[] {5, 5, 5});
        assertThat(Patch.facets(point, SOLID, 0, "", 0)).isEmpty();
    }
}
