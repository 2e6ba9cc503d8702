package dev.wishdir.idtech;

import dev.wishdir.motion.Vec3f;

/**
 * A box that moves past brushes by the rules of a game, with its nearest hit so far. The order of
 * the single-precision operations is that of the games.
 *
 * <p>It has many fields: the variables of one sweep, which visits many planes and allocates
 * nothing.
 */
final class BoxSweep {
    /** An entry fraction beyond the whole way. */
    static final float NO_ENTRY = 2;

    private static final int NONE = Integer.MAX_VALUE;

    /** A sweep shorter than this meets nearly all brushes that its bounds meet, units. */
    private static final float SHORT_WAY_UNITS = 64;

    final Box box;
    final int mask;
    final boolean stationary;
    final float x;
    final float y;
    final float z;
    final float endX;
    final float endY;
    final float endZ;
    final float minX;
    final float minY;
    final float minZ;
    final float maxX;
    final float maxY;
    final float maxZ;
    private final TraceRules rules;

    /** The reciprocal of the way along each axis; infinite where the way is 0. */
    private final float perX;

    private final float perY;
    private final float perZ;
    private final boolean shortWay;

    boolean allSolid;
    float fraction = 1;
    private boolean startSolid;
    private int hit = NONE;
    private int side;

    BoxSweep(TraceRules rules, Vec3f start, Vec3f mins, Vec3f maxs, Vec3f end, int mask) {
        this.rules = rules;
        Vec3f offset = rules.centred ? mins.plus(maxs).times(0.5f) : Vec3f.ZERO;
        Vec3f most = maxs.minus(offset);
        Vec3f least = rules.centred ? most.times(-1) : mins;
        Vec3f from = start.plus(offset);
        Vec3f to = end.plus(offset);
        box = Box.swept(start, mins, maxs, end);
        stationary = start.equals(end);
        x = from.x();
        y = from.y();
        z = from.z();
        endX = to.x();
        endY = to.y();
        endZ = to.z();
        minX = least.x();
        minY = least.y();
        minZ = least.z();
        maxX = most.x();
        maxY = most.y();
        maxZ = most.z();
        shortWay = Math.abs(endX - x) + Math.abs(endY - y) + Math.abs(endZ - z) < SHORT_WAY_UNITS;
        perX = 1 / (endX - x);
        perY = 1 / (endY - y);
        perZ = 1 / (endZ - z);
        this.mask = mask;
    }

    /**
     * A lower bound of the fraction of the way at which the box enters bounds. NaN where it is
     * undefined, as for infinity times 0; more than 1 if the box never enters.
     *
     * @param bounds three minimum, then three maximum coordinates from index {@code at}; they
     *     intersect the bounds of the whole way
     */
    float entryFraction(float[] bounds, int at) {
        if (shortWay) {
            return 0;
        }
        float x1 = (bounds[at] - maxX - x) * perX;
        float x2 = (bounds[at + 3] - minX - x) * perX;
        float y1 = (bounds[at + 1] - maxY - y) * perY;
        float y2 = (bounds[at + 4] - minY - y) * perY;
        float z1 = (bounds[at + 2] - maxZ - z) * perZ;
        float z2 = (bounds[at + 5] - minZ - z) * perZ;
        float enter =
                Math.max(
                        Math.max(0, Math.min(x1, x2)),
                        Math.max(Math.min(y1, y2), Math.min(z1, z2)));
        float leave =
                Math.min(
                        Math.min(1, Math.max(x1, x2)),
                        Math.min(Math.max(y1, y2), Math.max(z1, z2)));
        return enter > leave ? NO_ENTRY : enter;
    }

    /**
     * Clips the way at a brush. Of brushes hit at the same point, the one with the lowest index
     * counts by Quake III's rules, in whatever order the tree finds them; by Quake II's rules, the
     * first in the order of the map's tree.
     *
     * @param index of the brush among the solids
     * @param first an offset that makes the indexes of different solids distinct
     */
    void clipBrush(Solids solids, int index, int first) {
        if (!stationary) {
            clip(solids, index, first + index);
        } else if ((!rules.bounded || box.intersects(solids.bounds(index)))
                && inside(solids, index)) {
            startSolid = true;
            stuck(first + index);
        }
    }

    private void stuck(int index) {
        allSolid = true;
        fraction = 0;
        hit = index;
        side = -1;
    }

