package dev.wishdir.quake3;

import dev.wishdir.quake3.Level.Offer;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;
import dev.wishdir.world.BoxArena;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Builds the generated arena as a map of Quake III: Quake III, IBSP version 46. */
final class BoxMap {
    /** What clients load it as. */
    static final String NAME = "wishdir_box";

    private static final int LUMPS = 17;
    private static final int WALL = 64;
    private static final int TEXTURE = 128;
    private static final int WORLD = 65_536;

    private static final int[][] FACES = {
        {0, -1}, {0, 1}, {1, -1}, {1, 1}, {2, -1}, {2, 1},
    };

    private final List<Writer> lumps = new ArrayList<>();
    private int surfaces;

    private BoxMap() {
        for (int i = 0; i < LUMPS; i++) {
            lumps.add(new Writer(1 << 20));
        }
    }

    private Writer lump(int index) {
        return lumps.get(index);
    }

    /** The level with its pk3. */
    static Level build() {
        return new BoxMap().level();
    }

    private Level level() {
        double half = BoxArena.SIDE / 2 * Quake3Motion.SCALE;
        double top = BoxArena.BOUNDS.max().z() * Quake3Motion.SCALE;
        shader("textures/base_floor/concrete");
        shader("textures/base_wall/concrete");
        double out = half + WALL;
        box(0, new double[] {-out, -out, -WALL}, new double[] {out, out, 0}, 5);
        box(1, new double[] {-out, -out, 0}, new double[] {-half, out, top}, 1);
        box(1, new double[] {half, -out, 0}, new double[] {out, out, top}, 0);
        box(1, new double[] {-half, -out, 0}, new double[] {half, -half, top}, 3);
        box(1, new double[] {-half, half, 0}, new double[] {half, out, top}, 2);
        box(1, new double[] {-out, -out, top}, new double[] {out, out, top + WALL}, 4);
        StringBuilder entities =
                new StringBuilder("{\n\"classname\" \"worldspawn\"\n\"message\" \"Wishdir\"\n}\n");
        for (int i = 0; i < 8; i++) {
            double angle = Math.toRadians(45 * i);
            int x = (int) Math.round(half / 2 * Math.cos(angle));
            int y = (int) Math.round(half / 2 * Math.sin(angle));
            int yaw = (45 * i + 180) % 360;
            entities.append(
                    "{\n\"classname\" \"info_player_deathmatch\"\n\"origin\" \"%d %d 32\"\n\"angle\" \"%d\"\n}\n"
                            .formatted(x, y, yaw));
        }
        byte[] text = (entities + "\0").getBytes(StandardCharsets.US_ASCII);
        lump(0).append(text, 0, text.length);
        tree(out, top);
        byte[] bsp = file();
        Pak known = new Pak(Path.of(NAME), "zz-" + NAME, List.of(crc(bsp)), false, false);
        return Level.read(NAME, bsp, Optional.of(new Offer(zip(bsp), known)));
    }

    private void shader(String name) {
        fixed(lump(1), name);
        lump(1).i32le("surfaceFlags", 0);
        lump(1).i32le("contents", Pmove.SOLID);
    }

    private static void fixed(Writer w, String name) {
        byte[] bytes = java.util.Arrays.copyOf(name.getBytes(StandardCharsets.US_ASCII), 64);
        w.append(bytes, 0, bytes.length);
    }

    /** A solid box, of which one face is seen. */
    private void box(int shader, double[] mins, double[] maxs, int seen) {
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
        int number = lump(6).position() / 4;
        lump(6).i32le("leafBrush", number);
        face(shader, mins, maxs, FACES[seen][0], FACES[seen][1]);
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
        lump(5).i32le("leafSurface", surfaces++);
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

    /** One leaf with everything, in front of a plane far below. */
    private void tree(double out, double top) {
        int far = lump(2).position() / 16;
        plane(2, 1, -WORLD);
        plane(2, -1, WORLD);
        Writer node = lump(3);
        node.i32le("plane", far);
        node.i32le("front", -2);
        node.i32le("back", -1);
        bounds(node);
        int count = lump(8).position() / 12;
        for (int leaf = 0; leaf < 2; leaf++) {
            Writer w = lump(4);
            w.i32le("cluster", leaf - 1);
            w.i32le("area", leaf - 1);
            bounds(w);
            w.i32le("firstSurface", 0);
            w.i32le("surfaces", leaf * surfaces);
            w.i32le("firstBrush", 0);
            w.i32le("brushes", leaf * count);
        }
        Writer model = lump(7);
        for (double coordinate : new double[] {-out, -out, -WALL, out, out, top + WALL}) {
            model.f32le("bounds", (float) coordinate);
        }
        for (int value : new int[] {0, surfaces, 0, count}) {
            model.i32le("model", value);
        }
    }

    private static void bounds(Writer w) {
        for (int i = 0; i < 6; i++) {
            w.i32le("bounds", i < 3 ? -WORLD : WORLD);
        }
    }

    private byte[] file() {
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

    private static int crc(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    private static Bytes zip(byte[] bsp) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            ZipEntry entry = new ZipEntry("maps/" + NAME + ".bsp");
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
