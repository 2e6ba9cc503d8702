package dev.wishdir.quake2;

import dev.wishdir.motion.Movement;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A map file of BSP version 38, as far as a server needs it: the world's brushes and tree, and the
 * entities. Everything that points elsewhere in the file is checked when it is read.
 */
final class Bsp38 {
    private static final int MAGIC = 0x5053_4249;
    private static final int VERSION = 38;
    private static final int LUMPS = 19;
    private static final int HEADER = 8 + LUMPS * 8;
    private static final int MOST_DEPTH = 512;
    private static final int MOST_ENTITIES = 4096;

    private final byte[] data;
    private final int[] offsets = new int[LUMPS];
    private final int[] lengths = new int[LUMPS];
    private final BrushTree tree = new BrushTree();
    private final List<Map<String, String>> entities;
    private final int models;
    private final int areas;

    /**
     * Reads a map.
     *
     * @throws MalformedPacketException if the file is none, or says what can't be
     */
    Bsp38(Bytes file) {
        data = file.toArray();
        Reader header = new Reader(data);
        if (header.i32le("magic", 0) != MAGIC || header.i32le("version", 0) != VERSION) {
            throw header.malformed("version", "is no BSP of version " + VERSION);
        }
        for (int i = 0; i < LUMPS; i++) {
            offsets[i] = header.i32le("offset", 0);
            lengths[i] = header.i32le("length", 0);
            if (offsets[i] < 0
                    || lengths[i] < 0
                    || lengths[i] > 0 && offsets[i] < HEADER
                    || (long) offsets[i] + lengths[i] > data.length) {
                throw header.malformed("lump " + i, "lies outside the file");
            }
        }
        planes();
        brushes();
        leafs();
        nodes();
        models = count(13, 48);
        areas = count(17, 8);
        entities = parse(text());
    }

    private int count(int lump, int size) {
        if (lengths[lump] % size != 0) {
            throw new MalformedPacketException(
                    offsets[lump], "lump " + lump, "is not a whole number of records");
        }
        return lengths[lump] / size;
    }

    private Reader lump(int lump) {
        return new Reader(data, offsets[lump], lengths[lump]);
    }

    private static int index(Reader r, String name, int value, int count) {
        if (value < 0 || value >= count) {
            throw r.malformed(name, "is " + value + ", there are " + count);
        }
        return value;
    }

    private static void range(Reader r, String name, int first, int size, int count) {
        if (first < 0 || size < 0 || (long) first + size > count) {
            throw r.malformed(name, first + " and " + size + " more, there are " + count);
        }
    }

