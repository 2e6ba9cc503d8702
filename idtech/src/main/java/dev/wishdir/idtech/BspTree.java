package dev.wishdir.idtech;

import dev.wishdir.motion.Vec3f;

import java.util.ArrayList;
import java.util.List;

/**
 * The binary space partition of a Quake II map: planes that lead to leafs with brushes.
 *
 * <p>A {@link BrushBvh} cannot replace it. Where a box hits two brushes at the same point, as in a
 * corner, the brush that this tree finds first counts; clients predict with the same tree.
 */
final class BspTree {
    /** Numbers per plane: normal and distance. */
    private static final int PLANE_NUMBERS = 4;

    private static final int NOT_AXIAL = 3;

    /** A way closer to a plane than this is followed on both sides, units. */
    private static final float MARGIN_UNITS = 1 / 32f;

    private final Solids solids;
    private final float[] planes;
    private final int[] axes;
    private final int[] front;
    private final int[] back;
    private final int[] leafContents;
    private final int[] leafFirst;
    private final int[] leafCount;
    private final int[] leafBrushes;

    /**
     * @param nodes the plane of each node; the first is the root
     * @param front the child before each plane: a node, or -1 - leaf
     * @param back the child behind each plane
     * @param leafFirst the index in {@code leafBrushes} of each leaf's first brush
     */
    BspTree(
            Solids solids,
            List<Plane> nodes,
            int[] front,
            int[] back,
            int[] leafContents,
            int[] leafFirst,
            int[] leafCount,
            int[] leafBrushes) {
        this.solids = solids;
        this.front = front;
        this.back = back;
        this.leafContents = leafContents;
        this.leafFirst = leafFirst;
        this.leafCount = leafCount;
        this.leafBrushes = leafBrushes;
        planes = new float[PLANE_NUMBERS * nodes.size()];
        axes = new int[nodes.size()];
        for (int i = 0; i < nodes.size(); i++) {
            Vec3f normal = nodes.get(i).normal();
            planes[PLANE_NUMBERS * i] = normal.x();
            planes[PLANE_NUMBERS * i + 1] = normal.y();
            planes[PLANE_NUMBERS * i + 2] = normal.z();
            planes[PLANE_NUMBERS * i + 3] = nodes.get(i).dist();
            int axis = nodes.get(i).axis();
            axes[i] = axis >= 0 && normal.axis(axis) == 1 ? axis : NOT_AXIAL;
        }
    }

    /**
     * The tree of a box, as the game builds it. A point that only touches the box lies before its
     * planes, so that the brush's sides are not tested.
     */
    static BspTree box(Vec3f mins, Vec3f maxs, int contents) {
        List<Plane> nodes = new ArrayList<>();
        for (int axis = 0; axis < 3; axis++) {
            Vec3f out = new Vec3f(axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0);
            nodes.add(new Plane(out, maxs.axis(axis)));
            nodes.add(new Plane(out, mins.axis(axis)));
        }
        return new BspTree(
                new Solids(List.of(Brush.box(mins, maxs, contents, 0))),
                nodes,
                new int[] {-1, 2, -1, 4, -1, -2},
                new int[] {1, -1, 3, -1, 5, -1},
                new int[] {0, contents},
                new int[] {0, 0},
                new int[] {0, 1},
                new int[] {0});
    }

    /** The brushes; a sweep's hit is an index into them. */
    Solids solids() {
        return solids;
    }

    private float distance(int node, float x, float y, float z) {
        int at = PLANE_NUMBERS * node;
        float along =
                switch (axes[node]) {
                    case 0 -> x;
                    case 1 -> y;
                    case 2 -> z;
                    default -> planes[at] * x + planes[at + 1] * y + planes[at + 2] * z;
                };
        return along - planes[at + 3];
    }

    /** The contents at a point. */
    int contents(Vec3f point) {
        int at = 0;
        while (at >= 0) {
            at = distance(at, point.x(), point.y(), point.z()) < 0 ? back[at] : front[at];
        }
        return leafContents[-1 - at];
    }

    /** Clips a sweep at the brushes that it may touch, in the order of its way. */
    void sweep(BoxSweep sweep) {
        if (sweep.stationary) {
            clipStationary(sweep, sweep.box.expanded(1), 0);
        } else {
            float x = Math.max(-sweep.minX, sweep.maxX);
            float y = Math.max(-sweep.minY, sweep.maxY);
            float z = Math.max(-sweep.minZ, sweep.maxZ);
            new Way(sweep, x, y, z)
                    .follow(0, 0, 1, sweep.x, sweep.y, sweep.z, sweep.endX, sweep.endY, sweep.endZ);
        }
    }

