package dev.wishdir.quake2.map;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes a BSP file of version 38 with axis-aligned planes only; units. The output is
 * deterministic, and with it its checksum. See docs/protocols/quake2.md, 7.
 */
final class Bsp38Writer {
    static final int ENTITIES = 0;
    static final int PLANES = 1;
    static final int VERTICES = 2;
    static final int VISIBILITY = 3;
    static final int NODES = 4;
    static final int TEXINFO = 5;
    static final int FACES = 6;
    static final int LIGHTING = 7;
    static final int LEAFS = 8;
    static final int LEAF_FACES = 9;
    static final int LEAF_BRUSHES = 10;
    static final int EDGES = 11;
    static final int SURFEDGES = 12;
    static final int MODELS = 13;
    static final int BRUSHES = 14;
    static final int BRUSH_SIDES = 15;
    static final int POP = 16;
    static final int AREAS = 17;

    private static final int LUMPS = 19;
    private static final int MAX_LUMP_BYTES = 1 << 23;

    private final List<Writer> lumps = new ArrayList<>();
    private final Map<List<Integer>, Integer> planes = new HashMap<>();
    private final Map<List<Integer>, Integer> vertices = new HashMap<>();

    /** Starts with one cluster that sees itself, and two areas, of which the second is used. */
    Bsp38Writer() {
        for (int i = 0; i < LUMPS; i++) {
            lumps.add(new Writer(MAX_LUMP_BYTES));
        }
        put(VISIBILITY, 1, 12, 13);
        lump(VISIBILITY).u8("row", 1);
        lump(VISIBILITY).u8("row", 1);
        lump(POP).append(new byte[256], 0, 256);
        put(AREAS, 0, 0, 0, 0);
        vertex(new int[3]);
        put(EDGES, 0);
    }

    Writer lump(int index) {
        return lumps.get(index);
    }

    void put(int lump, int... values) {
        for (int value : values) {
            lump(lump).i32le("value", value);
        }
    }

    void putShorts(int lump, int... values) {
        for (int value : values) {
            lump(lump).u16le("value", value & 0xFFFF);
        }
    }

    void putFloats(int lump, double... values) {
        for (double value : values) {
            lump(lump).f32le("value", (float) value);
        }
    }

    /**
     * The plane at a coordinate of an axis: of its pair, the one that faces in the positive
     * direction.
     */
    int plane(int axis, int at) {
        return planes.computeIfAbsent(
                List.of(axis, at),
                _ -> {
                    int first = lump(PLANES).position() / 20;
                    for (int sign = 1; sign >= -1; sign -= 2) {
                        for (int i = 0; i < 3; i++) {
                            putFloats(PLANES, i == axis ? sign : 0);
                        }
                        putFloats(PLANES, sign * at);
                        put(PLANES, axis);
                    }
                    return first;
                });
    }

    private int vertex(int[] at) {
        return vertices.computeIfAbsent(
                List.of(at[0], at[1], at[2]),
                key -> {
                    key.forEach(coordinate -> putFloats(VERTICES, coordinate));
                    return lump(VERTICES).position() / 12 - 1;
                });
    }

    /**
     * Adds a texinfo for faces across an axis, upright on walls.
     *
     * @param scale texels per unit
     */
    void texture(int axis, int flags, String name, double scale) {
        int s = axis == 0 ? 1 : 0;
        int t = axis == 2 ? 1 : 2;
        putFloats(TEXINFO, s == 0 ? scale : 0, s == 1 ? scale : 0, 0, 0);
        putFloats(TEXINFO, 0, t == 1 ? -scale : 0, t == 2 ? -scale : 0, 0);
        put(TEXINFO, flags, 0);
        byte[] padded = Arrays.copyOf(name.getBytes(StandardCharsets.US_ASCII), 32);
        lump(TEXINFO).append(padded, 0, padded.length);
        put(TEXINFO, -1);
    }

    /** Adds a brush. */
    void brush(int[] min, int[] max, int contents, int texture) {
        put(BRUSHES, lump(BRUSH_SIDES).position() / 4, 6, contents);
        for (int axis = 0; axis < 3; axis++) {
            putShorts(BRUSH_SIDES, plane(axis, max[axis]), texture);
            putShorts(BRUSH_SIDES, plane(axis, min[axis]) + 1, texture);
        }
    }

    /**
     * Adds a visible rectangle.
     *
     * @param min lowest corner, {@code max} the highest; equal along its axis
     * @param light offset of its lightmap, -1 for none
     */
    void face(int axis, boolean up, int[] min, int[] max, int texture, int light) {
        putShorts(FACES, plane(axis, min[axis]), up ? 0 : 1);
        put(FACES, lump(SURFEDGES).position() / 4);
        putShorts(FACES, 4, texture);
        put(FACES, light < 0 ? -1 : 0xFFFFFF00, light);
        int u = (axis + 1) % 3;
        int v = (axis + 2) % 3;
        int[] corners = new int[4];
        for (int i = 0; i < 4; i++) {
            // Clockwise as seen from the front.
            int corner = up ? i : 3 - i;
            int[] at = min.clone();
            at[u] = corner >= 2 ? max[u] : min[u];
            at[v] = corner == 1 || corner == 2 ? max[v] : min[v];
            corners[i] = vertex(at);
        }
        for (int i = 0; i < 4; i++) {
            put(SURFEDGES, lump(EDGES).position() / 4);
            putShorts(EDGES, corners[i], corners[(i + 1) % 4]);
        }
    }

    /** The complete file. */
    Bytes file() {
        Writer w = new Writer(LUMPS * MAX_LUMP_BYTES);
        byte[] magic = "IBSP".getBytes(StandardCharsets.US_ASCII);
        w.append(magic, 0, 4);
        w.i32le("version", 38);
        int at = 8 + LUMPS * 8;
        for (Writer lump : lumps) {
            w.i32le("offset", at);
            w.i32le("length", lump.position());
            at += lump.position() + 3 & ~3;
        }
        for (Writer lump : lumps) {
            w.append(lump.array(), 0, lump.position());
            while ((w.position() & 3) != 0) {
                w.u8("padding", 0);
            }
        }
        return w.toBytes();
    }
}
