package dev.wishdir.blocks.reach;

import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.MoveTrigger;
import dev.wishdir.blocks.arena.RaceCourse;
import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.blocks.grid.BodyLattice;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The places in an arena that one game's body can reach from the spawn points. Places lie on a
 * lattice of half metres. From a place the body walks, steps, jumps, swims or climbs up or falls to
 * the next half metre, or takes a teleporter or a jump pad. {@link ReachabilitySearch} is for
 * spaces whose floors lie at any height.
 */
public final class BodyReachability implements NavigationGraph {
    /** Added to the body's width, as a body exactly as wide as a gap does not get in, metres. */
    private static final double GAP_METRES = 0.01;

    /** Straight segments that approximate the arc of a flight. */
    private static final int FLIGHT_SEGMENTS = 16;

    /** Height that a body gains when it leaves the water or the ladder, metres. */
    private static final double CLIMB_OUT_METRES = 1;

    /** Distance from the middle of a body within which it touches an item in every game, metres. */
    private static final double TOUCH_METRES = 0.5;

    /** The width of a line of sight. */
    private static final double RAY_METRES = 0.01;

    private static final int[][] NEIGHBOURS = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

    private final BlockArena arena;
    private final BlockGrid blocks;
    private final CollisionSpace space;
    private final BodyDimensions body;
    private final int wide;
    private final int deep;
    private final BodyLattice lattice;

    /** The place at which a body lands, by spawn; -1 if there is none. */
    private final List<Integer> starts = new ArrayList<>();

    private final Map<Integer, List<Integer>> onward = new HashMap<>();
    private final Map<Integer, List<Integer>> back = new HashMap<>();
    private final BitSet reached = new BitSet();

    public BodyReachability(BlockArena arena, BodyDimensions body) {
        this(
                arena,
                body,
                new BodyLattice(arena.blocks(), body.width() + GAP_METRES, body.height()));
        for (Movement spawn : arena.spawns()) {
            starts.add(start(spawn.position()));
        }
        flood();
    }

    private BodyReachability(BlockArena arena, BodyDimensions body, BodyLattice lattice) {
        this.arena = arena;
        blocks = arena.blocks();
        space = arena.space();
        this.body = body;
        this.lattice = lattice;
        wide = 2 * blocks.width() + 1;
        deep = 2 * blocks.depth() + 1;
    }

