package dev.wishdir.quake3.map;

import dev.wishdir.wire.Writer;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Writes a Quake III map made of boxes: docs/protocols/quake3.md#ibsp-version-46. The boxes of the
 * world come first, then those of each inline model.
 */
final class Bsp46Writer {
    private static final int LUMPS = 17;
    private static final int TEXTURE_UNITS = 128;

    private static final int MAX_LUMP_BYTES = 1 << 24;

    private static final int WORLD_UNITS = 65_536;
    private static final int NODE_INTS = 9;
    private static final int LEAF_BYTES = 48;

    /** Maximum brushes and surfaces of a leaf; one with more is split. */
    private static final int MAX_LEAF_CONTENTS = 24;

    /** Minimum size of a leaf that is split. */
    private static final double MIN_SPLIT_UNITS = 128;

    private static final double GRID_UNITS = 16;
    private static final int MAX_DEPTH = 24;

    /** The sides of a box in their order: axis, sign. */
    private static final int[][] FACES = {
        {0, -1}, {0, 1}, {1, -1}, {1, 1}, {2, -1}, {2, 1},
    };

    private final List<Writer> lumps = new ArrayList<>();
    private final StringBuilder entities = new StringBuilder();
    private final Map<List<Double>, Integer> planes = new HashMap<>();
    private final List<Integer> nodes = new ArrayList<>();

    /** The minimum and maximum corner of each brush, and of each surface. */
    private final List<double[][]> brushBounds = new ArrayList<>();

    private final List<double[][]> surfaceBounds = new ArrayList<>();
    private int shaders;
    private int surfaces;
    private int brushes;
    private int models;
    private int firstSurface;
    private int firstBrush;
    private OptionalDouble areaSplit = OptionalDouble.empty();

    /** The number of surfaces and of brushes of the world. */
    private int worldSurfaces;

    private int worldBrushes;

    Bsp46Writer() {
        for (int i = 0; i < LUMPS; i++) {
            lumps.add(new Writer(MAX_LUMP_BYTES));
        }
    }

    private Writer lump(int index) {
        return lumps.get(index);
    }

    /**
     * Adds a shader.
     *
     * @return its number
     */
    int shader(String name, int contents) {
        return shader(name, 0, contents);
    }

    /** Adds a shader whose surfaces have flags. */
    int shader(String name, int flags, int contents) {
        byte[] bytes = Arrays.copyOf(name.getBytes(StandardCharsets.US_ASCII), 64);
        lump(1).append(bytes, 0, bytes.length);
        lump(1).i32le("surfaceFlags", flags);
        lump(1).i32le("contents", contents);
        return shaders++;
    }

    /** Adds an entity: keys and values in turn. */
    void entity(String... words) {
        entities.append("{\n");
        for (int i = 0; i < words.length; i += 2) {
            entities.append(String.format(Locale.ROOT, "\"%s\" \"%s\"\n", words[i], words[i + 1]));
        }
        entities.append("}\n");
    }

    /**
     * Adds a solid box to the model that is being written.
     *
     * @param drawn indices of the faces that are drawn, in the order -x +x -y +y -z +z
     */
    void box(int shader, double[] mins, double[] maxs, int... drawn) {
        Writer brush = lump(8);
        brush.i32le("firstSide", lump(9).position() / 8);
        brush.i32le("sides", 6);
        brush.i32le("shader", shader);
        for (int[] face : FACES) {
            int axis = face[0];
            double at = face[1] < 0 ? mins[axis] : maxs[axis];
            lump(9).i32le("plane", planes(axis, at) + (face[1] < 0 ? 1 : 0));
            lump(9).i32le("shader", shader);
        }
        brushes++;
        brushBounds.add(new double[][] {mins.clone(), maxs.clone()});
        for (int face : drawn) {
            face(shader, mins, maxs, FACES[face][0], FACES[face][1]);
        }
    }

    /**
     * Ends the model that is being written: the first is the world, those after it are {@code *1},
     * {@code *2} …
     *
     * @param mins of a box around it
     * @param maxs of the same box
     * @return its number
     */
    int model(double[] mins, double[] maxs) {
        Writer model = lump(7);
        for (double coordinate : mins) {
            model.f32le("bounds", (float) coordinate);
        }
        for (double coordinate : maxs) {
            model.f32le("bounds", (float) coordinate);
        }
        model.i32le("firstSurface", firstSurface);
        model.i32le("surfaces", surfaces - firstSurface);
        model.i32le("firstBrush", firstBrush);
        model.i32le("brushes", brushes - firstBrush);
        firstSurface = surfaces;
        firstBrush = brushes;
        if (models == 0) {
            worldSurfaces = surfaces;
            worldBrushes = brushes;
        }
        return models++;
    }

    /** The pair of planes at a place on an axis: the first faces up the axis. */
    private int planes(int axis, double at) {
        return planes.computeIfAbsent(
                List.of((double) axis, at),
                _ -> {
                    int first = lump(2).position() / 16;
                    plane(axis, 1, at);
                    plane(axis, -1, -at);
                    return first;
                });
    }

