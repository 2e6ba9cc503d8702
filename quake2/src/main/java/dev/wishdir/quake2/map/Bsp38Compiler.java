package dev.wishdir.quake2.map;

import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.MoveTrigger;
import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.blocks.grid.Cuboid;
import dev.wishdir.blocks.grid.Face;
import dev.wishdir.blocks.grid.Material;
import dev.wishdir.motion.Medium;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Compiles an arena of blocks to a BSP file of version 38 that stock clients load and draw: one
 * tree of planes, one area, one cluster. The textures are grey, as no more of the game's palette is
 * known; the lightmaps have the colours.
 *
 * <p>See docs/protocols/quake2.md, 7.
 */
final class Bsp38Compiler {
    /** Units of half a metre: also texels, and one lightmap sample. */
    private static final int HALF_METRE_UNITS = (int) Quake2Motion.SCALE / 2;

    /** Half metres of the walls around the grid. */
    private static final int SHELL_HALF_METRES = 4;

    /** Units per second squared. */
    static final double GRAVITY = 800;

    private static final int SOLID = 1;
    private static final int WINDOW = 2;
    private static final int WATER = 32;

    /** Climbable contents that block only players. */
    private static final int LADDER = 0x2000_0000 | 0x1_0000;

    /** Distance of a ladder's brush from its wall, units. */
    private static final int PLATE_UNITS = 1;

    private static final int LIGHT = 1;
    private static final int SKY = 4;
    private static final int WARP = 8;
    private static final int TRANSLUCENT = 0x10;

    /** Record sizes in bytes. */
    private static final int BRUSH_BYTES = 12;

    private static final int TEXINFO_BYTES = 76;

    /** Light level of a texture at its painted brightness. */
    private static final double FULL_LIGHT = 0.8;

    /** A part of a face within one leaf. */
    private record Part(Face face, BlockTree.Region region, int leaf) {}

    private final Bsp38Writer bsp = new Bsp38Writer();
    private final BlockArena arena;
    private final List<BlockTree.Solid> solids = new ArrayList<>();
    private final BlockTree tree;
    private final List<List<Part>> byNode = new ArrayList<>();

    /** The first texinfo of each material; one per axis follows. */
    private final Map<Material, Integer> textures = new EnumMap<>(Material.class);

    /** The brushes of each solid. */
    private final List<List<Integer>> brushes = new ArrayList<>();

    /** Offsets of lightmaps, which equal faces share. */
    private final Map<Bytes, Integer> lights = new HashMap<>();

    private Bsp38Compiler(BlockArena arena) {
        this.arena = arena;
        Cuboid.around(arena.blocks(), SHELL_HALF_METRES).forEach(box -> add(box, SOLID));
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

    /** The compiled file. */
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
        for (int i = 0; i < arena.moveTriggers().size(); i++) {
            switch (arena.moveTriggers().get(i)) {
                case MoveTrigger.Teleporter teleporter -> teleporter(text, teleporter, "exit" + i);
                case MoveTrigger.JumpPad pad -> pad(text, pad, ++pads);
            }
        }
        byte[] bytes = text.append('\0').toString().getBytes(StandardCharsets.ISO_8859_1);
        bsp.lump(Bsp38Writer.ENTITIES).append(bytes, 0, bytes.length);
    }

    private static void entity(StringBuilder text, String className, Movement spawn) {
        double[] at = {
            spawn.position().x() * Quake2Motion.SCALE,
            spawn.position().y() * Quake2Motion.SCALE,
            spawn.position().z() * Quake2Motion.SCALE + Quake2Motion.FEET
        };
        text.append(String.format(Locale.ROOT, "{\n\"classname\" \"%s\"\n", className));
        text.append(
                String.format(
                        Locale.ROOT,
                        "\"origin\" \"%d %d %d\"\n\"angle\" \"%d\"\n}\n",
                        Math.round(at[0]),
                        Math.round(at[1]),
                        Math.round(at[2]),
                        Math.round(spawn.yaw())));
    }

