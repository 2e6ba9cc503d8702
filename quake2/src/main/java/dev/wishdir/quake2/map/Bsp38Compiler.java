package dev.wishdir.quake2.map;

import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;
import dev.wishdir.world.Medium;
import dev.wishdir.world.blocks.BlockArena;
import dev.wishdir.world.blocks.BlockGrid;
import dev.wishdir.world.blocks.Cuboid;
import dev.wishdir.world.blocks.Face;
import dev.wishdir.world.blocks.Material;
import dev.wishdir.world.blocks.MoveTrigger;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Builds an arena of blocks as a BSP file of version 38 that stock clients load and draw: a tree of
 * planes, one area, one cluster. The textures are grey, as we can't know more of the game's
 * colours; the light on them has the colour of what they show.
 *
 * <p>See docs/protocols/quake2.md, 7.
 */
final class Bsp38Compiler {
    /** Units of half a metre: as many dots of texture, and one place of light. */
    private static final int HALF = (int) Quake2Motion.SCALE / 2;

    /** Half metres of the walls around the grid. */
    private static final int SHELL = 4;

    /** Units a second, each second. */
    static final double GRAVITY = 800;

    private static final int SOLID = 1;
    private static final int WINDOW = 2;
    private static final int WATER = 32;

    /** What is climbed, and stops players alone. */
    private static final int LADDER = 0x2000_0000 | 0x1_0000;

    /** Units that a ladder stands before its wall. */
    private static final int PLATE = 1;

    private static final int LIGHT = 1;
    private static final int SKY = 4;
    private static final int WARP = 8;
    private static final int TRANSLUCENT = 0x10;

    /** Bytes of a brush and of a texture's record. */
    private static final int BRUSH = 12;

    private static final int TEXINFO = 76;

    /** The light of what is as bright as it is painted. */
    private static final double FULL = 0.8;

    /** A part of a face that lies in one leaf. */
    private record Part(Face face, BlockTree.Region region, int leaf) {}

    private final Bsp38Writer bsp = new Bsp38Writer();
    private final BlockArena arena;
    private final List<BlockTree.Solid> solids = new ArrayList<>();
    private final BlockTree tree;
    private final List<List<Part>> byNode = new ArrayList<>();

    /** Of each material the first of its textures, one an axis. */
    private final Map<Material, Integer> textures = new EnumMap<>(Material.class);

    /** The brushes in each of the solids. */
    private final List<List<Integer>> brushes = new ArrayList<>();

    /** Where light is that some faces have alike. */
    private final Map<Bytes, Integer> lights = new HashMap<>();

    private Bsp38Compiler(BlockArena arena) {
        this.arena = arena;
        Cuboid.around(arena.blocks(), SHELL).forEach(box -> add(box, SOLID));
        Cuboid.of(arena.blocks(), false).forEach(box -> add(box, SOLID));
        Cuboid.of(arena.blocks(), true).forEach(box -> add(box, WINDOW));
        Cuboid.of(arena.blocks(), Medium.WATER).forEach(box -> add(box, WATER));
        Cuboid.of(arena.blocks(), Medium.LADDER).forEach(box -> add(box, LADDER));
        int[] min = new int[3];
        int[] max = new int[3];
        for (BlockTree.Solid solid : solids) {
            for (int axis = 0; axis < 3; axis++) {
                min[axis] = Math.min(min[axis], solid.box().min(axis));
                max[axis] = Math.max(max[axis], solid.box().max(axis));
            }
        }
        tree = new BlockTree(new BlockTree.Region(min, max), solids);
        tree.nodes().forEach(_ -> byNode.add(new ArrayList<>()));
    }

    private void add(Cuboid box, int contents) {
        solids.add(new BlockTree.Solid(box, contents));
    }

    /** What clients load an arena as. */
    static String name(BlockArena arena) {
        return "wishdir_" + arena.name();
    }

    /** The file. */
    static Bytes file(BlockArena arena) {
        Bsp38Compiler map = new Bsp38Compiler(arena);
        map.entities();
        map.textures();
        map.brushes();
        map.faces();
        map.tree();
        PadModels.add(arena, map.bsp, map.texture(Material.PAD, 2));
        return map.bsp.file();
    }

