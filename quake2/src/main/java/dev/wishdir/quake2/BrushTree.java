package dev.wishdir.quake2;

import java.util.Arrays;

/**
 * Convex brushes in a tree of planes, and what a moving box hits in it. All in single precision, as
 * the game computes it.
 */
final class BrushTree {
    /** How far before a plane a move stops, units. */
    private static final float EPSILON = 1 / 32f;

    static final int AXIAL = 3;

    // A plane: three of the normal, its distance; its type tells the axis where it has one.
    float[] normals = {};
    float[] distances = {};
    int[] types = {};
    // A node: its plane and its two children, negative for leafs.
    int[] nodePlanes = {};
    int[] front = {};
    int[] back = {};
    // A leaf: its contents and its brushes.
    int[] leafContents = {};
    int[] leafFirst = {};
    int[] leafCount = {};
    int[] leafBrushes = {};
    // A brush: its sides and contents; a side: its plane and the flags of its surface.
    int[] brushFirst = {};
    int[] brushCount = {};
    int[] brushContents = {};
    int[] sidePlanes = {};
    int[] sideFlags = {};

    private int[] seen = {};
    private int run;

    // the trace that is under way
    private Trace trace = new Trace();
    private final float[] start = new float[3];
    private final float[] end = new float[3];
    private final float[] mins = new float[3];
    private final float[] maxs = new float[3];
    private final float[] extents = new float[3];
    private int mask;

    /** What a move met. */
    static final class Trace {
        float fraction = 1;
        boolean allSolid;
        boolean startSolid;
        final float[] normal = new float[3];
        final float[] end = new float[3];
        int contents;
        int surface;

        void clear() {
            fraction = 1;
            allSolid = false;
            startSolid = false;
            Arrays.fill(normal, 0);
            contents = 0;
            surface = 0;
        }

        void set(Trace other) {
            fraction = other.fraction;
            allSolid = other.allSolid;
            startSolid = startSolid || other.startSolid;
            System.arraycopy(other.normal, 0, normal, 0, 3);
            contents = other.contents;
            surface = other.surface;
        }
    }

    /** A box of one brush, as players run into. */
    static BrushTree box(float[] mins, float[] maxs, int contents) {
        BrushTree box = new BrushTree();
        box.normals = new float[36];
        box.distances = new float[12];
        box.types = new int[12];
        for (int i = 0; i < 6; i++) {
            int axis = i / 2;
            float at = i % 2 == 0 ? maxs[axis] : mins[axis];
            box.normals[i * 6 + axis] = 1;
            box.distances[i * 2] = at;
            box.normals[i * 6 + 3 + axis] = -1;
            box.distances[i * 2 + 1] = -at;
            box.types[i * 2] = axis;
            box.types[i * 2 + 1] = AXIAL + axis;
        }
        box.nodePlanes = new int[] {0, 2, 4, 6, 8, 10};
        box.front = new int[] {-1, 2, -1, 4, -1, -2};
        box.back = new int[] {1, -1, 3, -1, 5, -1};
        box.leafContents = new int[] {0, contents};
        box.leafFirst = new int[] {0, 0};
        box.leafCount = new int[] {0, 1};
        box.leafBrushes = new int[] {0};
        box.brushFirst = new int[] {0};
        box.brushCount = new int[] {6};
        box.brushContents = new int[] {contents};
        box.sidePlanes = new int[] {0, 3, 4, 7, 8, 11};
        box.sideFlags = new int[6];
        return box;
    }

    private float distance(int plane, float x, float y, float z) {
        float along =
                switch (types[plane]) {
                    case 0 -> x;
                    case 1 -> y;
                    case 2 -> z;
                    default ->
                            normals[plane * 3] * x
                                    + normals[plane * 3 + 1] * y
                                    + normals[plane * 3 + 2] * z;
                };
        return along - distances[plane];
    }

