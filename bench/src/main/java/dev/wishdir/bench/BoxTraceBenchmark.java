package dev.wishdir.bench;

import dev.wishdir.world.Brush;
import dev.wishdir.world.BrushWorld;
import dev.wishdir.world.Plane;
import dev.wishdir.world.Trace;
import dev.wishdir.world.Vec3f;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * A player's box moving through as many brushes as a stock map of Quake III has: through the tree,
 * and past each brush in turn, by hand. Times are for 1024 traces of at most 16 units along each
 * axis, as movement makes them.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class BoxTraceBenchmark {
    private static final int TRACES = 1024;
    private static final int BRUSHES = 1500;
    private static final int MAP = 2048;
    private static final int SOLID = 1;
    private static final float EPSILON = 0.125f;
    private static final Vec3f MINS = new Vec3f(-15, -15, -24);
    private static final Vec3f MAXS = new Vec3f(15, 15, 32);
    private static final float SIDEWAYS = 15;
    private static final float UP = 28;
    private static final float MIDDLE = 4;

    private final Vec3f[] starts = new Vec3f[TRACES];
    private final Vec3f[] ends = new Vec3f[TRACES];
    private final float[][] planes = new float[BRUSHES][];
    private BrushWorld world = new BrushWorld(List.of());

    /** A map of boxes with ramps on some, and ways between them. */
    @Setup
    public void make() {
        Random random = new Random(46);
        List<Brush> brushes = new ArrayList<>();
        for (int i = 0; i < BRUSHES; i++) {
            Vec3f low = point(random, MAP, 512);
            Vec3f size =
                    new Vec3f(
                            random.nextInt(8, 256), random.nextInt(8, 256), random.nextInt(8, 64));
            Brush box = Brush.box(low, low.plus(size), SOLID, 0);
            if (i % 4 == 0) {
                List<Brush.Side> sides = new ArrayList<>(box.sides());
                Vec3f slope = new Vec3f(1, 0, 2).normalised();
                Vec3f top = low.plus(new Vec3f(size.x() / 2, 0, size.z()));
                sides.add(new Brush.Side(new Plane(slope, top.dot(slope)), 0));
                box = new Brush(SOLID, box.bounds(), sides);
            }
            brushes.add(box);
            planes[i] = new float[4 * box.sides().size()];
            for (int side = 0; side < box.sides().size(); side++) {
                Vec3f normal = box.sides().get(side).plane().normal();
                planes[i][4 * side] = normal.x();
                planes[i][4 * side + 1] = normal.y();
                planes[i][4 * side + 2] = normal.z();
                planes[i][4 * side + 3] = box.sides().get(side).plane().dist();
            }
        }
        world = new BrushWorld(brushes);
        int met = 0;
        for (int i = 0; i < TRACES; i++) {
            starts[i] = point(random, MAP, 560);
            ends[i] = starts[i].plus(point(random, 16, 16));
            Trace found = world.trace(starts[i], MINS, MAXS, ends[i], SOLID);
            if (found.fraction() != byHand(starts[i], ends[i])) {
                throw new IllegalStateException(found + " is not " + byHand(starts[i], ends[i]));
            }
            met += found.fraction() < 1 ? 1 : 0;
        }
        if (met < TRACES / 50) {
            throw new IllegalStateException("only " + met + " of the traces meet anything");
        }
    }

    private static Vec3f point(Random random, int wide, int high) {
        return new Vec3f(
                random.nextFloat(-wide, wide),
                random.nextFloat(-wide, wide),
                random.nextFloat(-high, high));
    }

    /** How far the box goes, against each brush in turn. */
    private float byHand(Vec3f start, Vec3f end) {
        float fraction = 1;
        float startZ = start.z() + MIDDLE;
        float endZ = end.z() + MIDDLE;
        for (float[] brush : planes) {
            float enter = -1;
            float leave = 1;
            boolean out = false;
            boolean startOut = false;
            boolean misses = false;
            for (int at = 0; at < brush.length; at += 4) {
                float nx = brush[at];
                float ny = brush[at + 1];
                float nz = brush[at + 2];
                float dist =
                        brush[at + 3]
                                + (Math.abs(nx) * SIDEWAYS
                                        + Math.abs(ny) * SIDEWAYS
                                        + Math.abs(nz) * UP);
                float d1 = start.x() * nx + start.y() * ny + startZ * nz - dist;
                float d2 = end.x() * nx + end.y() * ny + endZ * nz - dist;
                out |= d2 > 0;
                startOut |= d1 > 0;
                if (d1 > 0 && (d2 >= EPSILON || d2 >= d1)) {
                    misses = true;
                    break;
                }
                if (d1 > 0 || d2 > 0) {
                    if (d1 > d2) {
                        enter = Math.max(enter, Math.max(0, (d1 - EPSILON) / (d1 - d2)));
                    } else {
                        leave = Math.min(leave, (d1 + EPSILON) / (d1 - d2));
                    }
                }
            }
            if (!misses && !startOut && !out) {
                return 0;
            }
            if (!misses && startOut && enter >= 0 && enter < leave) {
                fraction = Math.min(fraction, enter);
            }
        }
        return fraction;
    }

    /** Through the tree. */
    @Benchmark
    public void tree(Blackhole hole) {
        for (int i = 0; i < TRACES; i++) {
            hole.consume(world.trace(starts[i], MINS, MAXS, ends[i], SOLID));
        }
    }

    /** Past each brush. */
    @Benchmark
    public void eachBrush(Blackhole hole) {
        for (int i = 0; i < TRACES; i++) {
            hole.consume(byHand(starts[i], ends[i]));
        }
    }
}