    private void planes() {
        int count = count(1, 20);
        Reader r = lump(1);
        tree.normals = new float[count * 3];
        tree.distances = new float[count];
        tree.types = new int[count];
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < 3; k++) {
                tree.normals[i * 3 + k] = finite(r, r.f32le("normal", 0));
            }
            tree.distances[i] = finite(r, r.f32le("dist", 0));
            int type = r.i32le("type", 0);
            boolean axial = type >= 0 && type < BrushTree.AXIAL && tree.normals[i * 3 + type] == 1;
            tree.types[i] = axial ? type : BrushTree.AXIAL;
        }
    }

    private static float finite(Reader r, float value) {
        if (!Float.isFinite(value)) {
            throw r.malformed("plane", "is " + value);
        }
        return value;
    }

    private void brushes() {
        int infos = count(5, 76);
        int[] flags = new int[infos];
        for (int i = 0; i < infos; i++) {
            flags[i] = new Reader(data, offsets[5] + i * 76 + 32, 4).i32le("flags", 0);
        }
        int sides = count(15, 4);
        Reader r = lump(15);
        tree.sidePlanes = new int[sides];
        tree.sideFlags = new int[sides];
        for (int i = 0; i < sides; i++) {
            tree.sidePlanes[i] = index(r, "plane", r.u16le("plane", 0), tree.distances.length);
            int info = r.i16le("texinfo", 0);
            tree.sideFlags[i] = info < 0 ? 0 : flags[index(r, "texinfo", info, infos)];
        }
        int count = count(14, 12);
        Reader b = lump(14);
        tree.brushFirst = new int[count];
        tree.brushCount = new int[count];
        tree.brushContents = new int[count];
        for (int i = 0; i < count; i++) {
            tree.brushFirst[i] = b.i32le("firstside", 0);
            tree.brushCount[i] = b.i32le("numsides", 0);
            tree.brushContents[i] = b.i32le("contents", 0);
            range(b, "sides", tree.brushFirst[i], tree.brushCount[i], sides);
        }
        int leafBrushes = count(10, 2);
        Reader l = lump(10);
        tree.leafBrushes = new int[leafBrushes];
        for (int i = 0; i < leafBrushes; i++) {
            tree.leafBrushes[i] = index(l, "brush", l.u16le("brush", 0), count);
        }
    }

    private void leafs() {
        int count = count(8, 28);
        tree.leafContents = new int[count];
        tree.leafFirst = new int[count];
        tree.leafCount = new int[count];
        for (int i = 0; i < count; i++) {
            Reader r = new Reader(data, offsets[8] + i * 28, 28);
            tree.leafContents[i] = r.i32le("contents", 0);
            r.bytes("bounds", Bytes.EMPTY, 20);
            tree.leafFirst[i] = r.u16le("firstleafbrush", 0);
            tree.leafCount[i] = r.u16le("numleafbrushes", 0);
            range(r, "brushes", tree.leafFirst[i], tree.leafCount[i], tree.leafBrushes.length);
        }
    }

    private void nodes() {
        int count = count(4, 28);
        tree.nodePlanes = new int[count];
        tree.front = new int[count];
        tree.back = new int[count];
        for (int i = 0; i < count; i++) {
            Reader r = new Reader(data, offsets[4] + i * 28, 28);
            int plane = r.i32le("plane", 0);
            tree.nodePlanes[i] = index(r, "plane", plane, tree.distances.length);
            tree.front[i] = child(r, count);
            tree.back[i] = child(r, count);
        }
        if (count == 0) {
            throw new MalformedPacketException(offsets[4], "nodes", "there are none");
        }
        walk(0, 0, new boolean[count]);
    }

    private int child(Reader r, int nodes) {
        int child = r.i32le("child", 0);
        index(
                r,
                "child",
                child < 0 ? -1 - child : child,
                child < 0 ? tree.leafContents.length : nodes);
        return child;
    }

    private void walk(int node, int depth, boolean[] seen) {
        if (node < 0) {
            return;
        }
        if (seen[node] || depth > MOST_DEPTH) {
            throw new MalformedPacketException(
                    offsets[4], "nodes", "are no tree of at most " + MOST_DEPTH + " levels");
        }
        seen[node] = true;
        walk(tree.front[node], depth + 1, seen);
        walk(tree.back[node], depth + 1, seen);
    }

    private String text() {
        int length = lengths[0];
        while (length > 0 && data[offsets[0] + length - 1] == 0) {
            length--;
        }
        return new String(data, offsets[0], length, StandardCharsets.ISO_8859_1);
    }

    private static List<Map<String, String>> parse(String text) {
        List<Map<String, String>> entities = new ArrayList<>();
        int at = 0;
        while ((at = text.indexOf('{', at)) >= 0 && entities.size() < MOST_ENTITIES) {
            Map<String, String> entity = new LinkedHashMap<>();
            at++;
            while (true) {
                int quote = text.indexOf('"', at);
                int end = text.indexOf('}', at);
                if (quote < 0 || end >= 0 && end < quote) {
                    break;
                }
                int keyEnd = text.indexOf('"', quote + 1);
                int value = keyEnd < 0 ? -1 : text.indexOf('"', keyEnd + 1);
                int valueEnd = value < 0 ? -1 : text.indexOf('"', value + 1);
                if (valueEnd < 0) {
                    throw new MalformedPacketException(at, "entities", "end inside a text");
                }
                entity.put(text.substring(quote + 1, keyEnd), text.substring(value + 1, valueEnd));
                at = valueEnd + 1;
            }
            entities.add(entity);
        }
        return entities;
    }

    /** The brushes of the world, and the tree in which they are found. */
    BrushTree tree() {
        return tree;
    }

    /** How many brush models there are beside the world. */
    int inlineModels() {
        return Math.max(0, models - 1);
    }

    /** Bytes of a bit for each area. */
    int areaBytes() {
        return Math.clamp((areas + 7) / 8, 1, 32);
    }

    /** A setting of the map, or another text where it has none. */
    String setting(String key, String otherwise) {
        return entities.isEmpty() ? otherwise : entities.getFirst().getOrDefault(key, otherwise);
    }

    /** Where players appear: the places of a deathmatch, or of a single player. */
    List<Movement> spawns() {
        List<Movement> spawns = places("info_player_deathmatch");
        return spawns.isEmpty() ? places("info_player_start") : spawns;
    }

    private List<Movement> places(String kind) {
        List<Movement> places = new ArrayList<>();
        for (Map<String, String> entity : entities) {
            String[] origin = entity.getOrDefault("origin", "").strip().split("\\s+");
            if (kind.equals(entity.get("classname")) && origin.length == 3) {
                places.add(
                        Quake2Motion.placed(
                                number(origin[0]),
                                number(origin[1]),
                                number(origin[2]),
                                number(entity.getOrDefault("angle", "0"))));
            }
        }
        return places;
    }

    private static double number(String text) {
        try {
            double number = Double.parseDouble(text);
            return Double.isFinite(number) ? number : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