    /** The contents at a point. */
    int contents(float x, float y, float z) {
        int at = 0;
        while (at >= 0) {
            at = distance(nodePlanes[at], x, y, z) < 0 ? back[at] : front[at];
        }
        return leafContents[-1 - at];
    }

    /** Moves a box; {@link Trace#end} is for the caller to compute. */
    void trace(Trace into, float[] from, float[] boxMins, float[] boxMaxs, float[] to, int what) {
        into.clear();
        trace = into;
        mask = what;
        copy(from, start);
        copy(to, end);
        copy(boxMins, mins);
        copy(boxMaxs, maxs);
        if (seen.length != brushFirst.length) {
            seen = new int[brushFirst.length];
        }
        run++;
        if (Arrays.equals(from, to)) {
            float[] low = new float[3];
            float[] high = new float[3];
            for (int i = 0; i < 3; i++) {
                low[i] = from[i] + boxMins[i] - 1;
                high[i] = from[i] + boxMaxs[i] + 1;
            }
            position(0, low, high);
            return;
        }
        for (int i = 0; i < 3; i++) {
            extents[i] = Math.max(-boxMins[i], boxMaxs[i]);
        }
        recurse(0, 0, 1, from[0], from[1], from[2], to[0], to[1], to[2]);
    }

    private static void copy(float[] from, float[] to) {
        System.arraycopy(from, 0, to, 0, 3);
    }

    private void recurse(
            int node,
            float f1,
            float f2,
            float x1,
            float y1,
            float z1,
            float x2,
            float y2,
            float z2) {
        if (trace.fraction <= f1) {
            return;
        }
        if (node < 0) {
            leaf(-1 - node);
            return;
        }
        int plane = nodePlanes[node];
        float t1 = distance(plane, x1, y1, z1);
        float t2 = distance(plane, x2, y2, z2);
        float off =
                types[plane] < AXIAL
                        ? extents[types[plane]]
                        : Math.abs(extents[0] * normals[plane * 3])
                                + Math.abs(extents[1] * normals[plane * 3 + 1])
                                + Math.abs(extents[2] * normals[plane * 3 + 2]);
        if (t1 >= off && t2 >= off) {
            recurse(front[node], f1, f2, x1, y1, z1, x2, y2, z2);
            return;
        }
        if (t1 < -off && t2 < -off) {
            recurse(back[node], f1, f2, x1, y1, z1, x2, y2, z2);
            return;
        }
        boolean behind = false;
        float near = 1;
        float far = 0;
        if (t1 < t2) {
            float inverse = 1 / (t1 - t2);
            behind = true;
            far = (t1 + off + EPSILON) * inverse;
            near = (t1 - off + EPSILON) * inverse;
        } else if (t1 > t2) {
            float inverse = 1 / (t1 - t2);
            far = (t1 - off - EPSILON) * inverse;
            near = (t1 + off + EPSILON) * inverse;
        }
        near = Math.clamp(near, 0f, 1f);
        far = Math.clamp(far, 0f, 1f);
        recurse(
                behind ? back[node] : front[node],
                f1,
                f1 + (f2 - f1) * near,
                x1,
                y1,
                z1,
                x1 + near * (x2 - x1),
                y1 + near * (y2 - y1),
                z1 + near * (z2 - z1));
        recurse(
                behind ? front[node] : back[node],
                f1 + (f2 - f1) * far,
                f2,
                x1 + far * (x2 - x1),
                y1 + far * (y2 - y1),
                z1 + far * (z2 - z1),
                x2,
                y2,
                z2);
    }

    private void leaf(int leaf) {
        if ((leafContents[leaf] & mask) == 0) {
            return;
        }
        for (int i = 0; i < leafCount[leaf]; i++) {
            int brush = leafBrushes[leafFirst[leaf] + i];
            if (seen[brush] != run && (brushContents[brush] & mask) != 0) {
                seen[brush] = run;
                clip(brush);
                if (trace.fraction == 0) {
                    return;
                }
            }
        }
    }

