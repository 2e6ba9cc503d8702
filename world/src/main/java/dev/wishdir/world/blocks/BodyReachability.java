package dev.wishdir.world.blocks;

import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.world.CollisionSpace;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where one game's body gets in an arena, from where it may appear. It is tried at every half
 * metre, standing; it walks, steps, jumps up, swims or climbs up and falls to the next half metre,
 * and goes where a teleporter or a jump pad takes it.
 */
public final class BodyReachability {
    /** A body that is as wide as a gap does not get in. */
    private static final double GAP_METRES = 0.01;

    /** Straight parts that a flight is taken for. */
    private static final int FLIGHT_SEGMENTS = 16;

    /** Metres that a body gets higher than where it swims or climbs. */
    private static final double CLIMB_OUT_METRES = 1;

    private static final int[][] NEIGHBOURS = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

    private final BlockArena arena;
    private final BlockGrid blocks;
    private final CollisionSpace space;
    private final BodyDimensions body;
    private final int wide;
    private final int deep;
    private final BitSet stands = new BitSet();

    /** By spawn, where a body comes down that appears there; -1 for nowhere. */
    private final List<Integer> starts = new ArrayList<>();

    private final Map<Integer, List<Integer>> onward = new HashMap<>();
    private final Map<Integer, List<Integer>> back = new HashMap<>();
    private final BitSet reached;

    public BodyReachability(BlockArena arena, BodyDimensions body) {
        this.arena = arena;
        blocks = arena.blocks();
        space = arena.space();
        this.body = body;
        wide = 2 * blocks.width() + 1;
        deep = 2 * blocks.depth() + 1;
        int places = wide * deep * (2 * blocks.height() + 1);
        for (int at = 0; at < places; at++) {
            Vec3 feet = place(at);
            if (fits(feet) && !fits(feet.minus(new Vec3(0, 0, 0.1)))) {
                stands.set(at);
            }
        }
        for (Movement spawn : arena.spawns()) {
            starts.add(start(spawn.position()));
        }
        reached = flood();
    }

    private boolean fits(Vec3 feet) {
        return space.fits(feet, width(), body.height());
    }

    private double width() {
        return body.width() + GAP_METRES;
    }

    Vec3 place(int index) {
        int x = index % wide;
        int y = index / wide % deep;
        int h = index / wide / deep;
        return new Vec3(blocks.minX() + x / 2.0, blocks.minY() + y / 2.0, blocks.minZ() + h / 2.0);
    }

    private int index(Vec3 feet) {
        int x = (int) Math.round(2 * (feet.x() - blocks.minX()));
        int y = (int) Math.round(2 * (feet.y() - blocks.minY()));
        int h = (int) Math.round(2 * (feet.z() - blocks.minZ()));
        return x + wide * (y + deep * h);
    }

    private int start(Vec3 feet) {
        for (int under = index(feet); under >= 0; under -= wide * deep) {
            for (int[] near : new int[][] {{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}}) {
                int at = under + near[0] + wide * near[1];
                if (at >= 0 && stands.get(at)) {
                    return at;
                }
            }
        }
        return -1;
    }

    private BitSet flood() {
        BitSet seen = new BitSet();
        Deque<Integer> open = new ArrayDeque<>();
        for (int start : starts) {
            if (start >= 0 && !seen.get(start)) {
                seen.set(start);
                open.add(start);
            }
        }
        while (!open.isEmpty()) {
            int from = open.remove();
            for (int to : next(from)) {
                if (to >= 0) {
                    onward.computeIfAbsent(from, _ -> new ArrayList<>()).add(to);
                    back.computeIfAbsent(to, _ -> new ArrayList<>()).add(from);
                    if (!seen.get(to)) {
                        seen.set(to);
                        open.add(to);
                    }
                }
            }
        }
        return seen;
    }

    /** Where it gets from a place; -1 for nowhere. */
    private int[] next(int from) {
        MoveTrigger trigger = MoveTrigger.at(arena.moveTriggers(), place(from), 0).orElse(null);
        if (trigger == null) {
            return Arrays.stream(NEIGHBOURS).mapToInt(way -> next(from, way)).toArray();
        }
        return switch (trigger) {
            case MoveTrigger.Teleporter _ ->
                    new int[] {fits(trigger.target()) ? start(trigger.target()) : -1};
            case MoveTrigger.JumpPad pad -> {
                // Who is thrown comes down below the highest place of the way.
                Vec3 apex = place(from).plus(pad.apex()).minus(pad.place());
                yield new int[] {flies(place(from), apex) ? start(apex) : -1};
            }
        };
    }

    /** Whether nothing is in the way of one who is thrown. */
    private boolean flies(Vec3 from, Vec3 apex) {
        Vec3 at = from;
        for (int i = 1; i <= FLIGHT_SEGMENTS; i++) {
            double rest = 1 - (double) i / FLIGHT_SEGMENTS;
            Vec3 way = apex.minus(from);
            Vec3 next =
                    new Vec3(
                            from.x() + way.x() * (1 - rest),
                            from.y() + way.y() * (1 - rest),
                            from.z() + way.z() * (1 - rest * rest));
            if (space.free(at, next, width(), body.height()) < 1) {
                return false;
            }
            at = next;
        }
        return true;
    }

