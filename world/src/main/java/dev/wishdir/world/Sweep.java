package dev.wishdir.world;

/** One trace under way: the nearest hit so far. Epsilon and order of operations are the game's. */
final class Sweep {
    final Vec3f start;
    final Vec3f end;
    private final Vec3f mins;
    private final Vec3f maxs;
    private final float epsilon;

    boolean allSolid;
    boolean startSolid;
    float fraction = 1;
    private Plane plane = Plane.NONE;
    private int surface;
    private int contents;

    Sweep(Vec3f start, Vec3f mins, Vec3f maxs, Vec3f end, float epsilon) {
        this.start = start;
        this.end = end;
        this.mins = mins;
        this.maxs = maxs;
        this.epsilon = epsilon;
    }

    /** How far the plane has to move out to stop the box's middle instead of its corner. */
    private float reach(Vec3f n) {
        return (n.x() < 0 ? maxs.x() : mins.x()) * n.x()
                + (n.y() < 0 ? maxs.y() : mins.y()) * n.y()
                + (n.z() < 0 ? maxs.z() : mins.z()) * n.z();
    }

    /** Clips the way against a brush, after Quake II and Quake III, tracing against brushes. */
    void clip(Brush brush, boolean stopsNear) {
        float enter = -1;
        float leave = 1;
        boolean out = false;
        boolean startOut = false;
        Brush.Side hit = null;
        for (int i = 0; i < brush.sides().size(); i++) {
            Brush.Side side = brush.sides().get(i);
            Vec3f normal = side.plane().normal();
            float dist = side.plane().dist() - reach(normal);
            float d1 = start.dot(normal) - dist;
            float d2 = end.dot(normal) - dist;
            out |= d2 > 0;
            startOut |= d1 > 0;
            if (d1 > 0 && (d2 >= d1 || stopsNear && d2 >= epsilon)) {
                return;
            }
            if (d1 <= 0 && d2 <= 0) {
                continue;
            }
            if (d1 > d2) {
                float f = (d1 - epsilon) / (d1 - d2);
                if (stopsNear && f < 0) {
                    f = 0;
                }
                if (f > enter) {
                    enter = f;
                    hit = side;
                }
            } else {
                leave = Math.min(leave, (d1 + epsilon) / (d1 - d2));
            }
        }
        if (!startOut) {
            startSolid = true;
            if (!out) {
                allSolid = true;
                contents = brush.contents();
                if (stopsNear) {
                    fraction = 0;
                }
            }
            return;
        }
        if (hit != null && enter < leave && enter > -1 && enter < fraction) {
            fraction = Math.max(enter, 0);
            plane = hit.plane();
            surface = hit.surface();
            contents = brush.contents();
        }
    }

    /** True where the box at its start shares a point with the brush; of sides from a number on. */
    boolean inside(Brush brush, int fromSide) {
        for (int i = fromSide; i < brush.sides().size(); i++) {
            Plane side = brush.sides().get(i).plane();
            if (start.dot(side.normal()) - (side.dist() - reach(side.normal())) > 0) {
                return false;
            }
        }
        return true;
    }

    /** The box does not fit where it starts. */
    void stuck(Brush brush) {
        startSolid = true;
        allSolid = true;
        fraction = 0;
        contents = brush.contents();
    }

    Trace result() {
        return new Trace(
                allSolid,
                startSolid,
                fraction,
                fraction == 1 ? end : start.along(fraction, end.minus(start)),
                plane,
                surface,
                contents,
                Trace.WORLD);
    }
}