    private void clip(Solids solids, int index, int number) {
        float[] planes = solids.planes;
        float epsilon = rules.epsilon;
        float passing = rules.passing;
        float earliest = rules.earliest;
        boolean facet = solids.facet(index);
        float enter = -1;
        float leave = 1;
        boolean out = false;
        boolean startOut = false;
        int entered = -1;
        int end = solids.end(index);
        for (int at = solids.start(index); at < end; at += Solids.PLANE_NUMBERS) {
            float nx = planes[at];
            float ny = planes[at + 1];
            float nz = planes[at + 2];
            float dist = planes[at + 3] - reach(nx, ny, nz);
            float d1 = x * nx + y * ny + z * nz - dist;
            float d2 = endX * nx + endY * ny + endZ * nz - dist;
            out |= d2 > 0;
            startOut |= d1 > 0;
            if (d1 > 0 && (d2 >= passing || d2 >= d1)) {
                return;
            }
            if (d1 <= 0 && d2 <= 0) {
                continue;
            }
            if (d1 > d2) {
                float f = Math.max(earliest, (d1 - epsilon) / (d1 - d2));
                if (f > enter) {
                    enter = f;
                    entered = at;
                }
            } else {
                // A facet has no thickness; with the epsilon, a point would leave it at the same
                // moment as it enters.
                boolean back =
                        facet
                                && at
                                        == solids.start(index)
                                                + Solids.FACET_BACK * Solids.PLANE_NUMBERS;
                leave = Math.min(leave, (back ? d1 : d1 + epsilon) / (d1 - d2));
            }
        }
        int hitSide = (entered - solids.start(index)) / Solids.PLANE_NUMBERS;
        if (facet && (entered < 0 || hitSide == Solids.FACET_BACK)) {
            return;
        }
        if (!startOut) {
            startSolid = true;
            if (!out && rules.stops) {
                stuck(number);
            }
            allSolid |= !out;
            return;
        }
        if (entered >= 0 && enter < leave && (enter < fraction || isFirst(enter, number))) {
            fraction = Math.max(enter, 0);
            hit = number;
            side = hitSide;
        }
    }

    private boolean isFirst(float enter, int number) {
        return rules == TraceRules.QUAKE3 && enter == fraction && number < hit && hit != NONE;
    }

    /** Extent of the box against a normal; negative if it lies behind the moving point. */
    private float reach(float nx, float ny, float nz) {
        return (nx < 0 ? maxX : minX) * nx
                + (ny < 0 ? maxY : minY) * ny
                + (nz < 0 ? maxZ : minZ) * nz;
    }

    /** True if the box at its start shares a point with a brush whose bounds it meets. */
    private boolean inside(Solids solids, int index) {
        float[] planes = solids.planes;
        int skipped =
                solids.facet(index) || !rules.bounded ? 0 : Brush.AXIAL * Solids.PLANE_NUMBERS;
        for (int at = solids.start(index) + skipped;
                at < solids.end(index);
                at += Solids.PLANE_NUMBERS) {
            float nx = planes[at];
            float ny = planes[at + 1];
            float nz = planes[at + 2];
            float dist = planes[at + 3] - reach(nx, ny, nz);
            if (x * nx + y * ny + z * nz - dist > 0) {
                return false;
            }
        }
        return true;
    }

    /** The index of the brush that was hit, plus the {@code first} of its solids; -1 for none. */
    int hit() {
        return hit == NONE ? -1 : hit;
    }

    /**
     * The result of a sweep that hit something.
     *
     * @param brush the brush that was hit
     */
    Trace hitTrace(Brush brush, int entity, Vec3f start, Vec3f end) {
        Brush.Side stopped = side < 0 ? null : brush.sides().get(side);
        return new Trace(
                allSolid,
                startSolid,
                fraction,
                fraction == 1 ? end : start.along(fraction, end.minus(start)),
                stopped == null ? Plane.NONE : stopped.plane(),
                stopped == null ? 0 : stopped.surface(),
                brush.contents(),
                entity);
    }

    /** The result of a sweep that hit nothing; the box may still have started in a solid. */
    Trace freeTrace(Vec3f end) {
        return new Trace(allSolid, startSolid, 1, end, Plane.NONE, 0, 0, Trace.WORLD);
    }
}