    /** Where half a metre's walk leads: up by a step, a jump or a ladder, along, or down. */
    private int next(int from, int[] way) {
        Vec3 feet = place(from);
        Vec3 aside = new Vec3(way[0] / 2.0, way[1] / 2.0, 0);
        double carried = space.maxClimb(feet);
        double most =
                Double.isNaN(carried)
                        ? Math.max(body.step(), body.jump())
                        : carried + Math.max(body.step(), Math.min(body.jump(), CLIMB_OUT_METRES));
        for (double up = 0; up <= most; up += 0.5) {
            Vec3 raised = feet.plus(new Vec3(0, 0, up));
            if (up > 0 && space.free(feet, raised, width(), body.height()) < 1) {
                return -1;
            }
            if (space.free(raised, raised.plus(aside), width(), body.height()) == 1) {
                return down(from, way, (int) (2 * up));
            }
        }
        return -1;
    }

    private int down(int from, int[] way, int up) {
        int at = from + way[0] + wide * (way[1] + deep * up);
        while (at >= 0 && !stands.get(at)) {
            at -= wide * deep;
        }
        return at;
    }

    BodyDimensions body() {
        return body;
    }

    /** Whether there is ground below a spawn. */
    boolean hasGround(int spawn) {
        return starts.get(spawn) >= 0;
    }

    /** Whether one who appears at a spawn gets to where a body stands that appeared at another. */
    boolean isConnected(int from, int to) {
        return backTo(starts.get(to)).get(starts.get(from));
    }

    BitSet reached() {
        return reached;
    }

    /** Whether a passage takes it somewhere, from wherever it comes near it. */
    boolean isUsable(MoveTrigger trigger) {
        return reached.stream()
                .filter(at -> trigger.touches(place(at), 0))
                .allMatch(at -> next(at)[0] >= 0);
    }

    /** What is reached, and the half metres next to it, on which a wider body's middle can't be. */
    BitSet nearReached() {
        BitSet near = new BitSet();
        for (int at = reached.nextSetBit(0); at >= 0; at = reached.nextSetBit(at + 1)) {
            for (int dy = -1; dy <= 1; dy++) {
                for (int dx = -1; dx <= 1; dx++) {
                    for (int dz = -1; dz <= 1; dz++) {
                        int to = at + dx + wide * (dy + deep * dz);
                        if (to >= 0) {
                            near.set(to);
                        }
                    }
                }
            }
        }
        return near;
    }

    /** What is reached, and from where no way leads back to a spawn. */
    BitSet deadEnds(int spawn) {
        BitSet stuck = (BitSet) reached.clone();
        stuck.andNot(backTo(starts.get(spawn)));
        return stuck;
    }

    private BitSet backTo(int end) {
        BitSet seen = new BitSet();
        Deque<Integer> open = new ArrayDeque<>(List.of(end));
        seen.set(end);
        while (!open.isEmpty()) {
            for (int from : back.getOrDefault(open.remove(), List.of())) {
                if (!seen.get(from)) {
                    seen.set(from);
                    open.add(from);
                }
            }
        }
        return seen;
    }

    /** Where it stands, metres: all that it reaches. */
    public List<Vec3> places() {
        return reached.stream().mapToObj(this::place).toList();
    }

    /** Where it stands, metres, and from where it gets back to where it first appears. */
    public List<Vec3> placesWithReturn() {
        if (starts.getFirst() < 0) {
            return List.of();
        }
        BitSet returns = (BitSet) reached.clone();
        returns.andNot(deadEnds(0));
        return returns.stream().mapToObj(this::place).toList();
    }

    /** The reached place that is nearest; where none is near, the one below. */
    private int near(Vec3 feet) {
        int middle = index(feet);
        int nearest = start(feet);
        double least = 1;
        for (int dz = -1; dz <= 1; dz++) {
            for (int dy = -1; dy <= 1; dy++) {
                for (int dx = -1; dx <= 1; dx++) {
                    int at = middle + dx + wide * (dy + deep * dz);
                    if (at >= 0 && reached.get(at) && place(at).distance(feet) < least) {
                        least = place(at).distance(feet);
                        nearest = at;
                    }
                }
            }
        }
        return nearest;
    }

    /**
     * How it gets from one place to another: the shortest way.
     *
     * @param from where its feet are, metres
     * @return each half metre of the way, the last of which is the end; none where there is no way
     */
    public List<Vec3> path(Vec3 from, Vec3 to) {
        int start = near(from);
        int end = index(to);
        if (start == end) {
            return List.of(place(end));
        }
        Map<Integer, Integer> before = new HashMap<>();
        Deque<Integer> open = new ArrayDeque<>(List.of(start));
        while (!open.isEmpty() && !before.containsKey(end)) {
            int at = open.remove();
            for (int next : onward.getOrDefault(at, List.of())) {
                if (before.putIfAbsent(next, at) == null) {
                    open.add(next);
                }
            }
        }
        List<Vec3> way = new ArrayList<>();
        Integer at = before.containsKey(end) ? end : null;
        while (at != null && at != start) {
            way.add(place(at));
            at = before.get(at);
        }
        Collections.reverse(way);
        return way;
    }
}
