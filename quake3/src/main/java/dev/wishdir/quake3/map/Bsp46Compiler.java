package dev.wishdir.quake3.map;

import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake3.movement.Pmove;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.wire.Bytes;
import dev.wishdir.world.Medium;
import dev.wishdir.world.blocks.BlockArena;
import dev.wishdir.world.blocks.Cuboid;
import dev.wishdir.world.blocks.Face;
import dev.wishdir.world.blocks.Material;
import dev.wishdir.world.blocks.MoveTrigger;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builds an arena of blocks as a map of Quake III. See docs/protocols/quake3.md. */
final class Bsp46Compiler {
    /** Units of half a metre. */
    private static final double HALF = Quake3Motion.SCALE / 2;

    /** Units of two metres. */
    private static final double TEXTURE = 2 * Quake3Motion.SCALE;

    /** Half metres of the walls around the grid. */
    private static final int SHELL = 4;

    private static final int SPAWN_HEIGHT = 1;
    private static final int SKY_FLAGS = 0x4 | 0x10 | 0x400;
    private static final int NO_LIGHTMAP = 0x400;
    private static final int NO_DRAW = 0x80;

    /** A flag of surfaces that are climbed, which the stock games do not look at. */
    static final int LADDER = 8;

    private static final int TRIGGER = 0x4000_0000;

    /** A light map is made brighter four times where it is shown. */
    private static final float FULL = 64;

    private static final int PAGE = 128;

    private final Bsp46Writer map = new Bsp46Writer();
    private final Map<Material, Integer> shaders = new EnumMap<>(Material.class);
    private final List<byte[]> pages = new ArrayList<>();
    private final Map<Bytes, Bsp46Writer.Lit> lights = new HashMap<>();
    private final BlockArena arena;

    /** Where the next face's light goes on the last page. */
    private int left = PAGE;

    private int top = PAGE;
    private int bottom = PAGE;

    private Bsp46Compiler(BlockArena arena) {
        this.arena = arena;
    }

    /** The level with its pk3. */
    static Quake3Map build(BlockArena arena) {
        String name = arena.mapName();
        Pk3.Made made = Pk3.read("zz-" + name, arena.compiled("pk3", () -> pk3(name, arena)));
        return Quake3Map.read(name, made.first().toArray(), Optional.of(made.offer())).of(arena);
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
                spawn.position().z() * Quake3Motion.SCALE + Quake3Motion.FEET + SPAWN_HEIGHT
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
        List<Cuboid> boxes = new ArrayList<>(Cuboid.around(arena.blocks(), SHELL));
        boxes.addAll(Cuboid.of(arena.blocks(), false));
        boxes.addAll(Cuboid.of(arena.blocks(), true));
        double[] least = new double[3];
        double[] greatest = new double[3];
        for (Cuboid box : boxes) {
            double[][] corners = corners(box);
            for (int axis = 0; axis < 3; axis++) {
                least[axis] = Math.min(least[axis], corners[0][axis]);
                greatest[axis] = Math.max(greatest[axis], corners[1][axis]);
            }
            map.box(shader(Material.STONE), corners[0], corners[1]);
        }
        media();
        arena.faces().forEach(this::face);
        pages.forEach(map::lightmap);
        map.model(least, greatest);
        arena.moveTriggers().forEach(this::passage);
        return map.file();
    }

    /** Water, and ladders: the game knows none, so that they are water that is not seen. */
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

    /** The least and the greatest corner of a box, units. */
    private static double[][] corners(Cuboid box) {
        double[][] corners = new double[2][3];
        for (int axis = 0; axis < 3; axis++) {
            corners[0][axis] = box.min(axis) * HALF;
            corners[1][axis] = box.max(axis) * HALF;
        }
        return corners;
    }

    private void passage(MoveTrigger trigger) {
        Vec3 at = trigger.place().times(Quake3Motion.SCALE);
        double reach = trigger.radius() * Quake3Motion.SCALE;
        double high = MoveTrigger.HEIGHT_METRES * Quake3Motion.SCALE;
        double[] mins = {at.x() - reach, at.y() - reach, at.z()};
        double[] maxs = {at.x() + reach, at.y() + reach, at.z() + high};
        map.box(map.shader("common/trigger", NO_DRAW, TRIGGER), mins, maxs);
        int model = map.model(mins, maxs);
        boolean leads = trigger instanceof MoveTrigger.Teleporter;
        String name = "passage" + model;
        map.entity(
                "classname",
                leads ? "trigger_teleport" : "trigger_push",
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
                    // The way is measured from the middle of the trigger, and begins at its top.
                    place("target_position", name, pad.apex(), -high / 2, 0);
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
        int wide = face.maxU() - face.minU() + 1;
        int high = face.maxV() - face.minV() + 1;
        double[] corners = {
            face.minU() * HALF, face.minV() * HALF, face.maxU() * HALF, face.maxV() * HALF
        };
        int[] lights = {-1, -1, -1, -1};
        Bsp46Writer.Lit lit = Bsp46Writer.Lit.BY_VERTICES;
        if (isLit(face.material())) {
            float[] light = arena.light().corners(face);
            lights =
                    new int[] {
                        abgr(light, 0),
                        abgr(light, (high - 1) * wide),
                        abgr(light, high * wide - 1),
                        abgr(light, wide - 1)
                    };
            lit = lightmap(light, wide, high);
        }
        map.surface(
                shader(face.material()),
                face.axis(),
                face.sign(),
                face.at() * HALF,
                corners,
                TEXTURE,
                lights,
                lit);
    }

    private static boolean isLit(Material material) {
        return material != Material.SKY && !material.transparent() || material == Material.LADDER;
    }

    /** Where a face's light is; light that is alike is there once. */
    private Bsp46Writer.Lit lightmap(float[] light, int wide, int high) {
        byte[] dots = new byte[light.length + 1];
        for (int i = 0; i < light.length; i++) {
            dots[i] = (byte) level(light[i]);
        }
        dots[light.length] = (byte) wide;
        return lights.computeIfAbsent(Bytes.wrap(dots), _ -> page(dots, wide, high));
    }

    /** Puts light on a page: rows of faces, each as high as its highest. */
    private Bsp46Writer.Lit page(byte[] dots, int wide, int high) {
        if (left + wide > PAGE) {
            left = 0;
            top = bottom;
        }
        if (top + high > PAGE) {
            pages.add(new byte[3 * PAGE * PAGE]);
            left = 0;
            top = 0;
            bottom = 0;
        }
        for (int j = 0; j < high; j++) {
            int row = 3 * ((top + j) * PAGE + left);
            System.arraycopy(dots, 3 * j * wide, pages.getLast(), row, 3 * wide);
        }
        Bsp46Writer.Lit lit =
                new Bsp46Writer.Lit(
                        pages.size() - 1,
                        (left + 0.5) / PAGE,
                        (top + 0.5) / PAGE,
                        (left + wide - 0.5) / PAGE,
                        (top + high - 0.5) / PAGE);
        left += wide;
        bottom = Math.max(bottom, top + high);
        return lit;
    }

    private static int level(float light) {
        return Math.clamp(Math.round(light * FULL), 0, 255);
    }

    private static int abgr(float[] light, int place) {
        return 0xFF000000
                | level(light[3 * place + 2]) << 16
                | level(light[3 * place + 1]) << 8
                | level(light[3 * place]);
    }
}
