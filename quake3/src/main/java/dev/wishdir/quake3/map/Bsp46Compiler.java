package dev.wishdir.quake3.map;

import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.MoveTrigger;
import dev.wishdir.blocks.grid.Cuboid;
import dev.wishdir.blocks.grid.Face;
import dev.wishdir.blocks.grid.Material;
import dev.wishdir.motion.Medium;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake3.movement.Pmove;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.wire.Bytes;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Compiles an arena of blocks to a Quake III map: docs/protocols/quake3.md#ibsp-version-46. */
final class Bsp46Compiler {
    /** Half a metre in units. */
    private static final double HALF_METRE = Quake3Motion.SCALE / 2;

    /** Side of a texture in units: two metres. */
    private static final double TEXTURE_UNITS = 2 * Quake3Motion.SCALE;

    /** Thickness of the walls around the grid, half metres. */
    private static final int SHELL_HALF_METRES = 4;

    /** Sides of faces of the sky: they have no light that must be divided. */
    private static final int MAX_SKY_HALF_METRES = 1 << 12;

    private static final int SPAWN_HEIGHT_UNITS = 1;
    private static final int SKY_FLAGS = 0x4 | 0x10 | 0x400;
    private static final int NO_LIGHTMAP = 0x400;
    private static final int NO_DRAW = 0x80;

    /** Surface flag of ladders, which the stock games ignore. */
    static final int LADDER = 8;

    private static final int TRIGGER = 0x4000_0000;

    /** Light map value of full light: clients multiply light maps by four. */
    private static final float FULL_LIGHT = 64;

    private static final int PAGE_TEXELS = 128;

    private final Bsp46Writer map = new Bsp46Writer();
    private final Map<Material, Integer> shaders = new EnumMap<>(Material.class);
    private final List<byte[]> pages = new ArrayList<>();
    private final Map<Bytes, Bsp46Writer.Lit> lights = new HashMap<>();
    private final BlockArena arena;

    /** The place of the next face's light on the last page. */
    private int left = PAGE_TEXELS;

    private int top = PAGE_TEXELS;
    private int bottom = PAGE_TEXELS;

    private Bsp46Compiler(BlockArena arena) {
        this.arena = arena;
    }

    /** Compiles an arena to a map with its pk3. */
    static Quake3Map build(BlockArena arena) {
        String name = arena.mapName();
        Pk3.Contents contents =
                Pk3.read("zz-" + name, arena.compiled("pk3", () -> pk3(name, arena)));
        return Quake3Map.read(name, contents.first().toArray(), Optional.of(contents.offer()))
                .of(arena);
    }

    private static byte[] pk3(String name, BlockArena arena) {
        Pk3 pk3 = new Pk3().add("maps/" + name + ".bsp", new Bsp46Compiler(arena).bsp());
        BlockTextures.add(pk3, name, arena);
        return pk3.file();
    }

    private byte[] bsp() {
        map.entity("classname", "worldspawn", "message", arena.title().replace('"', '\''));
        for (Movement spawn : arena.spawns()) {
            double[] at = {
                spawn.position().x() * Quake3Motion.SCALE,
                spawn.position().y() * Quake3Motion.SCALE,
                spawn.position().z() * Quake3Motion.SCALE + Quake3Motion.FEET + SPAWN_HEIGHT_UNITS
            };
            map.entity(
                    "classname",
                    "info_player_deathmatch",
                    "origin",
                    Math.round(at[0]) + " " + Math.round(at[1]) + " " + Math.round(at[2]),
                    "angle",
                    Long.toString(Math.round(spawn.yaw())));
        }
        for (Material material : Material.values()) {
            if (!material.solid() && !arena.blocks().has(material)) {
                continue;
            }
            int flags =
                    switch (material) {
                        case SKY -> SKY_FLAGS;
                        case LAMP, PORTAL, PAD, GLASS, WATER -> NO_LIGHTMAP;
                        default -> 0;
                    };
            int contents = material == Material.WATER ? Pmove.PLAIN_WATER : Pmove.SOLID;
            shaders.put(material, map.shader(BlockTextures.shader(material), flags, contents));
        }
        List<Cuboid> boxes = new ArrayList<>(Cuboid.around(arena.blocks(), SHELL_HALF_METRES));
        boxes.addAll(Cuboid.of(arena.blocks(), false));
        boxes.addAll(Cuboid.of(arena.blocks(), true));
        double[] mins = new double[3];
        double[] maxs = new double[3];
        for (Cuboid box : boxes) {
            double[][] corners = corners(box);
            for (int axis = 0; axis < 3; axis++) {
                mins[axis] = Math.min(mins[axis], corners[0][axis]);
                maxs[axis] = Math.max(maxs[axis], corners[1][axis]);
            }
            map.box(shader(Material.STONE), corners[0], corners[1]);
        }
        media();
        arena.faces().stream().filter(face -> !isSky(face)).forEach(this::face);
        // Clients draw all sky in sight at once, and a renderer of ioquake3 ends at 4,000 vertices.
        Face.of(arena.blocks(), MAX_SKY_HALF_METRES).stream()
                .filter(Bsp46Compiler::isSky)
                .forEach(this::face);
        pages.forEach(map::lightmap);
        map.model(mins, maxs);
        arena.moveTriggers().forEach(this::passage);
        return map.file();
    }