    private void plane(int axis, int sign, double distance) {
        for (int i = 0; i < 3; i++) {
            lump(2).f32le("normal", i == axis ? sign : 0);
        }
        lump(2).f32le("dist", (float) distance);
    }

    private void face(int shader, double[] mins, double[] maxs, int axis, int sign) {
        int u = (axis + 1) % 3;
        int v = (axis + 2) % 3;
        double at = sign > 0 ? maxs[axis] : mins[axis];
        double[] corners = {mins[u], mins[v], maxs[u], maxs[v]};
        int light = axis == 2 ? 0xFFC8C8C8 : axis == 0 ? 0xFF909090 : 0xFFA8A8A8;
        int[] lights = {light, light, light, light};
        surface(shader, axis, sign, at, corners, TEXTURE_UNITS, lights, Lit.BY_VERTICES);
    }

    /**
     * The light map coordinates of a surface's minimum and maximum corner.
     *
     * @param lightmap number of the light map, or -3 for light by vertices
     */
    record Lit(int lightmap, double minU, double minV, double maxU, double maxV) {
        static final Lit BY_VERTICES = new Lit(-3, 0, 0, 0, 0);
    }

    /**
     * Adds a visible rectangle to the model that is being written.
     *
     * @param axis of the normal
     * @param sign direction of the normal on the axis
     * @param corners minimum u and v, maximum u and v, on the two axes after {@code axis}
     * @param texture side of the texture, units
     * @param lights ABGR of the corners (min u, min v), (min, max), (max, max) and (max, min)
     */
    void surface(
            int shader,
            int axis,
            int sign,
            double at,
            double[] corners,
            double texture,
            int[] lights,
            Lit lit) {
        int u = (axis + 1) % 3;
        int v = (axis + 2) % 3;
        int first = lump(10).position() / 44;
        double[][] bounds = {new double[3], new double[3]};
        for (int end = 0; end < 2; end++) {
            bounds[end][axis] = at;
            bounds[end][u] = corners[2 * end];
            bounds[end][v] = corners[2 * end + 1];
        }
        surfaceBounds.add(bounds);
        for (int i = 0; i < 4; i++) {
            // Clockwise seen from where the normal points.
            int corner = sign > 0 ? i : 3 - i;
            int alongU = corner / 2;
            int alongV = corner == 1 || corner == 2 ? 1 : 0;
            double[] point = new double[3];
            point[axis] = at;
            point[u] = bounds[alongU][u];
            point[v] = bounds[alongV][v];
            Writer w = lump(10);
            for (double coordinate : point) {
                w.f32le("xyz", (float) coordinate);
            }
            // Textures stand upright on walls.
            w.f32le("s", (float) (point[axis == 0 ? 1 : 0] / texture));
            w.f32le("t", (float) (-point[axis == 2 ? 1 : 2] / texture));
            w.f32le("lightmap", (float) (alongU == 0 ? lit.minU : lit.maxU));
            w.f32le("lightmap", (float) (alongV == 0 ? lit.minV : lit.maxV));
            normal(w, axis, sign);
            w.i32le("rgba", lights[corner]);
        }
        int firstIndex = lump(11).position() / 4;
        for (int index : new int[] {0, 1, 2, 0, 2, 3}) {
            lump(11).i32le("index", index);
        }
        surfaces++;
        Writer s = lump(13);
        for (int value :
                new int[] {shader, -1, 1, first, 4, firstIndex, 6, lit.lightmap, 0, 0, 0, 0}) {
            s.i32le("surface", value);
        }
        for (int i = 0; i < 9; i++) {
            s.f32le("lightmap", 0);
        }
        normal(s, axis, sign);
        s.i32le("patchWidth", 0);
        s.i32le("patchHeight", 0);
    }

    /** Adds a light map of 128 by 128 texels. */
    void lightmap(byte[] rgb) {
        lump(14).append(rgb, 0, rgb.length);
    }

    private static void normal(Writer w, int axis, int sign) {
        for (int i = 0; i < 3; i++) {
            w.f32le("normal", i == axis ? sign : 0);
        }
    }

    /** Splits the world: area 0 lies before a plane across the x axis, area 1 behind it. */
    void splitAreas(double x) {
        areaSplit = OptionalDouble.of(x);
    }

    /** Writes the tree: the world lies in front of a plane far below. */
    private void tree() {
        double[][] all = {
            {-WORLD_UNITS, -WORLD_UNITS, -WORLD_UNITS}, {WORLD_UNITS, WORLD_UNITS, WORLD_UNITS}
        };
        leaf(-1, all, List.of(), List.of());
        int root = node(planes(2, -WORLD_UNITS), all);
        List<Integer> brushes = IntStream.range(0, worldBrushes).boxed().toList();
        List<Integer> surfaces = IntStream.range(0, worldSurfaces).boxed().toList();
        int world;
        if (areaSplit.isPresent()) {
            world = node(planes(0, areaSplit.getAsDouble()), all);
            int before = leaf(0, all, surfaces, brushes);
            children(world, leaf(1, all, surfaces, brushes), before);
        } else {
            world = split(all, surfaces, brushes, 0);
        }
        children(root, world, -1);
        for (int number : nodes) {
            lump(3).i32le("node", number);
        }
    }

