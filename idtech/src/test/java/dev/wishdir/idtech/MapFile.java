package dev.wishdir.idtech;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes an IBSP 46 file lump by lump, right or wrong. */
final class MapFile {
    static final int ENTITIES = 0;
    static final int SHADERS = 1;
    static final int PLANES = 2;
    static final int MODELS = 7;
    static final int BRUSHES = 8;
    static final int SIDES = 9;
    static final int VERTICES = 10;
    static final int SURFACES = 13;
    private static final int LUMPS = 17;
    private static final int HEAD = 8 + 8 * LUMPS;
    private static final int SOLID = 1;

    private final byte[][] lumps = new byte[LUMPS][0];

    /** One shader, of solids; the six planes of a box of 64 units; no model yet. */
    MapFile() {
        entities("{\n\"classname\" \"worldspawn\"\n}\n");
        ByteBuffer shader = record(72);
        shader.put("textures/solid".getBytes(StandardCharsets.ISO_8859_1)).putInt(68, SOLID);
        add(SHADERS, shader);
        for (int axis = 0; axis < 3; axis++) {
            for (int sign : new int[] {-1, 1}) {
                add(PLANES, record(16).putFloat(4 * axis, sign).putFloat(12, 32));
            }
        }
    }

    private static ByteBuffer record(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void add(int lump, ByteBuffer record) {
        byte[] bytes = new byte[record.capacity()];
        record.get(0, bytes);
        int length = lumps[lump].length;
        lumps[lump] = Arrays.copyOf(lumps[lump], length + bytes.length);
        System.arraycopy(bytes, 0, lumps[lump], length, bytes.length);
    }

    MapFile entities(String text) {
        lumps[ENTITIES] = text.getBytes(StandardCharsets.ISO_8859_1);
        return this;
    }

    /** Adds a model of runs of surfaces and of brushes. */
    MapFile model(int firstSurface, int surfaces, int firstBrush, int brushes) {
        add(
                MODELS,
                record(40)
                        .putFloat(0, -32)
                        .putFloat(4, -32)
                        .putFloat(8, -32)
                        .putFloat(12, 32)
                        .putFloat(16, 32)
                        .putFloat(20, 32)
                        .putInt(24, firstSurface)
                        .putInt(28, surfaces)
                        .putInt(32, firstBrush)
                        .putInt(36, brushes));
        return this;
    }

    /** Adds a brush of a run of sides. */
    MapFile brush(int firstSide, int sides) {
        add(BRUSHES, record(12).putInt(0, firstSide).putInt(4, sides));
        return this;
    }

    /** Adds the six sides of the box. */
    MapFile sides() {
        for (int plane = 0; plane < 6; plane++) {
            add(SIDES, record(8).putInt(0, plane));
        }
        return this;
    }

    /** Adds the points of a square patch, whose middle row is so high. */
    MapFile vertices(int count, float high) {
        for (int row = 0; row < count; row++) {
            for (int column = 0; column < count; column++) {
                add(
                        VERTICES,
                        record(44)
                                .putFloat(0, 64 * column)
                                .putFloat(4, 64 * row)
                                .putFloat(8, (row & 1) * high + (column & 1) * high / 2));
            }
        }
        return this;
    }

    /** Adds a surface: a patch is of type 2. */
    MapFile surface(int type, int firstVertex, int width, int height) {
        add(
                SURFACES,
                record(104)
                        .putInt(8, type)
                        .putInt(12, firstVertex)
                        .putInt(96, width)
                        .putInt(100, height));
        return this;
    }

    /** Repeats the only record of a lump. */
    MapFile times(int lump, int count) {
        byte[] one = lumps[lump];
        ByteBuffer all = ByteBuffer.allocate(one.length * count);
        for (int i = 0; i < count; i++) {
            all.put(one);
        }
        lumps[lump] = all.array();
        return this;
    }

    byte[] bytes() {
        int length = HEAD + Arrays.stream(lumps).mapToInt(lump -> lump.length).sum();
        ByteBuffer file = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        file.put("IBSP".getBytes(StandardCharsets.ISO_8859_1)).putInt(46);
        int at = HEAD;
        for (byte[] lump : lumps) {
            file.putInt(at).putInt(lump.length);
            at += lump.length;
        }
        for (byte[] lump : lumps) {
            file.put(lump);
        }
        return file.array();
    }
}
