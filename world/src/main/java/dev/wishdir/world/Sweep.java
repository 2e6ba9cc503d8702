package dev.wishdir.world;

/**
 * One box on its way past brushes: the nearest hit so far. Epsilon and order of operations are the
 * game's: Quake III, collision trace against brushes.
 */
final class Sweep {
    private static final float EPSILON = 0.125f;

    private static final int NONE = Integer.MAX_VALUE;

    final Box box;
    final int mask;
    private final boolean still;
    private final float x;
    private final float y;
    private final float z;
    private final float endX;
    private final float endY;
    private final float endZ;
    private final float extentX;
    private final float extentY;
    private final float extentZ;

    boolean allSolid;
    private boolean startSolid;
    private float fraction = 1;
    private int hit = NONE;
    private int side;

    Sweep(Vec3f start, Vec3f mins, Vec3f maxs, Vec3f end, int mask) {
        Vec3f offset = mins.plus(maxs).times(0.5f);
        Vec3f extents = maxs.minus(offset);
        Vec3f from = start.plus(offset);
        Vec3f to = end.plus(offset);
        box = Box.swept(start, mins, maxs, end);
        still = start.equals(end);
        x = from.x();
        y = from.y();
        z = from.z();
        endX = to.x();
        endY = to.y();
        endZ = to.z();
        extentX = extents.x();
        extentY = extents.y();
        extentZ = extents.z();
        this.mask = mask;
    }

    /**
     * Meets a brush; of brushes hit at the same point the one of the least index counts.
     *
     * @param index of the brush among the solids
     * @param first a number that makes indexes of different solids different
     */
    void meet(Solids solids, int index, int first) {
        if (!still) {
            clip(solids, index, first + index);
        } else if (box.meets(solids.bounds(index)) && inside(solids, index)) {
            stuck(first + index);
        }
    }

    private void stuck(int index) {
        startSolid = true;
        allSolid = true;
        fraction = 0;
        hit = index;
        side = -1;
    }

    private void clip(Solids solids, int index, int number) {
        float[] planes = solids.planes;
        boolean facet = solids.facet(index);
        float enter = -1;
        float leave = 1;
        boolean out = false;
        boolean startOut = false;
        int entered = -1;
        int end = solids.end(index);
        for (int at = solids.start(index); at < end; at += Solids.PLANE) {
            float nx = planes[at];
            float ny = planes[at + 1];
            float nz = planes[at + 2];
            float dist =
                    planes[at + 3]
                            + (Math.abs(nx) * extentX
                                    + Math.abs(ny) * extentY
                                    + Math.abs(nz) * extentZ);
            float d1 = x * nx + y * ny + z * nz - dist;
            float d2 = endX * nx + endY * ny + endZ * nz - dist;
            out |= d2 > 0;
            startOut |= d1 > 0;
            if (d1 > 0 && (d2 >= EPSILON || d2 >= d1)) {
                return;
            }
            if (d1 <= 0 && d2 <= 0) {
                continue;
            }
            if (d1 > d2) {
                float f = Math.max(0, (d1 - EPSILON) / (d1 - d2));
                if (f > enter) {
                    enter = f;
                    entered = at;
                }
            } else {
                // A facet has no thickness: with the epsilon a point would leave it as it enters.
                boolean back = facet && at == solids.start(index) + Solids.BACK * Solids.PLANE;
                leave = Math.min(leave, (back ? d1 : d1 + EPSILON) / (d1 - d2));
            }
        }
        int hitSide = (entered - solids.start(index)) / Solids.PLANE;
        if (facet && (entered < 0 || hitSide == Solids.BACK)) {
            return;
        }
        if (!startOut) {
            startSolid = true;
            if (!out) {
                stuck(number);
            }
            return;
        }
        if (entered >= 0
                && enter < leave
                && (enter < fraction || enter == fraction && number < hit && hit != NONE)) {
            fraction = enter;
            hit = number;
            side = hitSide;
        }
    }

    /** True where the box at its start shares a point with a brush whose bounds it touches. */
    private boolean inside(Solids solids, int index) {
        float[] planes = solids.planes;
        int skipped = solids.facet(index) ? 0 : Brush.AXIAL * Solids.PLANE;
        for (int at = solids.start(index) + skipped; at < solids.end(index); at += Solids.PLANE) {
            float nx = planes[at];
            float ny = planes[at + 1];
            float nz = planes[at + 2];
            float dist =
                    planes[at + 3]
                            + (Math.abs(nx) * extentX
                                    + Math.abs(ny) * extentY
                                    + Math.abs(nz) * extentZ);
            if (x * nx + y * ny + z * nz - dist > 0) {
                return false;
            }
        }
        return true;
    }

    /** The index of the brush that was hit, with its solids' first; -1 for none. */
    int hit() {
        return hit == NONE ? -1 : hit;
    }

    /**
     * The outcome.
     *
     * @param brush what was hit
     */
    Trace against(Brush brush, int entity, Vec3f start, Vec3f end) {
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

    /** The outcome where nothing was hit; the box may still have started in something. */
    Trace free(Vec3f end) {
        return new Trace(false, startSolid, 1, end, Plane.NONE, 0, 0, Trace.WORLD);
    }
}
