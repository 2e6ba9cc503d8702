package dev.wishdir.world.blocks;

import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.world.Space;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/**
 * Where an arena is bad to walk in. Bodies are tried at every half metre, standing; they walk,
 * step, jump up and fall to the next half metre.
 */
public final class Check {
    /** The most that is said of one kind and game. */
    private static final int MOST = 5;

    /** A body that is as wide as a gap does not get in. */
    private static final double ROOM = 0.01;

    private static final int[][] WAYS = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

    private final BlockArena arena;
    private final Blocks blocks;
    private final Space space;
    private final int wide;
    private final int deep;
    private final List<String> problems = new ArrayList<>();

    private Check(BlockArena arena) {
        this.arena = arena;
        blocks = arena.blocks();
        space = arena.space();
        wide = 2 * blocks.width() + 1;
        deep = 2 * blocks.depth() + 1;
    }

    /** What is bad, a sentence each; nothing where the arena is good. */
    public static List<String> problems(BlockArena arena, List<Body> bodies) {
        return new Check(arena).problems(bodies);
    }

    private List<String> problems(List<Body> bodies) {
        for (int i = 0; i < arena.spawns().size(); i++) {
            Vec3 at = arena.spawns().get(i).position();
            for (Body body : bodies) {
                if (!space.fits(at, body.width(), body.height())) {
                    problems.add(
                            "spawn %d at %s is in something solid for %s"
                                    .formatted(i + 1, said(at), body.game()));
                }
            }
        }
        if (!problems.isEmpty()) {
            return problems;
        }
        List<BitSet> reached = new ArrayList<>();
        BitSet anywhere = new BitSet();
        for (Body body : bodies) {
            Walk walk = new Walk(body);
            walk.check();
            reached.add(walk.reached);
            anywhere.or(walk.reached);
        }
        for (int i = 0; i < bodies.size(); i++) {
            BitSet missing = (BitSet) anywhere.clone();
            missing.andNot(spread(reached.get(i)));
            say(missing, bodies.get(i).game() + " cannot get to where others can");
        }
        return problems;
    }

    /** What is reached, and the half metres beside it, on which a wider body's middle can't be. */
    private BitSet spread(BitSet reached) {
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

    private void say(BitSet places, String what) {
        int count = places.cardinality();
        int shown = 0;
        for (int at = places.nextSetBit(0);
                at >= 0 && shown < MOST;
                at = places.nextSetBit(at + 1)) {
            boolean apart = at == places.nextSetBit(0) || shown * count < MOST * rank(places, at);
            if (apart) {
                problems.add(what + ": " + said(place(at)) + " (of " + count + " places)");
                shown++;
            }
        }
    }

    /** How many places come before one, to show some that are apart. */
    private static int rank(BitSet places, int at) {
        return places.get(0, at).cardinality();
    }

    private static String said(Vec3 at) {
        return at.x() + " " + at.y() + " " + at.z();
    }

    private Vec3 place(int index) {
        int x = index % wide;
        int y = index / wide % deep;
        int h = index / wide / deep;
        return new Vec3(blocks.minX() + x / 2.0, blocks.minY() + y / 2.0, blocks.minZ() + h / 2.0);
    }

    /** Where one game's body stands and gets. */
    private final class Walk {
        private final Body body;
        private final BitSet stands = new BitSet();
        private BitSet reached = new BitSet();

        Walk(Body body) {
            this.body = body;
            int places = wide * deep * (2 * blocks.height() + 1);
            for (int at = 0; at < places; at++) {
                Vec3 feet = place(at);
                if (fits(feet) && !fits(feet.minus(new Vec3(0, 0, 0.1)))) {
                    stands.set(at);
                }
            }
        }

        private boolean fits(Vec3 feet) {
            return space.fits(feet, body.width() + ROOM, body.height());
        }

        void check() {
            List<Integer> starts = new ArrayList<>();
            List<Movement> spawns = arena.spawns();
            for (int i = 0; i < spawns.size(); i++) {
                int start = start(spawns.get(i).position());
                if (start < 0) {
                    problems.add(
                            "spawn %d at %s has no ground for %s"
                                    .formatted(i + 1, said(spawns.get(i).position()), body.game()));
                } else {
                    starts.add(start);
                }
            }
            if (starts.isEmpty()) {
                return;
            }
            List<int[]> ways = new ArrayList<>();
            reached = flood(starts, ways);
            BitSet back = backTo(starts.getFirst(), ways);
            for (int i = 0; i < starts.size(); i++) {
                if (!back.get(starts.get(i))) {
                    problems.add(
                            "%s cannot get from spawn %d to spawn 1".formatted(body.game(), i + 1));
                }
            }
            BitSet stuck = (BitSet) reached.clone();
            stuck.andNot(back);
            say(stuck, body.game() + " gets stuck");
        }

        /** Where a body comes down that appears somewhere; -1 for nowhere. */
        private int start(Vec3 feet) {
            int x = (int) Math.round(2 * (feet.x() - blocks.minX()));
            int y = (int) Math.round(2 * (feet.y() - blocks.minY()));
            for (int h = (int) Math.round(2 * (feet.z() - blocks.minZ())); h >= 0; h--) {
                for (int[] near : new int[][] {{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}}) {
                    int at = x + near[0] + wide * (y + near[1] + deep * h);
                    if (at >= 0 && stands.get(at)) {
                        return at;
                    }
                }
            }
            return -1;
        }

        private BitSet flood(List<Integer> starts, List<int[]> ways) {
            BitSet seen = new BitSet();
            Deque<Integer> open = new ArrayDeque<>(starts);
            starts.forEach(seen::set);
            while (!open.isEmpty()) {
                int from = open.remove();
                for (int[] way : WAYS) {
                    int to = next(from, way);
                    if (to >= 0) {
                        ways.add(new int[] {from, to});
                        if (!seen.get(to)) {
                            seen.set(to);
                            open.add(to);
                        }
                    }
                }
            }
            return seen;
        }

        private BitSet backTo(int end, List<int[]> ways) {
            ways.sort((a, b) -> Integer.compare(a[1], b[1]));
            BitSet seen = new BitSet();
            Deque<Integer> open = new ArrayDeque<>(List.of(end));
            seen.set(end);
            while (!open.isEmpty()) {
                int to = open.remove();
                int low = 0;
                int high = ways.size();
                while (low < high) {
                    int middle = (low + high) >>> 1;
                    if (ways.get(middle)[1] < to) {
                        low = middle + 1;
                    } else {
                        high = middle;
                    }
                }
                for (int i = low; i < ways.size() && ways.get(i)[1] == to; i++) {
                    int from = ways.get(i)[0];
                    if (!seen.get(from)) {
                        seen.set(from);
                        open.add(from);
                    }
                }
            }
            return seen;
        }

        /** Where half a metre's walk leads: up by a step or a jump, along, or down. */
        private int next(int from, int[] way) {
            Vec3 feet = place(from);
            Vec3 aside = new Vec3(way[0] / 2.0, way[1] / 2.0, 0);
            double most = Math.max(body.step(), body.jump());
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

        private double width() {
            return body.width() + ROOM;
        }

        private int down(int from, int[] way, int up) {
            int at = from + way[0] + wide * (way[1] + deep * up);
            while (at >= 0 && !stands.get(at)) {
                at -= wide * deep;
            }
            return at;
        }
    }
}