    private void entities() {
        StringBuilder text = new StringBuilder();
        text.append("{\n\"classname\" \"worldspawn\"\n\"message\" \"");
        text.append(arena.title().replace('"', '\'')).append("\"\n\"sky\" \"unit1_\"\n}\n");
        entity(text, "info_player_start", arena.spawns().getFirst());
        arena.spawns().forEach(spawn -> entity(text, "info_player_deathmatch", spawn));
        int pads = 0;
        for (int i = 0; i < arena.passages().size(); i++) {
            switch (arena.passages().get(i)) {
                case MoveTrigger.Teleporter teleporter -> teleporter(text, teleporter, "exit" + i);
                case MoveTrigger.Pad pad -> pad(text, pad, ++pads);
            }
        }
        byte[] bytes = text.append('\0').toString().getBytes(StandardCharsets.ISO_8859_1);
        bsp.lump(Bsp38Writer.ENTITIES).append(bytes, 0, bytes.length);
    }

    private static void entity(StringBuilder text, String kind, Movement spawn) {
        double[] at = {
            spawn.position().x() * Quake2Motion.SCALE,
            spawn.position().y() * Quake2Motion.SCALE,
            spawn.position().z() * Quake2Motion.SCALE + Quake2Motion.FEET
        };
        text.append("{\n\"classname\" \"%s\"\n".formatted(kind));
        text.append(
                "\"origin\" \"%d %d %d\"\n\"angle\" \"%d\"\n}\n"
                        .formatted(
                                Math.round(at[0]),
                                Math.round(at[1]),
                                Math.round(at[2]),
                                Math.round(spawn.yaw())));
    }

    private static void teleporter(
            StringBuilder text, MoveTrigger.Teleporter teleporter, String name) {
        text.append("{\n\"classname\" \"misc_teleporter\"\n\"target\" \"%s\"\n".formatted(name));
        place(text, teleporter.place(), 0);
        text.append("}\n{\n\"classname\" \"misc_teleporter_dest\"\n");
        text.append("\"targetname\" \"%s\"\n".formatted(name));
        // The game has bodies appear 10 units above it.
        place(text, teleporter.target(), Quake2Motion.FEET - 10);
        text.append("\"angle\" \"%d\"\n}\n".formatted(Math.round(teleporter.exit().yaw())));
    }

    private static void place(StringBuilder text, Vec3 metres, double up) {
        Vec3 at = metres.times(Quake2Motion.SCALE);
        text.append(
                "\"origin\" \"%d %d %d\"\n"
                        .formatted(
                                Math.round(at.x()), Math.round(at.y()), Math.round(at.z() + up)));
    }

    private static void pad(StringBuilder text, MoveTrigger.Pad pad, int model) {
        Vec3 way = pad.apex().minus(pad.place()).times(Quake2Motion.SCALE);
        double seconds = Math.sqrt(2 * way.z() / GRAVITY);
        Vec3 velocity = new Vec3(way.x() / seconds, way.y() / seconds, GRAVITY * seconds);
        text.append(
                String.format(
                        Locale.ROOT,
                        """
                        {
                        "classname" "trigger_push"
                        "model" "*%d"
                        "angles" "%.4f %.4f 0"
                        "speed" "%.4f"
                        }
                        """,
                        model,
                        -Math.toDegrees(Math.atan2(velocity.z(), velocity.horizontal())),
                        Math.toDegrees(Math.atan2(velocity.y(), velocity.x())),
                        velocity.length() / 10));
    }

    private void textures() {
        for (Material material : Material.values()) {
            if (!material.solid() && !arena.blocks().has(material)) {
                continue;
            }
            int flags =
                    switch (material) {
                        case SKY -> SKY;
                        case GLASS -> TRANSLUCENT;
                        case WATER -> TRANSLUCENT | WARP;
                        case LAMP, PORTAL, PAD -> LIGHT;
                        default -> 0;
                    };
            textures.put(material, bsp.lump(Bsp38Writer.TEXINFO).position() / TEXINFO);
            for (int axis = 0; axis < 3; axis++) {
                bsp.texture(axis, flags, Wal.name(material), 1);
            }
        }
    }

    private int texture(Material material, int axis) {
        return textures.getOrDefault(material, 0) + axis;
    }