    /**
     * Splits a box until it contains few brushes and surfaces.
     *
     * @return the reference to the part as a child of a node
     */
    private int split(double[][] box, List<Integer> surfaces, List<Integer> brushes, int depth) {
        double[][] inner = depth == 0 ? bounds(brushes) : box;
        int axis = 0;
        for (int other = 1; other < 3; other++) {
            if (inner[1][other] - inner[0][other] > inner[1][axis] - inner[0][axis]) {
                axis = other;
            }
        }
        double width = inner[1][axis] - inner[0][axis];
        if (brushes.size() + surfaces.size() <= MAX_LEAF_CONTENTS
                || width <= MIN_SPLIT_UNITS
                || depth > MAX_DEPTH) {
            return leaf(0, box, surfaces, brushes);
        }
        double middle = Math.rint((inner[0][axis] + inner[1][axis]) / 2 / GRID_UNITS) * GRID_UNITS;
        double[][] low = {inner[0].clone(), inner[1].clone()};
        double[][] high = {inner[0].clone(), inner[1].clone()};
        low[1][axis] = middle;
        high[0][axis] = middle;
        int node = node(planes(axis, middle), box);
        int front =
                split(
                        high,
                        meeting(high, surfaces, surfaceBounds),
                        meeting(high, brushes, brushBounds),
                        depth + 1);
        int back =
                split(
                        low,
                        meeting(low, surfaces, surfaceBounds),
                        meeting(low, brushes, brushBounds),
                        depth + 1);
        children(node, front, back);
        return node;
    }

    private double[][] bounds(List<Integer> brushes) {
        double[][] hull = {
            {WORLD_UNITS, WORLD_UNITS, WORLD_UNITS}, {-WORLD_UNITS, -WORLD_UNITS, -WORLD_UNITS}
        };
        for (int brush : brushes) {
            for (int axis = 0; axis < 3; axis++) {
                double[][] bounds = brushBounds.get(brush);
                hull[0][axis] = Math.min(hull[0][axis], bounds[0][axis]);
                hull[1][axis] = Math.max(hull[1][axis], bounds[1][axis]);
            }
        }
        return hull;
    }

    /** The brushes or surfaces that meet a box. */
    private static List<Integer> meeting(
            double[][] box, List<Integer> indices, List<double[][]> bounds) {
        return indices.stream()
                .filter(each ->
                        IntStream.range(0, 3)
                                .allMatch(axis ->
                                        bounds.get(each)[0][axis] <= box[1][axis]
                                                && bounds.get(each)[1][axis] >= box[0][axis]))
                .toList();
    }

    private int node(int plane, double[][] box) {
        int node = nodes.size() / NODE_INTS;
        nodes.addAll(List.of(plane, 0, 0));
        for (double[] corner : box) {
            for (double coordinate : corner) {
                nodes.add((int) coordinate);
            }
        }
        return node;
    }

    private void children(int node, int front, int back) {
        nodes.set(node * NODE_INTS + 1, front);
        nodes.set(node * NODE_INTS + 2, back);
    }

    /** Adds a leaf. Returns the reference to it as a child of a node. */
    private int leaf(int area, double[][] box, List<Integer> surfaces, List<Integer> brushes) {
        Writer w = lump(4);
        int leaf = w.position() / LEAF_BYTES;
        w.i32le("cluster", leaf == 0 ? -1 : area);
        w.i32le("area", leaf == 0 ? -1 : area);
        for (double[] corner : box) {
            for (double coordinate : corner) {
                w.i32le("bounds", (int) coordinate);
            }
        }
        w.i32le("firstSurface", lump(5).position() / 4);
        w.i32le("surfaces", surfaces.size());
        w.i32le("firstBrush", lump(6).position() / 4);
        w.i32le("brushes", brushes.size());
        surfaces.forEach(surface -> lump(5).i32le("leafSurface", surface));
        brushes.forEach(brush -> lump(6).i32le("leafBrush", brush));
        return -1 - leaf;
    }

    /** Ends the map and returns the file. */
    byte[] file() {
        tree();
        byte[] text = (entities + "\0").getBytes(StandardCharsets.US_ASCII);
        lump(0).append(text, 0, text.length);
        Writer w = new Writer(LUMPS * MAX_LUMP_BYTES);
        byte[] magic = "IBSP".getBytes(StandardCharsets.US_ASCII);
        w.append(magic, 0, 4);
        w.i32le("version", 46);
        int offset = 8 + 8 * LUMPS;
        for (Writer lump : lumps) {
            w.i32le("offset", offset);
            w.i32le("length", lump.position());
            offset += lump.position() + 3 & ~3;
        }
        for (Writer lump : lumps) {
            w.append(lump.array(), 0, lump.position());
            while ((w.position() & 3) != 0) {
                w.u8("padding", 0);
            }
        }
        return w.toByteArray();
    }
}