    /** Adds water, and ladders as invisible water: the game has no ladders. */
    private void media() {
        for (Cuboid box : Cuboid.of(arena.blocks(), Medium.WATER)) {
            double[][] corners = corners(box);
            map.box(shader(Material.WATER), corners[0], corners[1]);
        }
        List<Cuboid> ladders = Cuboid.of(arena.blocks(), Medium.LADDER);
        if (!ladders.isEmpty()) {
            int shader = map.shader("common/ladder", NO_DRAW | LADDER, Pmove.PLAIN_WATER);
            for (Cuboid box : ladders) {
                double[][] corners = corners(box);
                map.box(shader, corners[0], corners[1]);
            }
        }
    }

    /** The minimum and maximum corner of a box, units. */
    private static double[][] corners(Cuboid box) {
        double[][] corners = new double[2][3];
        for (int axis = 0; axis < 3; axis++) {
            corners[0][axis] = box.min(axis) * HALF_METRE;
            corners[1][axis] = box.max(axis) * HALF_METRE;
        }
        return corners;
    }

    private void passage(MoveTrigger trigger) {
        Vec3 at = trigger.place().times(Quake3Motion.SCALE);
        double reach = trigger.radius() * Quake3Motion.SCALE;
        double height = MoveTrigger.HEIGHT_METRES * Quake3Motion.SCALE;
        double[] mins = {at.x() - reach, at.y() - reach, at.z()};
        double[] maxs = {at.x() + reach, at.y() + reach, at.z() + height};
        map.box(map.shader("common/trigger", NO_DRAW, TRIGGER), mins, maxs);
        int model = map.model(mins, maxs);
        boolean teleports = trigger instanceof MoveTrigger.Teleporter;
        String name = "passage" + model;
        map.entity(
                "classname",
                teleports ? "trigger_teleport" : "trigger_push",
                "model",
                "*" + model,
                "target",
                name);
        switch (trigger) {
            case MoveTrigger.Teleporter teleporter ->
                    place(
                            "misc_teleporter_dest",
                            name,
                            teleporter.target(),
                            Quake3Motion.FEET,
                            teleporter.exit().yaw());
            case MoveTrigger.JumpPad pad ->
                    // The game measures the way from the middle of the trigger; this one begins at
                    // the top.
                    place("target_position", name, pad.apex(), -height / 2, 0);
        }
    }

    private void place(String kind, String name, Vec3 metres, double up, double yaw) {
        Vec3 at = metres.times(Quake3Motion.SCALE);
        map.entity(
                "classname",
                kind,
                "targetname",
                name,
                "origin",
                Math.round(at.x()) + " " + Math.round(at.y()) + " " + Math.round(at.z() + up),
                "angle",
                Long.toString(Math.round(yaw)));
    }

    private int shader(Material material) {
        return shaders.getOrDefault(material, 0);
    }

    private void face(Face face) {
        int width = face.maxU() - face.minU() + 1;
        int height = face.maxV() - face.minV() + 1;
        double[] corners = {
            face.minU() * HALF_METRE,
            face.minV() * HALF_METRE,
            face.maxU() * HALF_METRE,
            face.maxV() * HALF_METRE
        };
        int[] lights = {-1, -1, -1, -1};
        Bsp46Writer.Lit lit = Bsp46Writer.Lit.BY_VERTICES;
        if (isLit(face.material())) {
            float[] light = arena.light().corners(face);
            lights =
                    new int[] {
                        abgr(light, 0),
                        abgr(light, (height - 1) * width),
                        abgr(light, height * width - 1),
                        abgr(light, width - 1)
                    };
            lit = lightmap(light, width, height);
        }
        map.surface(
                shader(face.material()),
                face.axis(),
                face.sign(),
                face.at() * HALF_METRE,
                corners,
                TEXTURE_UNITS,
                lights,
                lit);
    }

    private static boolean isSky(Face face) {
        return face.material() == Material.SKY;
    }

    private static boolean isLit(Material material) {
        return material != Material.SKY && !material.transparent() || material == Material.LADDER;
    }

    /** The place of a face's light in the light maps; equal light is stored once. */
    private Bsp46Writer.Lit lightmap(float[] light, int width, int height) {
        byte[] texels = new byte[light.length + 1];
        for (int i = 0; i < light.length; i++) {
            texels[i] = (byte) level(light[i]);
        }
        texels[light.length] = (byte) width;
        return lights.computeIfAbsent(Bytes.wrap(texels), _ -> page(texels, width, height));
    }

    /** Places light on a page, in rows as high as their highest face. */
    private Bsp46Writer.Lit page(byte[] texels, int width, int height) {
        if (left + width > PAGE_TEXELS) {
            left = 0;
            top = bottom;
        }
        if (top + height > PAGE_TEXELS) {
            pages.add(new byte[3 * PAGE_TEXELS * PAGE_TEXELS]);
            left = 0;
            top = 0;
            bottom = 0;
        }
        for (int j = 0; j < height; j++) {
            int row = 3 * ((top + j) * PAGE_TEXELS + left);
            System.arraycopy(texels, 3 * j * width, pages.getLast(), row, 3 * width);
        }
        Bsp46Writer.Lit lit =
                new Bsp46Writer.Lit(
                        pages.size() - 1,
                        (left + 0.5) / PAGE_TEXELS,
                        (top + 0.5) / PAGE_TEXELS,
                        (left + width - 0.5) / PAGE_TEXELS,
                        (top + height - 0.5) / PAGE_TEXELS);
        left += width;
        bottom = Math.max(bottom, top + height);
        return lit;
    }

    private static int level(float light) {
        return Math.clamp(Math.round(light * FULL_LIGHT), 0, 255);
    }

    private static int abgr(float[] light, int place) {
        return 0xFF000000
                | level(light[3 * place + 2]) << 16
                | level(light[3 * place + 1]) << 8
                | level(light[3 * place]);
    }
}
