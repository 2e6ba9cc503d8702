package dev.wishdir.idtech;

import dev.wishdir.motion.Vec3f;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** Reads a Quake III map: docs/protocols/quake3.md#ibsp-version-46. */
final class Bsp46Reader {
    private static final int ENTITIES = 0;
    private static final int SHADERS = 1;
    private static final int PLANES = 2;
    private static final int NODES = 3;
    private static final int LEAFS = 4;
    private static final int MODELS = 7;
    private static final int BRUSHES = 8;
    private static final int BRUSH_SIDES = 9;
    private static final int VERTICES = 10;
    private static final int SURFACES = 13;
    private static final int LUMPS = 17;

    private static final int SHADER_SIZE = 72;
    private static final int SHADER_NAME = 64;
    private static final int PLANE_SIZE = 16;
    private static final int NODE_SIZE = 36;
    private static final int LEAF_SIZE = 48;
    private static final int MODEL_SIZE = 40;
    private static final int BRUSH_SIZE = 12;
    private static final int SIDE_SIZE = 8;
    private static final int VERTEX_SIZE = 44;
    private static final int SURFACE_SIZE = 104;

    private static final int PATCH_SURFACE = 2;

    /** The offset of a patch's width and height in a surface record. */
    private static final int PATCH_SIZE_OFFSET = 96;

    /** Surface flag of a shader: does not collide. */
    private static final int NON_SOLID = 0x4000;

    /** More levels of nodes than any map has. */
    private static final int MAX_DEPTH = 1024;

    private static final int MAX_AREAS = 256;

    /** More sides than any brush has. */
    private static final int MAX_SIDES = 1024;

    /** Twenty times the facets of the largest stock map. */
    private static final int MAX_FACETS = 1 << 16;

    private final Lumps lumps;
    private final ByteBuffer file;
    private int brushes;
    private int surfaces;
    private int sides;
    private int points;
    private int facets;

    Bsp46Reader(byte[] bytes) {
        lumps = new Lumps(bytes, 46, LUMPS);
        file = lumps.file();
    }

    List<Map<String, String>> entities() {
        return MapEntities.read(lumps.text(ENTITIES));
    }

