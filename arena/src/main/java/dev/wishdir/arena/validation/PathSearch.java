package dev.wishdir.arena.validation;

import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Medium;
import dev.wishdir.motion.Vec3;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.PriorityQueue;

/**
 * Searches for a path that a body can have taken between two reported positions. A path leads over
 * cells of one metre, through nothing solid, and rises only from where a body stands, swims or
 * climbs. Tolerant in the player's favour: a body in the air may glide. Metres.
 *
 * <p>Cells are those of {@link dev.wishdir.blocks.grid.BlockGrid}: each is free, solid, or solid in
 * its lower half.
 */
final class PathSearch {
    /** The most steps of one search: 22 to 32 ms at 1.4 to 2 us a step. */
    static final int MAX_STEPS = 16_000;

    /** The highest climb that a search distinguishes, metres. */
    private static final int MAX_CLIMB = 31;

    /** A path over cells is at most this much longer than a straight one. */
    private static final double DETOUR = 1.09;

    /** Tolerance of the length of a path over cells at both of its ends, metres. */
    private static final double ENDS_METRES = 1.5;

    /** Cells nearer to the end are visited first, which finds a path soon, not the shortest. */
    private static final double GREED = 1.2;

    /** The width of the box that is in every body of any game. */
    private static final double CORE_WIDTH = 0.2;

    private static final double CORE_HEIGHT = 0.4;

    private static final double HALF = 0.5;
    private static final double DIAGONAL = Math.sqrt(2);

    /** Reach of a search from its start in each direction, cells. */
    private static final int MAX_DISTANCE = 500;

    private static final int[][] AROUND = {
        {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}
    };

    /** Bits of a cell: known, free in its upper half, solid in its lower half, held. */
    private static final int KNOWN = 1;

    private static final int FREE = 2;
    private static final int SLAB = 4;
    private static final int BEARS = 8;
    private static final int HELD_KNOWN = 16;
    private static final int HELD = 32;

    /** A hash map without boxed keys and values: a search queries it a million times. */
    private static final class Table {
        private static final long NO_KEY = -1;

        private long[] keys = new long[1 << 12];
        private float[] values = new float[1 << 12];
        private int size;

        Table() {
            Arrays.fill(keys, NO_KEY);
        }

        private int slot(long key) {
            int mask = keys.length - 1;
            int slot = (int) (key * 0x9E3779B97F4A7C15L >>> 40) & mask;
            while (keys[slot] != NO_KEY && keys[slot] != key) {
                slot = slot + 1 & mask;
            }
            return slot;
        }

        float get(long key, float otherwise) {
            int slot = slot(key);
            return keys[slot] == NO_KEY ? otherwise : values[slot];
        }

        void put(long key, float value) {
            int slot = slot(key);
            if (keys[slot] == NO_KEY) {
                keys[slot] = key;
                size++;
            }
            values[slot] = value;
            if (2 * size > keys.length) {
                grow();
            }
        }

        private void grow() {
            long[] oldKeys = keys;
            float[] oldValues = values;
            keys = new long[2 * oldKeys.length];
            values = new float[keys.length];
            Arrays.fill(keys, NO_KEY);
            for (int i = 0; i < oldKeys.length; i++) {
                if (oldKeys[i] != NO_KEY) {
                    int slot = slot(oldKeys[i]);
                    keys[slot] = oldKeys[i];
                    values[slot] = oldValues[i];
                }
            }
        }
    }

    /**
     * @param climbed metres since it stood, swam or climbed last
     */
    private record Candidate(int x, int y, int z, int climbed, float length, double priority) {}

    private final CollisionSpace space;
    private final int startX;
    private final int startY;
    private final int startZ;
    private final int endX;
    private final int endY;
    private final int endZ;
    private final double longest;
    private final Table lengths = new Table();
    private final Table cells = new Table();
    private final PriorityQueue<Candidate> open =
            new PriorityQueue<>((a, b) -> Double.compare(a.priority(), b.priority()));
    private int steps;

    private PathSearch(CollisionSpace space, Vec3 from, Vec3 to, double longest) {
        this.space = space;
        this.longest = (longest + ENDS_METRES) * DETOUR;
        startX = floor(from.x());
        startY = floor(from.y());
        startZ = floor(from.z());
        endX = floor(to.x());
        endY = floor(to.y());
        endZ = floor(to.z());
    }

    /**
     * Result of a search.
     *
     * @param length over the ground; empty if there is no path, or only a longer one
     * @param steps that it took
     */
    record Result(OptionalDouble length, int steps) {}

    /**
     * Searches for a path.
     *
     * @param climbed how high a body is already above where it stood last
     * @param climb how high it may get above that
     * @param longest over the ground
     * @param maxSteps after which it gives up
     */
    static Result search(
            CollisionSpace space,
            Vec3 from,
            Vec3 to,
            double climbed,
            double climb,
            double longest,
            int maxSteps) {
        PathSearch search = new PathSearch(space, from, to, longest);
        OptionalDouble length = search.length(from, to, climbed, climb, maxSteps);
        return new Result(length, search.steps);
    }

