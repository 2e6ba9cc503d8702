package dev.wishdir.arena.combat;

import dev.wishdir.motion.Vec3;

import java.util.function.ToDoubleFunction;

/**
 * Positions of a body during the last two seconds: as long as checks look back, as late as the
 * server's loop may be, and as old as the view of an honest client may be on a busy host. Its
 * memory is fixed, and recording a position allocates nothing. Times are nanoseconds and do not go
 * back: an earlier one counts as the newest.
 */
public final class PathHistory {
    /** Length of the path, nanoseconds. */
    public static final long SPAN_NANOS = 2_000_000_000;

    /** Positions are kept at least this far apart, so that however many come, the span is kept. */
    private static final long SPACING_NANOS = 16_000_000;

    /** One more than there are spaces in the span, the newest, and the one before the span. */
    private static final int CAPACITY = (int) (SPAN_NANOS / SPACING_NANOS) + 4;

    /** Positions along a straight way are tested at least this close together, metres. */
    private static final double STEP_METRES = 0.25;

    /**
     * Between the recorded positions, at most this many places are tested: a body that walks has
     * fewer in the span, and one that a client moves about must not cost the server more.
     */
    private static final int MAX_STEPS = 128;

    private final long[] times = new long[CAPACITY];
    private final double[] xs = new double[CAPACITY];
    private final double[] ys = new double[CAPACITY];
    private final double[] zs = new double[CAPACITY];

    /** Whether the body was put here, without having been in between. */
    private final boolean[] jumps = new boolean[CAPACITY];

    private int first;
    private int size;

    /** Forgets everything: a new life. */
    public void clear() {
        size = 0;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** Records a position that the body walked to. */
    public void add(long now, Vec3 at) {
        add(now, at, false);
    }

    /** Records a position that the body was put to. */
    public void jump(long now, Vec3 at) {
        add(now, at, true);
    }

    private void add(long now, Vec3 at, boolean jump) {
        long time = size == 0 ? now : Math.max(now, times[index(size - 1)]);
        int replaced = index(size - 1);
        boolean crowded =
                size > 1
                        && times[replaced] - times[index(size - 2)] < SPACING_NANOS
                        && !jump
                        && !jumps[replaced];
        if (!crowded) {
            if (size == CAPACITY) {
                first = (first + 1) % CAPACITY;
                size--;
            }
            size++;
        }
        int slot = index(size - 1);
        times[slot] = time;
        xs[slot] = at.x();
        ys[slot] = at.y();
        zs[slot] = at.z();
        jumps[slot] = jump;
    }

    private int index(int number) {
        return Math.floorMod(first + number, CAPACITY);
    }

    private Vec3 place(int number) {
        int slot = index(number);
        return new Vec3(xs[slot], ys[slot], zs[slot]);
    }

    /**
     * Position of the body at a time: on the straight way between two positions, at the first or
     * last one outside of them.
     *
     * @throws IllegalStateException if it is empty
     */
    public Vec3 at(long time) {
        if (size == 0) {
            throw new IllegalStateException("the path has no position");
        }
        int next = 0;
        while (next < size && times[index(next)] <= time) {
            next++;
        }
        if (next == 0 || next == size) {
            return place(Math.max(0, next - 1));
        }
        if (jumps[index(next)]) {
            return place(next - 1);
        }
        long since = times[index(next - 1)];
        double part = (double) (time - since) / (times[index(next)] - since);
        return between(next - 1, next, part);
    }

    private Vec3 between(int from, int to, double part) {
        Vec3 start = place(from);
        return start.plus(place(to).minus(start).times(part));
    }

    /** Nanoseconds since the newest position was recorded. */
    public long age(long now) {
        return size == 0 ? Long.MAX_VALUE : Math.max(0, now - times[index(size - 1)]);
    }

    /**
     * The least value of a measure at any place of the path since a time, the one where the body
     * was at that time included.
     *
     * @param measure at least 0; not asked again once it is 0
     * @return infinity if it is empty
     */
    public double least(long since, ToDoubleFunction<Vec3> measure) {
        double least = Double.POSITIVE_INFINITY;
        if (size == 0) {
            return least;
        }
        Vec3 before = at(since);
        least = Math.min(least, measure.applyAsDouble(before));
        int left = MAX_STEPS;
        for (int i = 0; i < size && least > 0; i++) {
            if (times[index(i)] < since) {
                continue;
            }
            Vec3 here = place(i);
            if (!jumps[index(i)]) {
                double length = here.distance(before);
                int steps = (int) Math.min(left + 1, Math.ceil(length / STEP_METRES));
                left -= Math.max(0, steps - 1);
                for (int step = 1; step < steps && least > 0; step++) {
                    Vec3 way = here.minus(before).times((double) step / steps);
                    least = Math.min(least, measure.applyAsDouble(before.plus(way)));
                }
            }
            least = Math.min(least, measure.applyAsDouble(here));
            before = here;
        }
        return least;
    }
}