    /**
     * The models, the world first.
     *
     * @param <M> a model
     * @param create makes a model of its bounds and its brushes
     */
    <M> List<M> models(BiFunction<Box, List<Brush>, M> create) {
        int count = lumps.count(MODELS, MODEL_SIZE);
        if (count == 0) {
            throw new MalformedMapException(0, "has no model 0, the world");
        }
        List<M> models = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            models.add(model(lumps.record(MODELS, MODEL_SIZE, i), create));
        }
        return models;
    }

    AreaTree leafs() {
        int count = lumps.count(NODES, NODE_SIZE);
        int leafs = lumps.count(LEAFS, LEAF_SIZE);
        int planeCount = lumps.count(PLANES, PLANE_SIZE);
        Plane[] planes = new Plane[planeCount];
        int[] nodes = new int[AreaTree.NODE_NUMBERS * count];
        int[] depths = new int[count];
        for (int i = 0; i < count; i++) {
            int at = lumps.record(NODES, NODE_SIZE, i);
            int plane = Lumps.checkIndex(at, "plane", file.getInt(at), planeCount);
            planes[plane] = lumps.plane(lumps.record(PLANES, PLANE_SIZE, plane));
            nodes[AreaTree.NODE_NUMBERS * i] = plane;
            for (int side = 1; side <= 2; side++) {
                int child = file.getInt(at + 4 * side);
                nodes[AreaTree.NODE_NUMBERS * i + side] = child;
                if (child < 0) {
                    Lumps.checkIndex(at + 4 * side, "leaf", -1 - child, leafs);
                    continue;
                }
                // Otherwise a walk through the tree might not end.
                Lumps.checkIndex(at + 4 * side, "node", child, count);
                if (child <= i || depths[child] != 0 || depths[i] == MAX_DEPTH) {
                    throw new MalformedMapException(at + 4 * side, "the nodes do not form a tree");
                }
                depths[child] = depths[i] + 1;
            }
        }
        int[] areas = new int[leafs];
        for (int i = 0; i < leafs; i++) {
            int at = lumps.record(LEAFS, LEAF_SIZE, i) + 4;
            areas[i] = file.getInt(at);
            if (areas[i] >= MAX_AREAS) {
                throw new MalformedMapException(
                        at, "area " + areas[i] + ", must be below " + MAX_AREAS);
            }
        }
        return new AreaTree(planes, nodes, areas);
    }

    private <M> M model(int at, BiFunction<Box, List<Brush>, M> create) {
        List<Brush> brushes = new ArrayList<>();
        int first = file.getInt(at + 32);
        int count = file.getInt(at + 36);
        int all = lumps.count(BRUSHES, BRUSH_SIZE);
        Lumps.checkRun(at + 32, "brushes", first, count, all);
        this.brushes += count;
        if (this.brushes > all) {
            throw new MalformedMapException(at + 32, "models share their brushes");
        }
        for (int i = first; i < first + count; i++) {
            brush(lumps.record(BRUSHES, BRUSH_SIZE, i), brushes);
        }
        first = file.getInt(at + 24);
        count = file.getInt(at + 28);
        all = lumps.count(SURFACES, SURFACE_SIZE);
        Lumps.checkRun(at + 24, "surfaces", first, count, all);
        surfaces += count;
        if (surfaces > all) {
            throw new MalformedMapException(at + 24, "models share their surfaces");
        }
        for (int i = first; i < first + count; i++) {
            surface(lumps.record(SURFACES, SURFACE_SIZE, i), brushes);
        }
        return create.apply(new Box(lumps.vector(at), lumps.vector(at + 12)), brushes);
    }

    private void brush(int at, List<Brush> brushes) {
        int first = file.getInt(at);
        int count = file.getInt(at + 4);
        int all = lumps.count(BRUSH_SIDES, SIDE_SIZE);
        Lumps.checkRun(at, "brush sides", first, count, all);
        if (count > MAX_SIDES) {
            throw new MalformedMapException(
                    at + 4, "a brush has " + count + " sides, allowed are up to " + MAX_SIDES);
        }
        // Otherwise a small file could expand to an unlimited number of brushes.
        sides += count;
        if (sides > all) {
            throw new MalformedMapException(at, "brushes share their sides");
        }
        List<Brush.Side> own = new ArrayList<>(count);
        for (int i = first; i < first + count; i++) {
            int side = lumps.record(BRUSH_SIDES, SIDE_SIZE, i);
            int planes = lumps.count(PLANES, PLANE_SIZE);
            int plane = Lumps.checkIndex(side, "plane", file.getInt(side), planes);
            own.add(
                    new Brush.Side(
                            lumps.plane(lumps.record(PLANES, PLANE_SIZE, plane)),
                            surfaceFlags(shader(side + 4)),
                            texture(shader(side + 4))));
        }
        int contents = contents(shader(at + 8));
        if (count >= Brush.AXIAL) {
            Box bounds =
                    new Box(
                            new Vec3f(-dist(own, 0), -dist(own, 2), -dist(own, 4)),
                            new Vec3f(dist(own, 1), dist(own, 3), dist(own, 5)));
            brushes.add(new Brush(contents, bounds, own));
        }
    }

    private static float dist(List<Brush.Side> sides, int side) {
        return sides.get(side).plane().dist();
    }

    private void surface(int at, List<Brush> brushes) {
        if (file.getInt(at + 8) != PATCH_SURFACE) {
            return;
        }
        int shader = shader(at);
        int width = file.getInt(at + PATCH_SIZE_OFFSET);
        int height = file.getInt(at + PATCH_SIZE_OFFSET + 4);
        if (!measure(width) || !measure(height)) {
            throw new MalformedMapException(
                    at + PATCH_SIZE_OFFSET, "a patch of " + width + " by " + height + " points");
        }
        int first = file.getInt(at + 12);
        int all = lumps.count(VERTICES, VERTEX_SIZE);
        Lumps.checkRun(at + 12, "vertices", first, width * height, all);
        points += width * height;
        if (points > all) {
            throw new MalformedMapException(at, "patches share their points");
        }
        if ((surfaceFlags(shader) & NON_SOLID) != 0 || contents(shader) == 0) {
            return;
        }
        List<List<Vec3f>> rows = new ArrayList<>(height);
        for (int row = 0; row < height; row++) {
            List<Vec3f> points = new ArrayList<>(width);
            for (int column = 0; column < width; column++) {
                int vertex = first + row * width + column;
                points.add(lumps.vector(lumps.record(VERTICES, VERTEX_SIZE, vertex)));
            }
            rows.add(points);
        }
        List<Brush> own =
                Patch.facets(rows, contents(shader), surfaceFlags(shader), texture(shader), at);
        facets += own.size();
        if (facets > MAX_FACETS) {
            throw new MalformedMapException(at, "patches have more than " + MAX_FACETS + " facets");
        }
        brushes.addAll(own);
    }

    private static boolean measure(int points) {
        return points >= 3 && points <= Patch.MAX_POINTS && (points & 1) == 1;
    }

    /** The offset of the shader record whose index stands at {@code at}. */
    private int shader(int at) {
        int count = lumps.count(SHADERS, SHADER_SIZE);
        int shader = Lumps.checkIndex(at, "shader", file.getInt(at), count);
        return lumps.record(SHADERS, SHADER_SIZE, shader);
    }

    private String texture(int shader) {
        return lumps.text(shader, SHADER_NAME);
    }

    private int surfaceFlags(int shader) {
        return file.getInt(shader + 64);
    }

    private int contents(int shader) {
        return file.getInt(shader + 68);
    }
}
