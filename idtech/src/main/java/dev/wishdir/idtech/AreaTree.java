package dev.wishdir.idtech;

import dev.wishdir.motion.Vec3f;

import java.util.BitSet;

/**
 * The tree that divides a map into leafs, with the area of each leaf. Doors separate areas:
 * docs/protocols/quake3.md#ibsp-version-46. Immutable.
 */
public final class AreaTree {
    /** Numbers per node: its plane and two children; a negative child is a leaf. */
    static final int NODE_NUMBERS = 3;

    private final Plane[] planes;
    private final int[] nodes;
    private final int[] areas;
    private final int areaCount;

    /**
     * @param planes the planes of the nodes
     * @param nodes {@link #NODE_NUMBERS} numbers per node, the root first; children follow their
     *     parent
     * @param areas the area of each leaf, negative outside the map
     */
    AreaTree(Plane[] planes, int[] nodes, int[] areas) {
        this.planes = planes;
        this.nodes = nodes;
        this.areas = areas;
        int most = -1;
        for (int area : areas) {
            most = Math.max(most, area);
        }
        areaCount = most + 1;
    }

    /** The number of areas, which are numbered from 0. */
    public int areaCount() {
        return areaCount;
    }

    /** The area of a point, negative outside the map. */
    public int area(Vec3f point) {
        if (nodes.length == 0) {
            return -1;
        }
        int node = 0;
        while (node >= 0) {
            int at = NODE_NUMBERS * node;
            boolean front = planes[nodes[at]].distance(point) >= 0;
            node = nodes[at + (front ? 1 : 2)];
        }
        return areas[-1 - node];
    }

    /** The areas that share a point with a box. */
    public BitSet areas(Box box) {
        BitSet found = new BitSet(areaCount);
        if (nodes.length > 0) {
            areas(0, box, found);
        }
        return found;
    }

    private void areas(int node, Box box, BitSet found) {
        if (node < 0) {
            int area = areas[-1 - node];
            if (area >= 0) {
                found.set(area);
            }
            return;
        }
        int at = NODE_NUMBERS * node;
        Plane plane = planes[nodes[at]];
        Vec3f middle = box.mins().plus(box.maxs()).times(0.5f);
        Vec3f extents = box.maxs().minus(middle);
        float reach =
                Math.abs(plane.normal().x()) * extents.x()
                        + Math.abs(plane.normal().y()) * extents.y()
                        + Math.abs(plane.normal().z()) * extents.z();
        float distance = plane.distance(middle);
        if (distance >= -reach) {
            areas(nodes[at + 1], box, found);
        }
        if (distance <= reach) {
            areas(nodes[at + 2], box, found);
        }
    }
}
