package dev.wishdir.quake3.map;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Writes a map of Quake III that is made of boxes: Quake III, IBSP version 46. The boxes of the
 * world come first, then those of each inline model.
 */
final class Bsp46Writer {
    private static final int LUMPS = 17;
    private static final int TEXTURE = 128;
    private static final int WORLD = 65_536;

    /** The sides of a box in their order: axis, sign. */
    private static final int[][] FACES = {
        {0, -1}, {0, 1}, {1, -1}, {1, 1}, {2, -1}, {2, 1},
    };

    private final List<Writer> lumps = new ArrayList<>();
    private final StringBuilder entities = new StringBuilder();
    private int shaders;
    private int surfaces;
    private int brushes;
    private int models;
    private int firstSurface;
    private int firstBrush;
    private OptionalDouble parted = OptionalDouble.empty();

    /** The surfaces and the brushes of the world. */
    private int worldSurfaces;

    private int worldBrushes;

    Bsp46Writer() {
        for (int i = 0; i < LUMPS; i++) {
            lumps.add(new Writer(1 << 20));
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
        byte[] bytes = Arrays.copyOf(name.getBytes(StandardCharsets.US_ASCII), 64);
        lump(1).append(bytes, 0, bytes.length);
        lump(1).i32le("surfaceFlags", 0);
        lump(1).i32le("contents", contents);
        return shaders++;
    }

    /** Adds an entity: keys and values in turn. */
    void entity(String... words) {
        entities.append("{\n");
        for (int i = 0; i < words.length; i += 2) {
            entities.append("\"%s\" \"%s\"\n".formatted(words[i], words[i + 1]));
        }
        entities.append("}\n");
    }

    /**
     * Adds a solid box to the model that is being written.
     *
     * @param seen the faces that are drawn, -x +x -y +y -z +z
     */
    void box(int shader, double[] mins, double[] maxs, int... seen) {
        Writer brush = lump(8);
        brush.i32le("firstSide", lump(9).position() / 8);
        brush.i32le("sides", 6);
        brush.i32le("shader", shader);
        for (int[] face : FACES) {
            int axis = face[0];
            double distance = face[1] < 0 ? -mins[axis] : maxs[axis];
            lump(9).i32le("plane", lump(2).position() / 16);
            lump(9).i32le("shader", shader);
            plane(axis, face[1], distance);
            plane(axis, -face[1], -distance);
        }
        brushes++;
        for (int face : seen) {
            face(shader, mins, maxs, FACES[face][0], FACES[face][1]);
        }
    }

    /**
     * Ends a model: the first is the world, those after it are {@code *1}, {@code *2} …
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

    private void plane(int axis, int sign, double distance) {
        for (int i = 0; i < 3; i++) {
            lump(2).f32le("normal", i == axis ? sign : 0);
        }
        lump(2).f32le("dist", (float) distance);
    }

    private void face(int shader, double[] mins, double[] maxs, int axis, int sign) {
        int u = (axis + 1) % 3;
        int v = (axis + 2) % 3;
        int first = lump(10).position() / 44;
        // Clockwise seen from where the normal points.
        int[][] corners = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
        for (int i = 0; i < 4; i++) {
            int[] corner = corners[sign > 0 ? i : 3 - i];
            double[] point = new double[3];
            point[axis] = sign > 0 ? maxs[axis] : mins[axis];
            point[u] = corner[0] == 0 ? mins[u] : maxs[u];
            point[v] = corner[1] == 0 ? mins[v] : maxs[v];
            Writer w = lump(10);
            for (double coordinate : point) {
                w.f32le("xyz", (float) coordinate);
            }
            w.f32le("s", (float) (point[u] / TEXTURE));
            w.f32le("t", (float) (point[v] / TEXTURE));
            w.f32le("lightmap", 0);
            w.f32le("lightmap", 0);
            normal(w, axis, sign);
            int light = axis == 2 ? 0xFFC8C8C8 : axis == 0 ? 0xFF909090 : 0xFFA8A8A8;
            w.i32le("rgba", light);
        }
        int firstIndex = lump(11).position() / 4;
        for (int index : new int[] {0, 1, 2, 0, 2, 3}) {
            lump(11).i32le("index", index);
        }
        surfaces++;
        Writer s = lump(13);
        for (int value : new int[] {shader, -1, 1, first, 4, firstIndex, 6, -3, 0, 0, 0, 0}) {
            s.i32le("surface", value);
        }
        for (int i = 0; i < 9; i++) {
            s.f32le("lightmap", 0);
        }
        normal(s, axis, sign);
        s.i32le("patchWidth", 0);
        s.i32le("patchHeight", 0);
    }

    private static void normal(Writer w, int axis, int sign) {
        for (int i = 0; i < 3; i++) {
            w.f32le("normal", i == axis ? sign : 0);
        }
    }

    /** Parts the world in two: area 0 lies before a plane across the x axis, area 1 behind. */
    void part(double x) {
        parted = OptionalDouble.of(x);
    }

    /** A leaf a side of the plane that parts the world, in front of a plane far below. */
    private void tree() {
        int far = lump(2).position() / 16;
        plane(2, 1, -WORLD);
        plane(2, -1, WORLD);
        node(far, parted.isPresent() ? 1 : -2, -1);
        int leafs = 2;
        if (parted.isPresent()) {
            plane(0, 1, parted.getAsDouble());
            plane(0, -1, -parted.getAsDouble());
            node(far + 2, -3, -2);
            leafs = 3;
        }
        for (int i = 0; i < worldSurfaces; i++) {
            lump(5).i32le("leafSurface", i);
        }
        for (int i = 0; i < worldBrushes; i++) {
            lump(6).i32le("leafBrush", i);
        }
        for (int leaf = 0; leaf < leafs; leaf++) {
            Writer w = lump(4);
            w.i32le("cluster", leaf - 1);
            w.i32le("area", leaf - 1);
            bounds(w);
            w.i32le("firstSurface", 0);
            w.i32le("surfaces", leaf == 0 ? 0 : worldSurfaces);
            w.i32le("firstBrush", 0);
            w.i32le("brushes", leaf == 0 ? 0 : worldBrushes);
        }
    }

    private void node(int plane, int front, int back) {
        Writer node = lump(3);
        node.i32le("plane", plane);
        node.i32le("front", front);
        node.i32le("back", back);
        bounds(node);
    }

    private static void bounds(Writer w) {
        for (int i = 0; i < 6; i++) {
            w.i32le("bounds", i < 3 ? -WORLD : WORLD);
        }
    }

    /** The file. Nothing can be added after it. */
    byte[] file() {
        tree();
        byte[] text = (entities + "\0").getBytes(StandardCharsets.US_ASCII);
        lump(0).append(text, 0, text.length);
        Writer w = new Writer(1 << 22);
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

    /** A pk3 that holds a map. */
    static Bytes pk3(String name, byte[] bsp) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            ZipEntry entry = new ZipEntry("maps/" + name + ".bsp");
            // The same file whenever it is built, so that a client downloads it once.
            entry.setTimeLocal(java.time.LocalDateTime.of(2000, 1, 1, 0, 0));
            zip.putNextEntry(entry);
            zip.write(bsp);
            zip.closeEntry();
        } catch (IOException e) {
            throw new UncheckedIOException("memory can be written", e);
        }
        return Bytes.wrap(out.toByteArray());
    }
}
