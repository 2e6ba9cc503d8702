package dev.wishdir.quake2.map;

import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.wire.Bytes;
import dev.wishdir.world.BoxArena;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the generated arena as a BSP file of version 38 that stock clients load and draw: a room of
 * six walls, one area, one cluster, no light maps. The same file every time, so that its checksum
 * is, too.
 *
 * <p>See docs/protocols/quake2.md, 7.
 */
public final class BoxMap {
    static final String NAME = "wishdir";
    static final String TITLE = "Wishdir";

    private static final int LUMPS = 19;
    private static final float HALF = (float) (BoxArena.SIDE / 2 * Quake2Motion.SCALE);
    private static final float HEIGHT = (float) (BoxArena.SIDE * Quake2Motion.SCALE);
    private static final float THICK = 64;
    private static final int SOLID = 1;
    private static final int SURFACE_SKY = 4;
    private static final int MOST = 1 << 16;
    private static final int SPAWNS = 8;

    /** The corners of the room: the lower and the upper. */
    private static final float[][] ROOM = {{-HALF, -HALF, 0}, {HALF, HALF, HEIGHT}};

    private final ByteBuffer[] lumps = new ByteBuffer[LUMPS];
    private final List<float[]> planes = new ArrayList<>();

    private BoxMap() {
        for (int i = 0; i < LUMPS; i++) {
            lumps[i] = ByteBuffer.allocate(MOST).order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    /** The file. */
    public static Bytes file() {
        BoxMap map = new BoxMap();
        map.entities();
        map.visibility();
        map.textures();
        map.geometry();
        return map.pack();
    }

    private void entities() {
        StringBuilder text = new StringBuilder();
        text.append("{\n\"classname\" \"worldspawn\"\n\"message\" \"").append(TITLE);
        text.append("\"\n\"sky\" \"unit1_\"\n}\n");
        entity(text, "info_player_start", 0, 0, 0);
        for (int i = 0; i < SPAWNS; i++) {
            double turn = Math.PI * 2 * i / SPAWNS;
            entity(
                    text,
                    "info_player_deathmatch",
                    Math.round(Math.cos(turn) * HALF / 4),
                    Math.round(Math.sin(turn) * HALF / 4),
                    (360 * i / SPAWNS + 180) % 360);
        }
        lumps[0].put(text.toString().getBytes(StandardCharsets.US_ASCII)).put((byte) 0);
    }

    private static void entity(StringBuilder text, String kind, long x, long y, int angle) {
        text.append("{\n\"classname\" \"").append(kind).append("\"\n\"origin\" \"");
        text.append(x).append(' ').append(y).append(" 24\"\n\"angle\" \"").append(angle);
        text.append("\"\n}\n");
    }

    private void visibility() {
        lumps[3].putInt(1).putInt(12).putInt(13).put((byte) 1).put((byte) 1);
        lumps[16].put(new byte[256]);
        lumps[17].put(new byte[16]);
    }

    private void textures() {
        for (int axis = 0; axis < 3; axis++) {
            texture(axis == 0 ? 1 : 0, axis == 2 ? 1 : 2, 0, "e1u1/floor1_3");
        }
        texture(0, 1, SURFACE_SKY, "e1u1/sky1");
    }

    private void texture(int s, int t, int flags, String name) {
        for (int axis : new int[] {s, t}) {
            for (int i = 0; i < 4; i++) {
                lumps[5].putFloat(i == axis ? 1 / 8f : 0);
            }
        }
        lumps[5].putInt(flags).putInt(0);
        byte[] padded = new byte[32];
        byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(text, 0, padded, 0, text.length);
        lumps[5].put(padded).putInt(-1);
    }

    /** The plane at a place on an axis: of its pair, the one that points up the axis. */
    private int plane(int axis, float at) {
        for (int i = 0; i < planes.size(); i++) {
            if (planes.get(i)[0] == axis && planes.get(i)[1] == at) {
                return i * 2;
            }
        }
        planes.add(new float[] {axis, at});
        for (int sign = 1; sign >= -1; sign -= 2) {
            for (int i = 0; i < 3; i++) {
                lumps[1].putFloat(i == axis ? sign : 0);
            }
            lumps[1].putFloat(sign * at).putInt(axis);
        }
        return planes.size() * 2 - 2;
    }

    /**
     * Six walls; the tree goes through their inner planes. Leaf 0 is no leaf, leaf 1 the room, leaf
     * 2 and up the walls.
     */
    private void geometry() {
        lumps[2].putFloat(0).putFloat(0).putFloat(0);
        lumps[11].putShort((short) 0).putShort((short) 0);
        leaf(SOLID, -1, 0, 0, 0, 0, 0);
        leaf(0, 0, 1, 0, 6, 0, 0);
        for (int wall = 0; wall < 6; wall++) {
            int axis = wall / 2;
            boolean upper = wall % 2 == 0;
            float[] low = ROOM[0].clone();
            float[] high = ROOM[1].clone();
            for (int i = 0; i < 3; i++) {
                low[i] -= THICK;
                high[i] += THICK;
            }
            if (upper) {
                low[axis] = ROOM[1][axis];
            } else {
                high[axis] = ROOM[0][axis];
            }
            int texture = axis == 2 && upper ? 3 : axis;
            brush(wall, low, high, texture);
            leaf(SOLID, -1, 0, 0, 0, wall, 1);
            int inner = plane(axis, ROOM[upper ? 1 : 0][axis]);
            int next = wall == 5 ? -2 : wall + 1;
            int solid = -1 - (2 + wall);
            lumps[4].putInt(inner).putInt(upper ? solid : next).putInt(upper ? next : solid);
            bounds(lumps[4]);
            lumps[4].putShort((short) wall).putShort((short) 1);
            face(wall, axis, upper, inner, texture);
            lumps[9].putShort((short) wall);
        }
        for (float[] corner : ROOM) {
            for (float at : corner) {
                lumps[13].putFloat(at);
            }
        }
        lumps[13].putFloat(0).putFloat(0).putFloat(0).putInt(0).putInt(0).putInt(6);
    }

    private static void bounds(ByteBuffer lump) {
        for (float[] corner : ROOM) {
            for (float at : corner) {
                lump.putShort((short) at);
            }
        }
    }

    private void leaf(
            int contents, int cluster, int area, int face, int faces, int brush, int brushes) {
        lumps[8].putInt(contents).putShort((short) cluster).putShort((short) area);
        if (contents == 0) {
            bounds(lumps[8]);
        } else {
            lumps[8].put(new byte[12]);
        }
        lumps[8].putShort((short) face).putShort((short) faces);
        lumps[8].putShort((short) brush).putShort((short) brushes);
    }

    private void brush(int number, float[] low, float[] high, int texture) {
        lumps[14].putInt(lumps[15].position() / 4).putInt(6).putInt(SOLID);
        for (int axis = 0; axis < 3; axis++) {
            lumps[15].putShort((short) plane(axis, high[axis])).putShort((short) texture);
            lumps[15].putShort((short) (plane(axis, low[axis]) + 1)).putShort((short) texture);
        }
        lumps[10].putShort((short) number);
    }

    /** A wall's face; its corners run clockwise seen from the room. */
    private void face(int number, int axis, boolean upper, int plane, int texture) {
        int side = upper ? 1 : 0;
        lumps[6].putShort((short) plane).putShort((short) side);
        lumps[6].putInt(number * 4).putShort((short) 4).putShort((short) texture);
        lumps[6].put(new byte[] {0, -1, -1, -1}).putInt(-1);
        int u = (axis + 1) % 3;
        int v = (axis + 2) % 3;
        // Counter-clockwise round the axis, seen from its upper end: turned round for a face that
        // looks up it.
        int[][] corners = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
        int first = lumps[2].position() / 12;
        for (int i = 0; i < 4; i++) {
            int[] corner = corners[upper ? i : 3 - i];
            float[] at = new float[3];
            at[axis] = ROOM[upper ? 1 : 0][axis];
            at[u] = ROOM[corner[0]][u];
            at[v] = ROOM[corner[1]][v];
            lumps[2].putFloat(at[0]).putFloat(at[1]).putFloat(at[2]);
            lumps[12].putInt(lumps[11].position() / 4);
            lumps[11].putShort((short) (first + i)).putShort((short) (first + (i + 1) % 4));
        }
    }

    private Bytes pack() {
        ByteBuffer file = ByteBuffer.allocate(LUMPS * MOST).order(ByteOrder.LITTLE_ENDIAN);
        file.put("IBSP".getBytes(StandardCharsets.US_ASCII)).putInt(38);
        int at = 8 + LUMPS * 8;
        for (ByteBuffer lump : lumps) {
            file.putInt(at).putInt(lump.position());
            file.put(at, lump.duplicate().flip(), 0, lump.position());
            at += (lump.position() + 3) & ~3;
        }
        return Bytes.copyOf(file.array(), 0, at);
    }
}
