package dev.wishdir.blocks.reach;

import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The places in a collision space that a body can reach from spawn points. Places lie half a metre
 * apart in plan, at whatever height a floor is, so that blocks and maps are compared by the same
 * rule. The body walks, steps, jumps, swims or climbs up and falls; {@link BodyReachability} is for
 * arenas of blocks only.
 */
public final class ReachabilitySearch {
    /** More places than the largest arena has. */
    private static final int MAX_PLACES = 1 << 20;

    private static final double HALF_METRE = 0.5;

    /** Maximum height of a fall. */
    private static final double MAX_FALL_METRES = 256;

    /** Floors closer than this are the same. */
    private static final double SAME_FLOOR_METRES = 0.2;

    /** Half metres to the farthest column that {@link #nearest} searches. */
    private static final int NEAR_HALF_METRES = 4;

    /** Height that a body gains when it leaves the water or the ladder. */
    private static final double CLIMB_OUT_METRES = 1;

    private static final int[][] NEIGHBOURS = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

    private record Column(int i, int j) {}

    private final CollisionSpace space;
    private final BodyDimensions body;
    private final Function<Vec3, Optional<Vec3>> carriers;
    private final boolean avoidsDeadly;
    private final Map<Column, List<Double>> floors = new HashMap<>();
    private final Map<Vec3, List<Vec3>> onward = new LinkedHashMap<>();
    private final Deque<Vec3> open = new ArrayDeque<>();
    private int count;

    private ReachabilitySearch(
            CollisionSpace space,
            BodyDimensions body,
            Function<Vec3, Optional<Vec3>> carriers,
            boolean avoidsDeadly) {
        this.space = space;
        this.body = body;
        this.carriers = carriers;
        this.avoidsDeadly = avoidsDeadly;
    }

    /** Finds all places that a body can reach, also in what hurts it. */
    public static ReachabilitySearch of(
            CollisionSpace space, BodyDimensions body, List<Movement> spawns) {
        return new ReachabilitySearch(space, body, _ -> Optional.empty(), false).run(spawns);
    }

    /**
     * Finds all places that a body can reach alive.
     *
     * @param carriers where a teleporter or jump pad that a body touches at a place releases it, to
     *     fall from there; empty for other places
     */
    public static ReachabilitySearch alive(
            CollisionSpace space,
            BodyDimensions body,
            List<Movement> spawns,
            Function<Vec3, Optional<Vec3>> carriers) {
        return new ReachabilitySearch(space, body, carriers, true).run(spawns);
    }

    private ReachabilitySearch run(List<Movement> spawns) {
        for (Movement spawn : spawns) {
            start(spawn.position());
        }
        while (!open.isEmpty()) {
            expand(open.remove());
        }
        return this;
    }

    private double free(Vec3 from, Vec3 by) {
        return space.free(from, from.plus(by), body.width(), body.height());
    }

    private void start(Vec3 spawn) {
        for (double up = 0; up <= 1; up += 0.25) {
            Vec3 feet = spawn.plus(new Vec3(0, 0, up));
            for (int i = -1; i <= 1; i++) {
                for (int j = -1; j <= 1; j++) {
                    Vec3 at = onLattice(feet.plus(new Vec3(i * HALF_METRE, j * HALF_METRE, 0)));
                    if (free(feet, at.minus(feet)) == 1) {
                        landing(at);
                    }
                }
            }
        }
    }

    /** The nearest point above or below places; zeros are positive, as places are compared. */
    private static Vec3 onLattice(Vec3 at) {
        return new Vec3(
                Math.rint(at.x() / HALF_METRE) * HALF_METRE + 0.0,
                Math.rint(at.y() / HALF_METRE) * HALF_METRE + 0.0,
                at.z());
    }

    /** The place on the floor below; empty if there is no floor, or no room. */
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
        if (avoidsDeadly && isDeadly(from, place)) {
            return Optional.empty();
        }
        if (count < MAX_PLACES) {
            known.add(z);
            count++;
            open.add(place);
        }
        return Optional.of(place);
    }

    /** Whether a body dies on its way down, or where it lands. */
    private boolean isDeadly(Vec3 from, Vec3 place) {
        Vec3 low = place.plus(new Vec3(0, 0, SAME_FLOOR_METRES));
        for (double up = 0; low.z() + up < from.z(); up += HALF_METRE) {
            if (space.isDeadly(low.plus(new Vec3(0, 0, up)))) {
                return true;
            }
        }
        double side = body.width() / 2;
        return space.isDeadly(low)
                || space.isDeadly(low.plus(new Vec3(side, side, 0)))
                || space.isDeadly(low.plus(new Vec3(side, -side, 0)))
                || space.isDeadly(low.plus(new Vec3(-side, side, 0)))
                || space.isDeadly(low.plus(new Vec3(-side, -side, 0)));
    }

    private static Column column(Vec3 at) {
        return new Column(
                (int) Math.rint(at.x() / HALF_METRE), (int) Math.rint(at.y() / HALF_METRE));
    }

    private void expand(Vec3 feet) {
        Optional<Vec3> carried = carriers.apply(feet);
        if (carried.isPresent()) {
            onward.put(feet, landing(onLattice(carried.get())).stream().toList());
            return;
        }
        List<Double> ups = rises(feet);
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

    /** The heights to which the body can rise before it moves on, metres, ascending. */
    private List<Double> rises(Vec3 feet) {
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

    /** All places, in breadth-first order. */
    public List<Vec3> places() {
        return List.copyOf(onward.keySet());
    }

    /**
     * The shortest path from one place to another.
     *
     * @param where accepts the places that the path may contain
     * @return the places of the path at each half metre, up to its end; empty if there is no path
     */
    public List<Vec3> path(Vec3 from, Vec3 to, Predicate<Vec3> where) {
        return ShortestPath.find(
                from, to, at -> onward.getOrDefault(at, List.of()).stream().filter(where).toList());
    }

    /** The nearest place, searched within two metres along each horizontal axis. */
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

    /** The places to which a body gets from a place by one step. */
    public List<Vec3> onward(Vec3 place) {
        return onward.getOrDefault(place, List.of());
    }

    /** The number of places. */
    public int count() {
        return count;
    }

    /**
     * The share of these places that have one of the others within half a metre, horizontally and
     * vertically.
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
