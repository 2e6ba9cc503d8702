package dev.wishdir.world.blocks;

import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.world.CollisionSpace;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Where a body gets that walks, steps, jumps up, swims or climbs up and falls, from where it
 * appears: every half metre of the plan, at whatever height there is a floor. The same question for
 * blocks and for a map.
 */
public final class ReachabilitySearch {
    /** More floor than any arena of the largest size has. */
    private static final int MAX_PLACES = 1 << 20;

    private static final double HALF_METRE = 0.5;

    /** Metres that a body falls at most. */
    private static final double MAX_FALL_METRES = 256;

    /** Floors nearer than this are one. */
    private static final double SAME_FLOOR_METRES = 0.2;

    /** Half metres to a place that is near. */
    private static final int NEAR_HALF_METRES = 4;

    /** Metres that a body gets higher than where it swims or climbs. */
    private static final double CLIMB_OUT_METRES = 1;

    private static final int[][] NEIGHBOURS = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

    private record Column(int i, int j) {}

    private final CollisionSpace space;
    private final BodyDimensions body;
    private final Map<Column, List<Double>> floors = new HashMap<>();
    private final Map<Vec3, List<Vec3>> onward = new LinkedHashMap<>();
    private final Deque<Vec3> open = new ArrayDeque<>();
    private int count;

    private ReachabilitySearch(CollisionSpace space, BodyDimensions body) {
        this.space = space;
        this.body = body;
    }

    /** All that one body gets to. */
    public static ReachabilitySearch of(
            CollisionSpace space, BodyDimensions body, List<Movement> spawns) {
        ReachabilitySearch search = new ReachabilitySearch(space, body);
        for (Movement spawn : spawns) {
            search.start(spawn.position());
        }
        while (!search.open.isEmpty()) {
            search.go(search.open.remove());
        }
        return search;
    }

    private double free(Vec3 from, Vec3 by) {
        return space.free(from, from.plus(by), body.width(), body.height());
    }

    private void start(Vec3 spawn) {
        for (double up = 0; up <= 1; up += 0.25) {
            Vec3 feet = spawn.plus(new Vec3(0, 0, up));
            for (int i = -1; i <= 1; i++) {
                for (int j = -1; j <= 1; j++) {
                    Vec3 at =
                            new Vec3(
                                    Math.rint(feet.x() / HALF_METRE + i) * HALF_METRE,
                                    Math.rint(feet.y() / HALF_METRE + j) * HALF_METRE,
                                    feet.z());
                    if (free(feet, at.minus(feet)) == 1) {
                        landing(at);
                    }
                }
            }
        }
    }

    /** The floor below; nothing where there is none, or no room. */
    private Optional<Vec3> landing(Vec3 from) {
        double way = free(from, new Vec3(0, 0, -MAX_FALL_METRES));
        if (way == 0 && !space.fits(from, body.width(), body.height()) || way == 1) {
            return Optional.empty();
        }
        double z = from.z() - way * MAX_FALL_METRES;
        List<Double> known = floors.computeIfAbsent(column(from), _ -> new ArrayList<>(1));
        for (double each : known) {
            if (Math.abs(each - z) < SAME_FLOOR_METRES) {
                return Optional.of(new Vec3(from.x(), from.y(), each));
            }
        }
        Vec3 place = new Vec3(from.x(), from.y(), z);
        if (count < MAX_PLACES) {
            known.add(z);
            count++;
            open.add(place);
        }
        return Optional.of(place);
    }

    private static Column column(Vec3 at) {
        return new Column(
                (int) Math.rint(at.x() / HALF_METRE), (int) Math.rint(at.y() / HALF_METRE));
    }

    private void go(Vec3 feet) {
        List<Double> ups = ups(feet);
        List<Vec3> next = new ArrayList<>(NEIGHBOURS.length);
        for (int[] way : NEIGHBOURS) {
            Vec3 aside = new Vec3(way[0] * HALF_METRE, way[1] * HALF_METRE, 0);
            for (double up : ups) {
                Vec3 raised = feet.plus(new Vec3(0, 0, up));
                if (up > 0 && free(feet, raised.minus(feet)) < 1) {
                    break;
                }
                if (free(raised, aside) == 1) {
                    landing(raised.plus(aside)).ifPresent(next::add);
                    break;
                }
            }
        }
        onward.put(feet, next);
    }

    /** How high it gets there before it goes on, metres, the least first. */
    private List<Double> ups(Vec3 feet) {
        double carried = space.maxClimb(feet);
        if (Double.isNaN(carried)) {
            return List.of(0.0, body.step(), body.jump());
        }
        List<Double> ups = new ArrayList<>(List.of(0.0));
        for (double up = HALF_METRE; up <= carried + CLIMB_OUT_METRES; up += HALF_METRE) {
            ups.add(up);
        }
        return ups;
    }

    /** Every place, in the order in which a body gets there. */
    public List<Vec3> places() {
        return List.copyOf(onward.keySet());
    }

    /**
     * How a body gets from one place to another: the shortest way.
     *
     * @param where the places by which it may lead
     * @return each half metre of it, the last of which is the end; none where there is no way
     */
    public List<Vec3> path(Vec3 from, Vec3 to, Predicate<Vec3> where) {
        Map<Vec3, Vec3> before = new HashMap<>();
        Deque<Vec3> ahead = new ArrayDeque<>(List.of(from));
        while (!ahead.isEmpty() && !before.containsKey(to)) {
            Vec3 at = ahead.remove();
            for (Vec3 next : onward.getOrDefault(at, List.of())) {
                if (where.test(next) && before.putIfAbsent(next, at) == null) {
                    ahead.add(next);
                }
            }
        }
        List<Vec3> way = new ArrayList<>();
        Vec3 at = before.containsKey(to) ? to : from;
        while (!at.equals(from)) {
            way.add(at);
            at = before.getOrDefault(at, from);
        }
        return way.reversed();
    }

    /** The place that is nearest, within two metres. */
    public Optional<Vec3> nearest(Vec3 feet) {
        Column middle = column(feet);
        Vec3 best = null;
        for (int i = middle.i - NEAR_HALF_METRES; i <= middle.i + NEAR_HALF_METRES; i++) {
            for (int j = middle.j - NEAR_HALF_METRES; j <= middle.j + NEAR_HALF_METRES; j++) {
                for (double z : floors.getOrDefault(new Column(i, j), List.of())) {
                    Vec3 at = new Vec3(i * HALF_METRE, j * HALF_METRE, z);
                    if (best == null || at.distance(feet) < best.distance(feet)) {
                        best = at;
                    }
                }
            }
        }
        return Optional.ofNullable(best);
    }

    /** How many places there are. */
    public int count() {
        return count;
    }

    /**
     * The share of these places that have one of the others within half a metre of the plan and of
     * the height.
     */
    public double shareCoveredBy(ReachabilitySearch others) {
        int near = 0;
        for (Map.Entry<Column, List<Double>> entry : floors.entrySet()) {
            for (double z : entry.getValue()) {
                near += others.isFloor(entry.getKey(), z) ? 1 : 0;
            }
        }
        return count == 0 ? 1 : (double) near / count;
    }

    private boolean isFloor(Column column, double z) {
        for (int i = -1; i <= 1; i++) {
            for (int j = -1; j <= 1; j++) {
                Column neighbour = new Column(column.i + i, column.j + j);
                for (double other : floors.getOrDefault(neighbour, List.of())) {
                    if ((i == 0 || j == 0) && Math.abs(other - z) <= HALF_METRE) {
                        return true;
                    }
                }
            }
        }
        return false;
    }
}
