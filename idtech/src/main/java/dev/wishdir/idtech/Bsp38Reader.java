package dev.wishdir.idtech;

import dev.wishdir.motion.Vec3f;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/** Reads a Quake II map: IBSP version 38. */
final class Bsp38Reader {
    private static final int ENTITIES = 0;
    private static final int PLANES = 1;
    private static final int NODES = 4;
    private static final int TEXINFO = 5;
    private static final int LEAFS = 8;
    private static final int LEAF_BRUSHES = 10;
    private static final int MODELS = 13;
    private static final int BRUSHES = 14;
    private static final int BRUSH_SIDES = 15;
    private static final int AREAS = 17;
    private static final int LUMPS = 19;

    private static final int PLANE_SIZE = 20;
    private static final int NODE_SIZE = 28;
    private static final int TEXINFO_SIZE = 76;
    private static final int TEXTURE_NAME = 32;
    private static final int LEAF_SIZE = 28;
    private static final int MODEL_SIZE = 48;
    private static final int BRUSH_SIZE = 12;
    private static final int SIDE_SIZE = 4;
    private static final int AREA_SIZE = 8;

    private static final int MAX_DEPTH = 512;

    private final Lumps lumps;
    private final ByteBuffer file;

    /** The brushes in the leafs of the world's tree. */
    private final BitSet standing = new BitSet();

    private final List<Brush> brushes;
    private final PlaneWorld world;
    private int sides;

    Bsp38Reader(byte[] bytes) {
        lumps = new Lumps(bytes, 38, LUMPS);
        file = lumps.file();
        brushes = readBrushes();
        world = new PlaneWorld(tree(new Solids(brushes)), List.of());
    }

    List<Map<String, String>> entities() {
        return MapEntities.read(lumps.text(ENTITIES));
    }

    List<Brush> brushes() {
        return brushes;
    }

    int areas() {
        return lumps.count(AREAS, AREA_SIZE);
    }

    PlaneWorld world() {
        return world;
    }

    List<Brush> standing() {
        return standing.stream().mapToObj(brushes::get).toList();
    }