    /** How far a plane is moved out to stand for the box. */
    private float offset(int plane) {
        float x = normals[plane * 3];
        float y = normals[plane * 3 + 1];
        float z = normals[plane * 3 + 2];
        return (x < 0 ? maxs[0] : mins[0]) * x
                + (y < 0 ? maxs[1] : mins[1]) * y
                + (z < 0 ? maxs[2] : mins[2]) * z;
    }

    private float dot(int plane, float[] p) {
        return p[0] * normals[plane * 3]
                + p[1] * normals[plane * 3 + 1]
                + p[2] * normals[plane * 3 + 2];
    }

    private void clip(int brush) {
        if (brushCount[brush] == 0) {
            return;
        }
        float enter = -1;
        float leave = 1;
        boolean startsOut = false;
        boolean endsOut = false;
        int hit = -1;
        for (int i = 0; i < brushCount[brush]; i++) {
            int side = brushFirst[brush] + i;
            int plane = sidePlanes[side];
            float moved = distances[plane] - offset(plane);
            float d1 = dot(plane, start) - moved;
            float d2 = dot(plane, end) - moved;
            endsOut |= d2 > 0;
            startsOut |= d1 > 0;
            if (d1 > 0 && d2 >= d1) {
                return;
            }
            if (d1 <= 0 && d2 <= 0) {
                continue;
            }
            if (d1 > d2) {
                float f = (d1 - EPSILON) / (d1 - d2);
                if (f > enter) {
                    enter = f;
                    hit = side;
                }
            } else {
                leave = Math.min(leave, (d1 + EPSILON) / (d1 - d2));
            }
        }
        if (!startsOut) {
            trace.startSolid = true;
            trace.allSolid |= !endsOut;
            return;
        }
        if (enter < leave && enter > -1 && enter < trace.fraction && hit >= 0) {
            trace.fraction = Math.max(enter, 0);
            System.arraycopy(normals, sidePlanes[hit] * 3, trace.normal, 0, 3);
            trace.surface = sideFlags[hit];
            trace.contents = brushContents[brush];
        }
    }

    private void position(int node, float[] low, float[] high) {
        int at = node;
        while (at >= 0 && trace.fraction > 0) {
            int plane = nodePlanes[at];
            boolean inFront;
            boolean behind;
            if (types[plane] < AXIAL) {
                boolean above = distances[plane] <= low[types[plane]];
                boolean below = distances[plane] >= high[types[plane]];
                inFront = above || !below;
                behind = !above;
            } else {
                float most = 0;
                float least = 0;
                for (int i = 0; i < 3; i++) {
                    float n = normals[plane * 3 + i];
                    most += n * (n < 0 ? low[i] : high[i]);
                    least += n * (n < 0 ? high[i] : low[i]);
                }
                inFront = most >= distances[plane];
                behind = least < distances[plane];
            }
            if (inFront && behind) {
                position(front[at], low, high);
            }
            at = behind ? back[at] : front[at];
        }
        if (at < 0 && trace.fraction > 0) {
            inside(-1 - at);
        }
    }

    private void inside(int leaf) {
        if ((leafContents[leaf] & mask) == 0) {
            return;
        }
        for (int i = 0; i < leafCount[leaf]; i++) {
            int brush = leafBrushes[leafFirst[leaf] + i];
            if (seen[brush] != run && (brushContents[brush] & mask) != 0) {
                seen[brush] = run;
                if (isInside(brush)) {
                    trace.startSolid = true;
                    trace.allSolid = true;
                    trace.fraction = 0;
                    trace.contents = brushContents[brush];
                    return;
                }
            }
        }
    }

    private boolean isInside(int brush) {
        for (int i = 0; i < brushCount[brush]; i++) {
            int plane = sidePlanes[brushFirst[brush] + i];
            if (dot(plane, start) - (distances[plane] - offset(plane)) > 0) {
                return false;
            }
        }
        return brushCount[brush] > 0;
    }
}