    private static void teleporter(
            StringBuilder text, MoveTrigger.Teleporter teleporter, String name) {
        text.append(
                String.format(
                        Locale.ROOT,
                        "{\n\"classname\" \"misc_teleporter\"\n\"target\" \"%s\"\n",
                        name));
        place(text, teleporter.place(), 0);
        text.append("}\n{\n\"classname\" \"misc_teleporter_dest\"\n");
        text.append(String.format(Locale.ROOT, "\"targetname\" \"%s\"\n", name));
        // The game spawns bodies 10 units above it.
        place(text, teleporter.target(), Quake2Motion.FEET - 10);
        text.append(
                String.format(
                        Locale.ROOT, "\"angle\" \"%d\"\n}\n", Math.round(teleporter.exit().yaw())));
    }

    private static void place(StringBuilder text, Vec3 metres, double up) {
        Vec3 at = metres.times(Quake2Motion.SCALE);
        text.append(
                String.format(
                        Locale.ROOT,
                        "\"origin\" \"%d %d %d\"\n",
                        Math.round(at.x()),
                        Math.round(at.y()),
                        Math.round(at.z() + up)));
    }

    private static void pad(StringBuilder text, MoveTrigger.JumpPad pad, int model) {
        Vec3 path = pad.apex().minus(pad.place()).times(Quake2Motion.SCALE);
        double seconds = Math.sqrt(2 * path.z() / GRAVITY);
        Vec3 velocity = new Vec3(path.x() / seconds, path.y() / seconds, GRAVITY * seconds);
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
            textures.put(material, bsp.lump(Bsp38Writer.TEXINFO).position() / TEXINFO_BYTES);
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
            int first = bsp.lump(Bsp38Writer.BRUSHES).position() / BRUSH_BYTES;
            if (solid.contents() == LADDER) {
                ladders(solid.box());
            } else {
                int[] min = new int[3];
                int[] max = new int[3];
                for (int axis = 0; axis < 3; axis++) {
                    min[axis] = solid.box().min(axis) * HALF_METRE_UNITS;
                    max[axis] = solid.box().max(axis) * HALF_METRE_UNITS;
                }
                bsp.brush(min, max, solid.contents(), texture(inside(solid.contents()), 2));
            }
            int next = bsp.lump(Bsp38Writer.BRUSHES).position() / BRUSH_BYTES;
            brushes.add(IntStream.range(first, next).boxed().toList());
        }
    }

    private static Material inside(int contents) {
        return contents == SOLID
                ? Material.STONE
                : contents == WINDOW ? Material.GLASS : Material.WATER;
    }

    /**
     * Adds the ladders of a box: a thin brush before each wall. Bodies climb what they run into, so
     * it must be in front of the adjacent walls.
     */
    private void ladders(Cuboid box) {
        for (int x = box.minX() / 2; x < box.maxX() / 2; x++) {
            for (int y = box.minY() / 2; y < box.maxY() / 2; y++) {
                for (int z = box.minZ() / 2; z < box.maxZ() / 2; z++) {
                    int[] min = {
                        2 * x * HALF_METRE_UNITS, 2 * y * HALF_METRE_UNITS, 2 * z * HALF_METRE_UNITS
                    };
                    arena.blocks().wall(x, y, z).ifPresent(side -> plate(min, side));
                }
            }
        }
    }

    private void plate(int[] block, BlockGrid.Side side) {
        int[] min = block.clone();
        int[] max = {
            block[0] + 2 * HALF_METRE_UNITS,
            block[1] + 2 * HALF_METRE_UNITS,
            block[2] + 2 * HALF_METRE_UNITS
        };
        int axis = side.x() == 0 ? 1 : 0;
        if (side.x() + side.y() > 0) {
            min[axis] = max[axis] - PLATE_UNITS;
        } else {
            max[axis] = min[axis] + PLATE_UNITS;
        }
        bsp.brush(min, max, LADDER, texture(Material.LADDER, 2));
    }

    /** Splits faces at leaf boundaries, and assigns them to the nodes on whose planes they lie. */
    private void faces() {
        for (Face face : arena.faces()) {
            split(face);
            if (face.material() == Material.WATER) {
                // The surface of water is visible from below, too.
                split(face.flipped());
            }
        }
        for (List<Part> parts : byNode) {
            for (Part part : parts) {
                add(part);
            }
        }
    }

    private void split(Face face) {
        int[] min = new int[3];
        int[] max = new int[3];
        min[face.axis()] = face.at();
        max[face.axis()] = face.at();
        min[face.u()] = face.minU();
        max[face.u()] = face.maxU();
        min[face.v()] = face.minV();
        max[face.v()] = face.maxV();
        split(face, min, max, 0, -1);
    }

    private void add(Part part) {
        Face face = part.face;
        int[] min = part.region.min().clone();
        int[] max = part.region.max().clone();
        for (int axis = 0; axis < 3; axis++) {
            min[axis] *= HALF_METRE_UNITS;
            max[axis] *= HALF_METRE_UNITS;
        }
        boolean up = face.sign() > 0;
        int light = isLit(face.material()) ? light(part) : -1;
        bsp.face(face.axis(), up, min, max, texture(face.material(), face.axis()), light);
    }

    private static boolean isLit(Material material) {
        return material != Material.SKY && !material.transparent() || material == Material.LADDER;
    }

    private void split(Face face, int[] min, int[] max, int child, int on) {
        if (child < 0) {
            byNode.get(on).add(new Part(face, new BlockTree.Region(min, max), -1 - child));
            return;
        }
        BlockTree.Node node = tree.nodes().get(child);
        int axis = node.axis();
        if (axis == face.axis() && node.at() == face.at()) {
            split(face, min, max, face.sign() > 0 ? node.front() : node.back(), child);
        } else if (min[axis] >= node.at()) {
            split(face, min, max, node.front(), on);
        } else if (max[axis] <= node.at()) {
            split(face, min, max, node.back(), on);
        } else {
            int[] middle = max.clone();
            middle[axis] = node.at();
            split(face, min, middle, node.back(), on);
            middle = min.clone();
            middle[axis] = node.at();
            split(face, middle, max, node.front(), on);
        }
    }

    /** Writes the lightmap of a part of a face, in texture order: from its upper left. */
    private int light(Part part) {
        Face face = part.face;
        float[] light = arena.light().corners(face);
        int width = face.maxU() - face.minU() + 1;
        int[] colour = {
            face.material().colour() >> 16 & 255,
            face.material().colour() >> 8 & 255,
            face.material().colour() & 255
        };
        int s = face.axis() == 0 ? 1 : 0;
        int t = face.axis() == 2 ? 1 : 2;
        Writer samples = new Writer(1 << 12);
        int[] at = new int[3];
        for (int j = part.region.max()[t]; j >= part.region.min()[t]; j--) {
            for (int i = part.region.min()[s]; i <= part.region.max()[s]; i++) {
                at[s] = i;
                at[t] = j;
                int place = (at[face.v()] - face.minV()) * width + at[face.u()] - face.minU();
                for (int c = 0; c < 3; c++) {
                    double level = light[3 * place + c] * colour[c] * FULL_LIGHT;
                    samples.u8("light", Math.clamp(Math.round(level), 0, 255));
                }
            }
        }
        return lights.computeIfAbsent(samples.toBytes(), this::append);
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
                    bsp.plane(node.axis(), node.at() * HALF_METRE_UNITS),
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
        boolean reserved = number == 0;
        boolean empty = !reserved && leaf.solids().isEmpty();
        int contents =
                reserved ? SOLID : empty ? 0 : solids.get(leaf.solids().getFirst()).contents();
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
                bsp.putShorts(lump, coordinate * HALF_METRE_UNITS);
            }
        }
    }

    private void model(int faces) {
        BlockTree.Region world = tree.nodes().getFirst().region();
        for (int[] corner : List.of(world.min(), world.max())) {
            for (int coordinate : corner) {
                bsp.putFloats(Bsp38Writer.MODELS, coordinate * HALF_METRE_UNITS);
            }
        }
        bsp.putFloats(Bsp38Writer.MODELS, 0, 0, 0);
        bsp.put(Bsp38Writer.MODELS, 0, 0, faces);
    }
}