    /** A sweep of a symmetric box whose half extents are the larger ones of the actual box. */
    private final class Way {
        private final BoxSweep sweep;
        private final float extentX;
        private final float extentY;
        private final float extentZ;

        Way(BoxSweep sweep, float extentX, float extentY, float extentZ) {
            this.sweep = sweep;
            this.extentX = extentX;
            this.extentY = extentY;
            this.extentZ = extentZ;
        }

        private float extent(int node) {
            int at = PLANE_NUMBERS * node;
            return switch (axes[node]) {
                case 0 -> extentX;
                case 1 -> extentY;
                case 2 -> extentZ;
                default ->
                        Math.abs(extentX * planes[at])
                                + Math.abs(extentY * planes[at + 1])
                                + Math.abs(extentZ * planes[at + 2]);
            };
        }

        /** Follows the way between two fractions of it, which correspond to these two points. */
        void follow(
                int node,
                float f1,
                float f2,
                float x1,
                float y1,
                float z1,
                float x2,
                float y2,
                float z2) {
            if (sweep.fraction <= f1) {
                return;
            }
            if (node < 0) {
                leaf(sweep, -1 - node);
                return;
            }
            float t1 = distance(node, x1, y1, z1);
            float t2 = distance(node, x2, y2, z2);
            float extent = extent(node);
            if (t1 >= extent && t2 >= extent) {
                follow(front[node], f1, f2, x1, y1, z1, x2, y2, z2);
                return;
            }
            if (t1 < -extent && t2 < -extent) {
                follow(back[node], f1, f2, x1, y1, z1, x2, y2, z2);
                return;
            }
            boolean behind = t1 < t2;
            float near = 1;
            float far = 0;
            if (behind) {
                float inverse = 1 / (t1 - t2);
                far = (t1 + extent + MARGIN_UNITS) * inverse;
                near = (t1 - extent + MARGIN_UNITS) * inverse;
            } else if (t1 > t2) {
                float inverse = 1 / (t1 - t2);
                far = (t1 - extent - MARGIN_UNITS) * inverse;
                near = (t1 + extent + MARGIN_UNITS) * inverse;
            }
            near = Math.clamp(near, 0f, 1f);
            far = Math.clamp(far, 0f, 1f);
            follow(
                    behind ? back[node] : front[node],
                    f1,
                    f1 + (f2 - f1) * near,
                    x1,
                    y1,
                    z1,
                    x1 + near * (x2 - x1),
                    y1 + near * (y2 - y1),
                    z1 + near * (z2 - z1));
            follow(
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
    }

    /** Clips a stationary sweep at the brushes that touch its box, until it is in a solid. */
    private void clipStationary(BoxSweep sweep, Box box, int node) {
        int at = node;
        while (at >= 0 && sweep.fraction > 0) {
            float dist = planes[PLANE_NUMBERS * at + 3];
            boolean before = corner(box.mins(), box.maxs(), at) >= dist;
            boolean behind = corner(box.maxs(), box.mins(), at) < dist;
            if (before && behind) {
                clipStationary(sweep, box, front[at]);
            }
            at = behind ? back[at] : front[at];
        }
        if (at < 0 && sweep.fraction > 0) {
            leaf(sweep, -1 - at);
        }
    }

    /**
     * The maximum extent of a box along a plane's normal; with its corners exchanged, the minimum.
     */
    private float corner(Vec3f least, Vec3f most, int node) {
        float nx = planes[PLANE_NUMBERS * node];
        float ny = planes[PLANE_NUMBERS * node + 1];
        float nz = planes[PLANE_NUMBERS * node + 2];
        return nx * (nx < 0 ? least.x() : most.x())
                + ny * (ny < 0 ? least.y() : most.y())
                + nz * (nz < 0 ? least.z() : most.z());
    }

    private void leaf(BoxSweep sweep, int leaf) {
        if ((leafContents[leaf] & sweep.mask) == 0) {
            return;
        }
        int end = leafFirst[leaf] + leafCount[leaf];
        for (int i = leafFirst[leaf]; i < end && sweep.fraction > 0; i++) {
            int brush = leafBrushes[i];
            if ((solids.contents(brush) & sweep.mask) != 0) {
                sweep.clipBrush(solids, brush, 0);
            }
        }
    }
}