    private void brushes() {
        for (BlockTree.Solid solid : solids) {
            int first = bsp.lump(Bsp38Writer.BRUSHES).position() / BRUSH;
            if (solid.contents() == LADDER) {
                ladders(solid.box());
            } else {
                int[] min = new int[3];
                int[] max = new int[3];
                for (int axis = 0; axis < 3; axis++) {
                    min[axis] = solid.box().min(axis) * HALF;
                    max[axis] = solid.box().max(axis) * HALF;
                }
                bsp.brush(min, max, solid.contents(), texture(inside(solid.contents()), 2));
            }
            int next = bsp.lump(Bsp38Writer.BRUSHES).position() / BRUSH;
            brushes.add(IntStream.range(first, next).boxed().toList());
        }
    }

    private static Material inside(int contents) {
        return contents == SOLID
                ? Material.STONE
                : contents == WINDOW ? Material.GLASS : Material.WATER;
    }

    /**
     * What is climbed of a box of ladders: a plate before each wall. Bodies climb what they run
     * into, so that it stands before the walls beside.
     */
    private void ladders(Cuboid box) {
        for (int x = box.minX() / 2; x < box.maxX() / 2; x++) {
            for (int y = box.minY() / 2; y < box.maxY() / 2; y++) {
                for (int z = box.minZ() / 2; z < box.maxZ() / 2; z++) {
                    int[] min = {2 * x * HALF, 2 * y * HALF, 2 * z * HALF};
                    arena.blocks().wall(x, y, z).ifPresent(side -> plate(min, side));
                }
            }
        }
    }

    private void plate(int[] block, BlockGrid.Side side) {
        int[] min = block.clone();
        int[] max = {block[0] + 2 * HALF, block[1] + 2 * HALF, block[2] + 2 * HALF};
        int axis = side.x() == 0 ? 1 : 0;
        if (side.x() + side.y() > 0) {
            min[axis] = max[axis] - PLATE;
        } else {
            max[axis] = min[axis] + PLATE;
        }
        bsp.brush(min, max, LADDER, texture(Material.LADDER, 2));
    }

    /** Cuts faces where leafs end, and finds the node on whose plane each lies. */
    private void faces() {
        for (Face face : arena.faces()) {
            cut(face);
            if (face.material() == Material.WATER) {
                // Water is seen from inside, too.
                cut(face.turned());
            }
        }
        for (List<Part> parts : byNode) {
            for (Part part : parts) {
                add(part);
            }
        }
    }

    private void cut(Face face) {
        int[] min = new int[3];
        int[] max = new int[3];
        min[face.axis()] = face.at();
        max[face.axis()] = face.at();
        min[face.u()] = face.minU();
        max[face.u()] = face.maxU();
        min[face.v()] = face.minV();
        max[face.v()] = face.maxV();
        cut(face, min, max, 0, -1);
    }

    private void add(Part part) {
        Face face = part.face;
        int[] min = part.region.min().clone();
        int[] max = part.region.max().clone();
        for (int axis = 0; axis < 3; axis++) {
            min[axis] *= HALF;
            max[axis] *= HALF;
        }
        boolean up = face.sign() > 0;
        int light = isLit(face.material()) ? light(part) : -1;
        bsp.face(face.axis(), up, min, max, texture(face.material(), face.axis()), light);
    }

    private static boolean isLit(Material material) {
        return material != Material.SKY && !material.transparent() || material == Material.LADDER;
    }

    private void cut(Face face, int[] min, int[] max, int child, int on) {
        if (child < 0) {
            byNode.get(on).add(new Part(face, new BlockTree.Region(min, max), -1 - child));
            return;
        }
        BlockTree.Node node = tree.nodes().get(child);
        int axis = node.axis();
        if (axis == face.axis() && node.at() == face.at()) {
            cut(face, min, max, face.sign() > 0 ? node.front() : node.back(), child);
        } else if (min[axis] >= node.at()) {
            cut(face, min, max, node.front(), on);
        } else if (max[axis] <= node.at()) {
            cut(face, min, max, node.back(), on);
        } else {
            int[] middle = max.clone();
            middle[axis] = node.at();
            cut(face, min, middle, node.back(), on);
            middle = min.clone();
            middle[axis] = node.at();
            cut(face, middle, max, node.front(), on);
        }
    }