    List<Box> boxes() {
        int count = lumps.count(MODELS, MODEL_SIZE);
        Lumps.checkIndex(0, "model", 0, count);
        List<Box> boxes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int at = lumps.record(MODELS, MODEL_SIZE, i);
            boxes.add(new Box(lumps.vector(at), lumps.vector(at + 12)));
        }
        Box world = boxes.getFirst();
        for (int axis = 0; axis < 3; axis++) {
            if (world.mins().axis(axis) > world.maxs().axis(axis)) {
                int at = lumps.record(MODELS, MODEL_SIZE, 0);
                throw new MalformedMapException(
                        at + 4 * axis, "the bounds of the world are inverted");
            }
        }
        return boxes;
    }

    private List<Brush> readBrushes() {
        List<Brush> found = new ArrayList<>();
        for (int i = 0; i < lumps.count(BRUSHES, BRUSH_SIZE); i++) {
            found.add(brush(lumps.record(BRUSHES, BRUSH_SIZE, i)));
        }
        return found;
    }

    private Brush brush(int at) {
        int first = file.getInt(at);
        int count = file.getInt(at + 4);
        int all = lumps.count(BRUSH_SIDES, SIDE_SIZE);
        Lumps.checkRun(at, "brush sides", first, count, all);
        // Otherwise a small file could expand to an unlimited number of brushes.
        sides += count;
        if (sides > all) {
            throw new MalformedMapException(at, "brushes share their sides");
        }
        List<Brush.Side> own = new ArrayList<>(count);
        for (int i = first; i < first + count; i++) {
            own.add(side(lumps.record(BRUSH_SIDES, SIDE_SIZE, i)));
        }
        // A brush without sides contains no point.
        return new Brush(count == 0 ? 0 : file.getInt(at + 8), bounds(own), own);
    }

    private Brush.Side side(int at) {
        int info = file.getShort(at + 2);
        int surface = 0;
        String texture = "";
        if (info >= 0) {
            Lumps.checkIndex(at, "texinfo", info, lumps.count(TEXINFO, TEXINFO_SIZE));
            int record = lumps.record(TEXINFO, TEXINFO_SIZE, info);
            surface = file.getInt(record + 32);
            texture = lumps.text(record + 40, TEXTURE_NAME);
        }
        return new Brush.Side(plane(at, Short.toUnsignedInt(file.getShort(at))), surface, texture);
    }

    private Plane plane(int at, int index) {
        Lumps.checkIndex(at, "plane", index, lumps.count(PLANES, PLANE_SIZE));
        return lumps.plane(lumps.record(PLANES, PLANE_SIZE, index));
    }

    private static Box bounds(List<Brush.Side> sides) {
        float[] mins = new float[3];
        float[] maxs = new float[3];
        for (int axis = 0; axis < 3; axis++) {
            mins[axis] = Float.NEGATIVE_INFINITY;
            maxs[axis] = Float.POSITIVE_INFINITY;
        }
        for (Brush.Side side : sides) {
            int axis = side.plane().axis();
            if (axis >= 0 && side.plane().normal().axis(axis) > 0) {
                maxs[axis] = Math.min(maxs[axis], side.plane().dist());
            } else if (axis >= 0) {
                mins[axis] = Math.max(mins[axis], -side.plane().dist());
            }
        }
        return new Box(new Vec3f(mins[0], mins[1], mins[2]), new Vec3f(maxs[0], maxs[1], maxs[2]));
    }

    private BspTree tree(Solids solids) {
        int[] brushes = new int[lumps.count(LEAF_BRUSHES, 2)];
        for (int i = 0; i < brushes.length; i++) {
            int at = lumps.record(LEAF_BRUSHES, 2, i);
            int brush = Short.toUnsignedInt(file.getShort(at));
            brushes[i] = Lumps.checkIndex(at, "brush", brush, solids.count());
        }
        int leafs = lumps.count(LEAFS, LEAF_SIZE);
        int[] contents = new int[leafs];
        int[] first = new int[leafs];
        int[] count = new int[leafs];
        for (int i = 0; i < leafs; i++) {
            int at = lumps.record(LEAFS, LEAF_SIZE, i);
            contents[i] = file.getInt(at);
            first[i] = Short.toUnsignedInt(file.getShort(at + 24));
            count[i] = Short.toUnsignedInt(file.getShort(at + 26));
            Lumps.checkRun(at + 24, "leaf brushes", first[i], count[i], brushes.length);
        }
        int nodes = lumps.count(NODES, NODE_SIZE);
        List<Plane> planes = new ArrayList<>();
        int[] front = new int[nodes];
        int[] back = new int[nodes];
        for (int i = 0; i < nodes; i++) {
            int at = lumps.record(NODES, NODE_SIZE, i);
            planes.add(plane(at, file.getInt(at)));
            front[i] = child(at + 4, nodes, leafs);
            back[i] = child(at + 8, nodes, leafs);
        }
        if (nodes == 0) {
            throw new MalformedMapException(0, "has no nodes");
        }
        walk(
                front,
                back,
                0,
                0,
                new boolean[nodes],
                leaf -> {
                    for (int i = first[leaf]; i < first[leaf] + count[leaf]; i++) {
                        standing.set(brushes[i]);
                    }
                });
        return new BspTree(solids, planes, front, back, contents, first, count, brushes);
    }

    private int child(int at, int nodes, int leafs) {
        int child = file.getInt(at);
        Lumps.checkIndex(at, "child", child < 0 ? -1 - child : child, child < 0 ? leafs : nodes);
        return child;
    }

    /** Rejects nodes that do not form a tree. */
    private void walk(
            int[] front, int[] back, int node, int depth, boolean[] seen, IntConsumer leafs) {
        if (node < 0) {
            leafs.accept(-1 - node);
            return;
        }
        if (seen[node] || depth > MAX_DEPTH) {
            throw new MalformedMapException(
                    lumps.record(NODES, NODE_SIZE, node),
                    "nodes do not form a tree of at most " + MAX_DEPTH + " levels");
        }
        seen[node] = true;
        walk(front, back, front[node], depth + 1, seen, leafs);
        walk(front, back, back[node], depth + 1, seen, leafs);
    }
}
