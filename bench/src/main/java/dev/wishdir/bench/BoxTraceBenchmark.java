package dev.wishdir.bench;

import dev.wishdir.idtech.Brush;
import dev.wishdir.idtech.BrushWorld;
import dev.wishdir.idtech.Bsp46;
import dev.wishdir.idtech.Plane;
import dev.wishdir.idtech.Trace;
import dev.wishdir.motion.Vec3f;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * A player's box moving through a map of Quake III: through the tree, and past each brush in turn,
 * by hand, where those far from the way are passed over by their bounds. The maps are one of
 * generated boxes and ramps, and, where OpenArena's data are installed, a stock map of brushes and
 * curved patches. Times are for 1024 traces of at most 16 units along each axis, as movement makes
 * them.
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
    private static final float MARGIN = 1;

    /** Where the second plane of a facet is, which stops nothing. */
    private static final int BACK = 4;

    private static final Vec3f MINS = new Vec3f(-15, -15, -24);
    private static final Vec3f MAXS = new Vec3f(15, 15, 32);
    private static final float SIDEWAYS = 15;
    private static final float UP = 28;
    private static final float MIDDLE = 4;

    /** Generated, or the name of a map that OpenArena's paks hold. */
    @Param({"generated", "czest3ctf"})
    private String map = "generated";

    private final Vec3f[] starts = new Vec3f[TRACES];
    private final Vec3f[] ends = new Vec3f[TRACES];
    private Plain[] plain = {};
    private BrushWorld world = new BrushWorld(List.of());

    /** A brush by hand: its planes one after the other, and its bounds. */
    private static final class Plain {
        final float[] planes;
        final float[] bounds;
        final boolean facet;

        Plain(Brush brush) {
            Vec3f mins = brush.bounds().mins();
            Vec3f maxs = brush.bounds().maxs();
            bounds =
                    new float[] {
                        mins.x() - MARGIN,
                        mins.y() - MARGIN,
                        mins.z() - MARGIN,
                        maxs.x() + MARGIN,
                        maxs.y() + MARGIN,
                        maxs.z() + MARGIN
                    };
            facet = brush.facet();
            planes = new float[4 * brush.sides().size()];
            for (int side = 0; side < brush.sides().size(); side++) {
                Vec3f normal = brush.sides().get(side).plane().normal();
                planes[4 * side] = normal.x();
                planes[4 * side + 1] = normal.y();
                planes[4 * side + 2] = normal.z();
                planes[4 * side + 3] = brush.sides().get(side).plane().dist();
            }
        }
    }

    /**
     * Makes the map, and makes sure that both ways find the same.
     *
     * @throws IOException if there is no such map here
     */
    @Setup
    public void make() throws IOException {
        Random random = new Random(46);
        List<Brush> brushes = new ArrayList<>();
        List<Vec3f> places = new ArrayList<>();
        if (map.equals("generated")) {
            generate(random, brushes);
            for (int i = 0; i < TRACES; i++) {
                places.add(point(random, MAP, 560));
            }
        } else {
            Bsp46 bsp = Bsp46.read(InstalledMaps.read(map));
            brushes.addAll(bsp.models().getFirst().brushes());
            bsp.entities()
                    .forEach(entity ->
                            Bsp46.vector(entity, "origin")
                                    .ifPresent(at -> places.add(at.plus(point(random, 128, 64)))));
            if (brushes.stream().noneMatch(Brush::facet)) {
                throw new IOException(map + " has no curved patch");
            }
        }
        world = new BrushWorld(brushes);
        plain =
                brushes.stream()
                        .filter(brush -> (brush.contents() & SOLID) != 0)
                        .map(Plain::new)
                        .toArray(Plain[]::new);
        int met = 0;
        for (int i = 0; i < TRACES; i++) {
            starts[i] = places.get(i % places.size()).plus(point(random, 16, 16));
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

    /** Boxes with ramps on some, and ways between them. */
    private static void generate(Random random, List<Brush> brushes) {
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
        float lowX = Math.min(start.x(), end.x()) + MINS.x();
        float lowY = Math.min(start.y(), end.y()) + MINS.y();
        float lowZ = Math.min(start.z(), end.z()) + MINS.z();
        float highX = Math.max(start.x(), end.x()) + MAXS.x();
        float highY = Math.max(start.y(), end.y()) + MAXS.y();
        float highZ = Math.max(start.z(), end.z()) + MAXS.z();
        for (Plain solid : plain) {
            float[] bounds = solid.bounds;
            if (highX < bounds[0]
                    || highY < bounds[1]
                    || highZ < bounds[2]
                    || lowX > bounds[3]
                    || lowY > bounds[4]
                    || lowZ > bounds[5]) {
                continue;
            }
            float[] brush = solid.planes;
            int entered = -1;
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
                        float f = Math.max(0, (d1 - EPSILON) / (d1 - d2));
                        if (f > enter) {
                            enter = f;
                            entered = at;
                        }
                    } else {
                        boolean back = solid.facet && at == BACK;
                        leave = Math.min(leave, (back ? d1 : d1 + EPSILON) / (d1 - d2));
                    }
                }
            }
            if (misses || solid.facet && (entered < 0 || entered == BACK)) {
                continue;
            }
            if (!startOut && !out) {
                return 0;
            }
            if (startOut && enter >= 0 && enter < leave) {
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