    private OptionalDouble length(Vec3 from, Vec3 to, double climbed, double climb, int maxSteps) {
        int most = (int) Math.clamp(climb, 0, MAX_CLIMB);
        int first = (int) Math.clamp(Math.ceil(climbed), 0, most);
        Map<Long, Float> ends = new HashMap<>();
        eachCellAt(to, (x, y, z, distance) -> ends.merge(key(x, y, z, 0), distance, Math::min));
        eachCellAt(from, (x, y, z, distance) -> add(x, y, z, first, distance));
        while (steps < maxSteps && !open.isEmpty()) {
            Candidate next = open.remove();
            float rest = ends.getOrDefault(key(next.x, next.y, next.z, 0), Float.MAX_VALUE);
            double whole = (double) next.length + rest;
            if (whole <= longest) {
                return OptionalDouble.of(Math.max(0, whole / DETOUR - ENDS_METRES));
            }
            if (next.length <= lengths.get(key(next.x, next.y, next.z, next.climbed), 0)) {
                steps++;
                step(next, most);
            }
        }
        return OptionalDouble.empty();
    }

    private void step(Candidate at, int most) {
        for (int[] way : AROUND) {
            int x = at.x + way[0];
            int y = at.y + way[1];
            boolean straight = way[0] == 0 || way[1] == 0;
            if (is(x, y, at.z, FREE)
                    && (straight || is(x, at.y, at.z, FREE) && is(at.x, y, at.z, FREE))) {
                float length = (float) (at.length + (straight ? 1 : DIAGONAL));
                add(x, y, at.z, at.climbed, length);
            }
        }
        if (at.climbed < most
                && is(at.x, at.y, at.z + 1, FREE)
                && !is(at.x, at.y, at.z + 1, SLAB)) {
            add(at.x, at.y, at.z + 1, at.climbed + 1, at.length);
        }
        if (is(at.x, at.y, at.z - 1, FREE) && !is(at.x, at.y, at.z, SLAB)) {
            // A body that falls does not rise again before it stands.
            add(at.x, at.y, at.z - 1, most, at.length);
        }
    }

    private void add(int x, int y, int z, int climbed, float length) {
        int dx = Math.abs(x - endX);
        int dy = Math.abs(y - endY);
        double rest = Math.max(dx, dy) + (DIAGONAL - 1) * Math.min(dx, dy);
        if (length + rest > longest
                || Math.abs(x - startX) > MAX_DISTANCE
                || Math.abs(y - startY) > MAX_DISTANCE
                || Math.abs(z - startZ) > MAX_DISTANCE) {
            return;
        }
        int risen = isHeld(x, y, z) ? 0 : climbed;
        // A path that is as short, and after which a body can rise as high, is as good.
        for (int lower = 0; lower <= risen; lower++) {
            if (lengths.get(key(x, y, z, lower), Float.MAX_VALUE) <= length) {
                return;
            }
        }
        lengths.put(key(x, y, z, risen), length);
        double priority = length + GREED * (rest + HALF * Math.abs(z - endZ));
        open.add(new Candidate(x, y, z, risen, length, priority));
    }

    private interface CellConsumer {
        void accept(int x, int y, int z, float distance);
    }

    /** The cells whose middle a body at a place reaches at once, and how far that is. */
    private void eachCellAt(Vec3 feet, CellConsumer consumer) {
        for (double up : new double[] {0.1, 0.6}) {
            Vec3 core = feet.plus(new Vec3(0, 0, up));
            for (int dy = -1; dy <= 1; dy++) {
                for (int dx = -1; dx <= 1; dx++) {
                    int x = floor(feet.x()) + dx;
                    int y = floor(feet.y()) + dy;
                    int z = floor(core.z());
                    Vec3 middle = middle(x, y, z, HALF);
                    if (space.free(core, middle, CORE_WIDTH, CORE_HEIGHT) == 1) {
                        consumer.accept(x, y, z, (float) middle.minus(core).horizontal());
                    }
                }
            }
        }
    }

    /** Whether a body that is there can rise from it: on ground, in water or at a ladder. */
    private boolean isHeld(int x, int y, int z) {
        int flags = flags(x, y, z);
        if ((flags & HELD_KNOWN) == 0) {
            boolean held =
                    (flags & BEARS) != 0
                            || space.medium(middle(x, y, z, 0.25)) != Medium.AIR
                            || space.medium(middle(x, y, z, 0.75)) != Medium.AIR;
            for (int i = 0; i < AROUND.length && !held; i++) {
                held = is(x + AROUND[i][0], y + AROUND[i][1], z, FREE | BEARS);
            }
            flags |= HELD_KNOWN | (held ? HELD : 0);
            cells.put(key(x, y, z, 0), flags);
        }
        return (flags & HELD) != 0;
    }

    private boolean is(int x, int y, int z, int wanted) {
        return (flags(x, y, z) & wanted) == wanted;
    }

    private int flags(int x, int y, int z) {
        int flags = (int) cells.get(key(x, y, z, 0), 0);
        if (flags == 0) {
            flags =
                    KNOWN
                            | (fits(x, y, z, HALF) ? FREE : 0)
                            | (fits(x, y, z, 0.05) ? 0 : SLAB)
                            | (fits(x, y, z, -0.1) ? 0 : BEARS);
            cells.put(key(x, y, z, 0), flags);
        }
        return flags;
    }

    private boolean fits(int x, int y, int z, double up) {
        return space.fits(middle(x, y, z, up), CORE_WIDTH, CORE_HEIGHT);
    }

    private static Vec3 middle(int x, int y, int z, double up) {
        return new Vec3(x + HALF, y + HALF, z + up);
    }

    private long key(int x, int y, int z, int climbed) {
        long place =
                (x - startX + 1L) + MAX_DISTANCE << 40 | (y - startY + 1L) + MAX_DISTANCE << 20;
        return place | (z - startZ + 1L) + MAX_DISTANCE << 5 | climbed;
    }

    private static int floor(double metres) {
        return (int) Math.floor(metres);
    }
}
