package dev.wishdir.idtech;

import dev.wishdir.motion.Vec3f;

import java.util.Arrays;
import java.util.Comparator;

/**
 * A bounding volume hierarchy over brushes, stored in arrays, so that a trace does not allocate.
 */
final class BrushBvh {
    /** Maximum brushes of a leaf; testing so few costs less than testing boxes around them. */
    private static final int LEAF_BRUSHES = 2;

    /** More than rounding can move a bound, units. */
    private static final float MARGIN_UNITS = 1;

    private static final int BOX_NUMBERS = 6;

    private final Solids solids;

    /** Indexes of brushes; a leaf is a range of them. */
    private final int[] order;

    /** Minimum and maximum corner of each node. */
    private final float[] bounds;

    /**
     * The second child of each node; the first child follows the node. For a leaf, minus its number
     * of brushes.
     */
    private final int[] second;

    private final int[] first;
    private int nodes;

    BrushBvh(Solids solids) {
        this.solids = solids;
        Integer[] sorted = new Integer[solids.count()];
        Arrays.setAll(sorted, i -> i);
        int most = 2 * sorted.length + 1;
        bounds = new float[BOX_NUMBERS * most];
        second = new int[most];
        first = new int[most];
        build(sorted, 0, sorted.length);
        order = Arrays.stream(sorted).mapToInt(Integer::intValue).toArray();
    }

    private int build(Integer[] sorted, int from, int to) {
        int node = nodes++;
        first[node] = from;
        second[node] = from - to;
        for (int axis = 0; axis < 3; axis++) {
            float least = Float.POSITIVE_INFINITY;
            float greatest = Float.NEGATIVE_INFINITY;
            for (int i = from; i < to; i++) {
                Box box = solids.bounds(sorted[i]);
                least = Math.min(least, box.mins().axis(axis));
                greatest = Math.max(greatest, box.maxs().axis(axis));
            }
            bounds[BOX_NUMBERS * node + axis] = least - MARGIN_UNITS;
            bounds[BOX_NUMBERS * node + 3 + axis] = greatest + MARGIN_UNITS;
        }
        if (to - from > LEAF_BRUSHES) {
            int axis = widest(sorted, from, to);
            Arrays.sort(sorted, from, to, Comparator.comparingDouble(i -> middle(i, axis)));
            int half = (from + to) >>> 1;
            build(sorted, from, half);
            second[node] = build(sorted, half, to);
        }
        return node;
    }

    /** The axis along which the centres of the brushes lie farthest apart. */
    private int widest(Integer[] sorted, int from, int to) {
        int widest = 0;
        double most = -1;
        for (int axis = 0; axis < 3; axis++) {
            double least = Double.POSITIVE_INFINITY;
            double greatest = Double.NEGATIVE_INFINITY;
            for (int i = from; i < to; i++) {
                double middle = middle(sorted[i], axis);
                least = Math.min(least, middle);
                greatest = Math.max(greatest, middle);
            }
            if (greatest - least > most) {
                most = greatest - least;
                widest = axis;
            }
        }
        return widest;
    }

    private double middle(int brush, int axis) {
        Box box = solids.bounds(brush);
        return ((double) box.mins().axis(axis) + box.maxs().axis(axis)) / 2;
    }

    private boolean misses(int node, Box box) {
        int at = BOX_NUMBERS * node;
        Vec3f mins = box.mins();
        Vec3f maxs = box.maxs();
        return maxs.x() < bounds[at]
                || maxs.y() < bounds[at + 1]
                || maxs.z() < bounds[at + 2]
                || mins.x() > bounds[at + 3]
                || mins.y() > bounds[at + 4]
                || mins.z() > bounds[at + 5];
    }

    /** Clips a sweep at all brushes that it may touch. */
    void sweep(BoxSweep sweep) {
        sweep(sweep, 0, enters(sweep, 0));
    }

    /**
     * Clips at the brushes of a node, those of its nearer child first, as a hit may rule out the
     * other.
     */
    private void sweep(BoxSweep sweep, int node, float enters) {
        if (sweep.allSolid || enters > sweep.fraction) {
            return;
        }
        if (second[node] > 0) {
            float one = enters(sweep, node + 1);
            float other = enters(sweep, second[node]);
            if (other < one) {
                sweep(sweep, second[node], other);
                sweep(sweep, node + 1, one);
            } else {
                sweep(sweep, node + 1, one);
                sweep(sweep, second[node], other);
            }
            return;
        }
        for (int i = first[node]; i < first[node] - second[node] && !sweep.allSolid; i++) {
            if ((solids.contents(order[i]) & sweep.mask) != 0) {
                sweep.clipBrush(solids, order[i], 0);
            }
        }
    }

    private float enters(BoxSweep sweep, int node) {
        return misses(node, sweep.box)
                ? BoxSweep.NO_ENTRY
                : sweep.entryFraction(bounds, BOX_NUMBERS * node);
    }

    /** The contents of all brushes that contain a point. */
    int contents(Vec3f point) {
        return contents(new Box(point, point), 0);
    }

    private int contents(Box point, int node) {
        if (misses(node, point)) {
            return 0;
        }
        if (second[node] > 0) {
            return contents(point, node + 1) | contents(point, second[node]);
        }
        int contents = 0;
        for (int i = first[node]; i < first[node] - second[node]; i++) {
            Brush brush = solids.brush(order[i]);
            if (!brush.facet() && brush.contains(point.mins())) {
                contents |= brush.contents();
            }
        }
        return contents;
    }
}