    /** The places that the body can reach with another jump height, metres. */
    BodyReachability jumping(double metres) {
        BodyReachability other = new BodyReachability(arena, body.jumping(metres), lattice);
        other.starts.addAll(starts);
        other.flood();
        return other;
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
                if (at >= 0 && lattice.stands(at)) {
                    return at;
                }
            }
        }
        return -1;
    }

    private void flood() {
        Deque<Integer> open = new ArrayDeque<>();
        for (int start : starts) {
            if (start >= 0 && !reached.get(start)) {
                reached.set(start);
                open.add(start);
            }
        }
        while (!open.isEmpty()) {
            int from = open.remove();
            for (int to : next(from)) {
                if (to >= 0) {
                    onward.computeIfAbsent(from, _ -> new ArrayList<>()).add(to);
                    back.computeIfAbsent(to, _ -> new ArrayList<>()).add(from);
                    if (!reached.get(to)) {
                        reached.set(to);
                        open.add(to);
                    }
                }
            }
        }
    }

    /** The places next to a place; -1 for a side that leads nowhere. */
    private int[] next(int from) {
        MoveTrigger trigger = MoveTrigger.at(arena.moveTriggers(), place(from), 0).orElse(null);
        if (trigger == null) {
            return Arrays.stream(NEIGHBOURS).mapToInt(way -> next(from, way)).toArray();
        }
        return switch (trigger) {
            case MoveTrigger.Teleporter _ ->
                    new int[] {fits(trigger.target()) ? start(trigger.target()) : -1};
            case MoveTrigger.JumpPad pad -> {
                // A thrown body lands below the apex of its flight.
                Vec3 apex = place(from).plus(pad.apex()).minus(pad.place());
                yield new int[] {isFlightFree(place(from), apex) ? start(apex) : -1};
            }
        };
    }

    /** Whether the flight of a thrown body is unobstructed. */
    private boolean isFlightFree(Vec3 from, Vec3 apex) {
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

    /** The place half a metre to one side: up by a step, a jump or a ladder, level, or down. */
    private int next(int from, int[] way) {
        Vec3 feet = place(from);
        double carried = space.maxClimb(feet);
        double most =
                Double.isNaN(carried)
                        ? Math.max(body.step(), body.jump())
                        : carried + Math.max(body.step(), Math.min(body.jump(), CLIMB_OUT_METRES));
        // A body whose way is half a metre touches only what it touches at its ends.
        int raised = from;
        for (double up = 0; up <= most && lattice.fits(raised); up += 0.5) {
            int aside = raised + way[0] + wide * way[1];
            if (lattice.fits(aside)) {
                return down(aside);
            }
            raised += wide * deep;
        }
        return -1;
    }

    private int down(int from) {
        int at = from;
        while (at >= 0 && !lattice.stands(at)) {
            at -= wide * deep;
        }
        return at;
    }

    BodyDimensions body() {
        return body;
    }

    /** Whether there is a floor below a spawn. */
    boolean hasGround(int spawn) {
        return starts.get(spawn) >= 0;
    }

    /** The places from which a path leads to a spawn with ground. */
    BitSet placesBefore(int spawn) {
        return backTo(starts.get(spawn));
    }

    /** Whether a spawn with ground is among places. */
    boolean isAmong(BitSet places, int spawn) {
        return places.get(starts.get(spawn));
    }

    BitSet reached() {
        return reached;
    }

    /** Whether a move trigger has an exit from every place at which the body touches it. */
    boolean isUsable(MoveTrigger trigger) {
        return reached.stream()
                .filter(at -> trigger.touches(place(at), 0))
                .allMatch(at -> next(at)[0] >= 0);
    }

    /** Whether the body can stand within half a metre of a place on the ground. */
    boolean touches(Vec3 place) {
        for (int at = reached.nextSetBit(0); at >= 0; at = reached.nextSetBit(at + 1)) {
            Vec3 off = place(at).minus(place);
            if (Math.abs(off.x()) <= TOUCH_METRES
                    && Math.abs(off.y()) <= TOUCH_METRES
                    && Math.abs(off.z()) <= TOUCH_METRES) {
                return true;
            }
        }
        return false;
    }

    /** The reached places and those next to them, which the centre of a wider body cannot reach. */
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

    @Override
    public Optional<RaceCourse> course() {
        return arena.course();
    }

    @Override
    public List<Vec3> placesIn(Bounds box) {
        return within(reached, box).stream().mapToObj(this::place).toList();
    }

    private BitSet within(BitSet places, Bounds box) {
        BitSet inside = new BitSet();
        places.stream().filter(at -> box.contains(place(at))).forEach(inside::set);
        return inside;
    }

    /**
     * The first box to which no path leads from those before it, without teleporters.
     *
     * @return its index, or -1 if all can be reached
     */
    int firstUnreachable(List<Bounds> boxes) {
        BitSet from = within(reached, boxes.getFirst());
        for (int i = 0; i < boxes.size(); i++) {
            from = within(walkedFrom(from), boxes.get(i));
            if (from.isEmpty()) {
                return i;
            }
        }
        return -1;
    }

    /** The places to which the body can walk. */
    private BitSet walkedFrom(BitSet places) {
        BitSet seen = (BitSet) places.clone();
        Deque<Integer> open = new ArrayDeque<>(places.stream().boxed().toList());
        while (!open.isEmpty()) {
            int from = open.remove();
            boolean teleports =
                    MoveTrigger.at(arena.moveTriggers(), place(from), 0).orElse(null)
                            instanceof MoveTrigger.Teleporter;
            for (int to : teleports ? List.<Integer>of() : onward.getOrDefault(from, List.of())) {
                if (!seen.get(to)) {
                    seen.set(to);
                    open.add(to);
                }
            }
        }
        return seen;
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

    /** All reached places: positions of the feet, metres. */
    public List<Vec3> places() {
        return reached.stream().mapToObj(this::place).toList();
    }

    @Override
    public List<Vec3> placesWithReturn() {
        if (starts.getFirst() < 0) {
            return List.of();
        }
        BitSet returns = placesBefore(0);
        returns.and(reached);
        return returns.stream().mapToObj(this::place).toList();
    }

    @Override
    public boolean isReached(Vec3 feet) {
        int at = nearest(feet);
        return at >= 0 && reached.get(at) && place(at).distance(feet) < 1;
    }

    @Override
    public boolean isSeen(Vec3 from, Vec3 to) {
        return space.free(from, to, RAY_METRES, RAY_METRES) == 1;
    }

    /** The nearest reached place within a metre; otherwise the place below. */
    private int nearest(Vec3 feet) {
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

    @Override
    public List<Vec3> path(Vec3 from, Vec3 to) {
        int start = nearest(from);
        int end = nearest(to);
        if (start == end) {
            return List.of(place(end));
        }
        return ShortestPath.find(start, end, at -> onward.getOrDefault(at, List.of())).stream()
                .map(this::place)
                .toList();
    }
}