    /** Writes the light of a part of a face, as the texture lies: from its upper left. */
    private int light(Part part) {
        Face face = part.face;
        float[] light = arena.light().corners(face);
        int wide = face.maxU() - face.minU() + 1;
        int[] colour = {
            face.material().colour() >> 16 & 255,
            face.material().colour() >> 8 & 255,
            face.material().colour() & 255
        };
        int s = face.axis() == 0 ? 1 : 0;
        int t = face.axis() == 2 ? 1 : 2;
        Writer dots = new Writer(1 << 12);
        int[] at = new int[3];
        for (int j = part.region.max()[t]; j >= part.region.min()[t]; j--) {
            for (int i = part.region.min()[s]; i <= part.region.max()[s]; i++) {
                at[s] = i;
                at[t] = j;
                int place = (at[face.v()] - face.minV()) * wide + at[face.u()] - face.minU();
                for (int c = 0; c < 3; c++) {
                    double level = light[3 * place + c] * colour[c] * FULL;
                    dots.u8("light", Math.clamp(Math.round(level), 0, 255));
                }
            }
        }
        return lights.computeIfAbsent(dots.toBytes(), this::append);
    }

    private int append(Bytes light) {
        Writer all = bsp.lump(Bsp38Writer.LIGHTING);
        all.append(light.toArray(), 0, light.length());
        return all.position() - light.length();
    }

    private void tree() {
        List<List<Integer>> inLeaf = new ArrayList<>();
        tree.leafs().forEach(_ -> inLeaf.add(new ArrayList<>()));
        int face = 0;
        for (int i = 0; i < byNode.size(); i++) {
            BlockTree.Node node = tree.nodes().get(i);
            bsp.put(
                    Bsp38Writer.NODES,
                    bsp.plane(node.axis(), node.at() * HALF),
                    node.front(),
                    node.back());
            bounds(Bsp38Writer.NODES, node.region());
            bsp.putShorts(Bsp38Writer.NODES, face, byNode.get(i).size());
            for (Part part : byNode.get(i)) {
                inLeaf.get(part.leaf).add(face);
                face++;
            }
        }
        for (int i = 0; i < inLeaf.size(); i++) {
            leaf(i, tree.leafs().get(i), inLeaf.get(i));
        }
        model(face);
    }

    private void leaf(int number, BlockTree.Leaf leaf, List<Integer> faces) {
        boolean none = number == 0;
        boolean empty = !none && leaf.solids().isEmpty();
        int contents = none ? SOLID : empty ? 0 : solids.get(leaf.solids().getFirst()).contents();
        List<Integer> inside =
                leaf.solids().stream().flatMap(solid -> brushes.get(solid).stream()).toList();
        bsp.put(Bsp38Writer.LEAFS, contents);
        bsp.putShorts(Bsp38Writer.LEAFS, contents == SOLID ? -1 : 0, contents == SOLID ? 0 : 1);
        bounds(Bsp38Writer.LEAFS, leaf.region());
        bsp.putShorts(
                Bsp38Writer.LEAFS,
                bsp.lump(Bsp38Writer.LEAF_FACES).position() / 2,
                faces.size(),
                bsp.lump(Bsp38Writer.LEAF_BRUSHES).position() / 2,
                inside.size());
        faces.forEach(face -> bsp.putShorts(Bsp38Writer.LEAF_FACES, face));
        inside.forEach(brush -> bsp.putShorts(Bsp38Writer.LEAF_BRUSHES, brush));
    }

    private void bounds(int lump, BlockTree.Region region) {
        for (int[] corner : List.of(region.min(), region.max())) {
            for (int coordinate : corner) {
                bsp.putShorts(lump, coordinate * HALF);
            }
        }
    }

    private void model(int faces) {
        BlockTree.Region world = tree.nodes().getFirst().region();
        for (int[] corner : List.of(world.min(), world.max())) {
            for (int coordinate : corner) {
                bsp.putFloats(Bsp38Writer.MODELS, coordinate * HALF);
            }
        }
        bsp.putFloats(Bsp38Writer.MODELS, 0, 0, 0);
        bsp.put(Bsp38Writer.MODELS, 0, 0, faces);
    }
}
