package dev.wishdir.quake3;

import java.util.List;

/** Moves boxes through convex brushes: Quake III, collision trace against brushes. */
final class Brushes {
    static final int SOLID = 1;
    static final int WATER = 56;
    static final int PLAYER_MASK = 0x2010001;

    /** How far from a surface a moving box stops, units. */
    private static final double EPSILON = 0.125;

    /**
     * A body cut out of space by planes, of which the first six are its bounds, -x +x -y +y -z +z.
     */
    static final class Brush {
        private final double[] planes;
        private final int[] surfaceFlags;
        private final int contents;

        /**
         * @param planes four numbers a side: the outward normal and the distance along it
         * @param surfaceFlags of each side
         */
        Brush(double[] planes, int[] surfaceFlags, int contents) {
            this.planes = planes;
            this.surfaceFlags = surfaceFlags;
            this.contents = contents;
        }

        /** A box of one substance. */
        static Brush box(double[] mins, double[] maxs, int contents) {
            double[] planes = new double[24];
            for (int axis = 0; axis < 3; axis++) {
                planes[8 * axis + axis] = -1;
                planes[8 * axis + 3] = -mins[axis];
                planes[8 * axis + 4 + axis] = 1;
                planes[8 * axis + 7] = maxs[axis];
            }
            return new Brush(planes, new int[6], contents);
        }

        private boolean misses(double[] low, double[] high) {
            for (int axis = 0; axis < 3; axis++) {
                if (high[axis] < -planes[8 * axis + 3] || low[axis] > planes[8 * axis + 7]) {
                    return true;
                }
            }
            return false;
        }
    }

    /** What a moving box met. */
    static final class Trace {
        /** The share of the way that it went. */
        double fraction = 1;

        final double[] end = new double[3];
        final double[] normal = new double[3];
        int surfaceFlags;
        boolean startSolid;
        boolean allSolid;
    }

    private final List<Brush> brushes;

    Brushes(List<Brush> brushes) {
        this.brushes = List.copyOf(brushes);
    }

    /** Moves a box as far as it goes. */
    Trace trace(double[] start, double[] mins, double[] maxs, double[] end, int mask) {
        Trace trace = new Trace();
        double[] extents = new double[3];
        double[] from = new double[3];
        double[] to = new double[3];
        double[] low = new double[3];
        double[] high = new double[3];
        boolean still = true;
        for (int i = 0; i < 3; i++) {
            double offset = (mins[i] + maxs[i]) / 2;
            extents[i] = maxs[i] - offset;
            from[i] = start[i] + offset;
            to[i] = end[i] + offset;
            low[i] = Math.min(from[i], to[i]) - extents[i] - 1;
            high[i] = Math.max(from[i], to[i]) + extents[i] + 1;
            still &= start[i] == end[i];
        }
        for (Brush brush : brushes) {
            if ((brush.contents & mask) != 0 && !brush.misses(low, high)) {
                if (still) {
                    position(trace, brush, from, extents);
                } else {
                    move(trace, brush, from, to, extents);
                }
            }
        }
        for (int i = 0; i < 3; i++) {
            trace.end[i] = start[i] + trace.fraction * (end[i] - start[i]);
        }
        return trace;
    }

    private static double reach(double[] planes, int at, double[] extents) {
        return planes[at + 3]
                + Math.abs(planes[at]) * extents[0]
                + Math.abs(planes[at + 1]) * extents[1]
                + Math.abs(planes[at + 2]) * extents[2];
    }

    private static double dot(double[] planes, int at, double[] point) {
        return planes[at] * point[0] + planes[at + 1] * point[1] + planes[at + 2] * point[2];
    }

    private static void position(Trace trace, Brush brush, double[] at, double[] extents) {
        for (int side = 0; side < brush.planes.length; side += 4) {
            if (dot(brush.planes, side, at) > reach(brush.planes, side, extents)) {
                return;
            }
        }
        trace.startSolid = true;
        trace.allSolid = true;
        trace.fraction = 0;
    }

    private static void move(
            Trace trace, Brush brush, double[] from, double[] to, double[] extents) {
        double enter = -1;
        double leave = 1;
        int entered = -1;
        boolean out = false;
        boolean startOut = false;
        for (int side = 0; side < brush.planes.length; side += 4) {
            double distance = reach(brush.planes, side, extents);
            double d1 = dot(brush.planes, side, from) - distance;
            double d2 = dot(brush.planes, side, to) - distance;
            out |= d2 > 0;
            startOut |= d1 > 0;
            if (d1 > 0 && (d2 >= EPSILON || d2 >= d1)) {
                return;
            }
            if (d1 <= 0 && d2 <= 0) {
                continue;
            }
            if (d1 > d2) {
                double f = Math.max(0, (d1 - EPSILON) / (d1 - d2));
                if (f > enter) {
                    enter = f;
                    entered = side;
                }
            } else {
                leave = Math.min(leave, Math.min(1, (d1 + EPSILON) / (d1 - d2)));
            }
        }
        if (!startOut) {
            trace.startSolid = true;
            if (!out) {
                trace.allSolid = true;
                trace.fraction = 0;
            }
        } else if (enter < leave && enter > -1 && enter < trace.fraction) {
            trace.fraction = Math.max(enter, 0);
            System.arraycopy(brush.planes, entered, trace.normal, 0, 3);
            trace.surfaceFlags = brush.surfaceFlags[entered / 4];
        }
    }

    /** What a point lies in, all substances together. */
    int contents(double x, double y, double z) {
        double[] point = {x, y, z};
        int contents = 0;
        for (Brush brush : brushes) {
            if (!brush.misses(point, point)) {
                boolean inside = true;
                for (int side = 0; inside && side < brush.planes.length; side += 4) {
                    inside = dot(brush.planes, side, point) <= brush.planes[side + 3];
                }
                if (inside) {
                    contents |= brush.contents;
                }
            }
        }
        return contents;
    }
}
