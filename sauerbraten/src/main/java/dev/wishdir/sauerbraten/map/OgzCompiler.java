package dev.wishdir.sauerbraten.map;

import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;
import dev.wishdir.world.Medium;
import dev.wishdir.world.blocks.BakedLight;
import dev.wishdir.world.blocks.BlockArena;
import dev.wishdir.world.blocks.BlockGrid;
import dev.wishdir.world.blocks.Face;
import dev.wishdir.world.blocks.Material;
import dev.wishdir.world.blocks.MoveTrigger;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Builds an arena of blocks as a map of the game: cubes of half a metre, merged where they look
 * alike. A map brings no pictures; the colour of each face, with the light on it, is that of a
 * variant of the one texture that every client has, drawn so small that it is even. See
 * docs/protocols/sauerbraten.md.
 */
public final class OgzCompiler {
    /** The least side of a map: a power of two, with room for solid cubes beside the arena. */
    private static final int SMALL = 1024;

    /** Units of a metre. */
    private static final int BLOCK = (int) SauerbratenMotion.SCALE;

    /** Units of half a metre, the side of the smallest cubes. */
    private static final int HALF = BLOCK / 2;

    private static final double GRAVITY = 200;

    /** What is lost of a velocity in the air, each second: a thirtieth in 20 ms. */
    private static final double SLOWS = -Math.log(1 - 1 / 30.0) / 0.02;

    private static final int MAX_JUMP_PAD_UP = 100;
    private static final int CHILDREN = 0;
    private static final int EMPTY = 1;
    private static final int SOLID = 2;
    private static final int MATERIAL = 0x40;
    private static final int WATER = 4;
    private static final int GLASS = 12;

    /** The slot of the texture of which all others are variants; slot 0 is the sky. */
    private static final int BASE = 1;

    private static final int SLOTS = 2;

    /** What is seen where nothing is; clients that draw no atmosphere have skies of their own. */
    private static final int SKY_COLOUR = 0xA9C8EC;

    private static final int SUN_COLOUR = 0xFFF4E0;
    private static final int AMBIENT_COLOUR = 0x606878;

    /** Degrees from the game's north to the east. */
    private static final int EAST = 90;

    /** What changes in a variant: its scale and its colour. */
    private static final int CHANGED = 1 << 1 | 1 << 7;

    /** So small that nothing of the texture is left but its even colour. */
    private static final float SCALE = 1 / 1024f;

    /**
     * The even colour of what clients show for a texture that they have not got, which the data
     * that Linux distributions may bring has no file of: a variant's colour is that many times as
     * strong.
     */
    private static final float[] NO_TEXTURE = {36f / 255, 137.2f / 255, 41.3f / 255};

    /** Levels of light that look different. */
    private static final double LEVELS = 40;

    /**
     * How light is shown as film does: shadows are lifted, and what is glaring keeps its colour.
     */
    private static final double EXPOSURE = 2;

    /** Shadows are a little cold, and what is in the sun a little warm. */
    private static final double[] COLD = {0.97, 0.99, 1.06};

    private static final double[] WARM = {1.05, 1, 0.91};

    /** By how much the blocks of a material differ in lightness, so that no surface is even. */
    private static final double GRAIN = 0.035;

    /** What a face looks like that nobody sees. */
    private static final int ANY = -1;

    /** The sides of a cube in their order: axis and sign, in the game's own axes. */
    private static final int[][] SIDES = {{0, -1}, {0, 1}, {1, -1}, {1, 1}, {2, -1}, {2, 1}};

    /** What one cube looks like: its sides are slots, or {@link #ANY}; its material may be 0. */
    private record Look(int kind, List<Integer> sides, int material) implements Cube {}

    private static final Look AIR = new Look(EMPTY, Collections.nCopies(6, 0), 0);
    private static final Look HEAVEN = new Look(SOLID, AIR.sides, 0);
    private static final Look INSIDE = new Look(SOLID, Collections.nCopies(6, ANY), 0);

    /** A cube: how it looks where it is alike, or its eight children. */
    private sealed interface Cube permits Look, Parts {}

    private record Parts(List<Cube> children) implements Cube {}

    /** A square of the grid along which faces are cut: all faces of it are near in a list. */
    private record Square(int axis, int sign, int at, int u, int v) {}

    private final BlockGrid blocks;
    private final BakedLight bakedLight;
    private final int side;
    private final int origin;
    private final Map<Integer, Integer> slots = new LinkedHashMap<>();

    private final Map<Square, List<Face>> faces = new HashMap<>();
    private final BlockArena.Sun sun;

    /** One of each, as many cubes look alike. */
    private final Map<Look, Look> looks = new HashMap<>();

    private final Writer geometry = new Writer(Ogz.MAX_LENGTH);

    private OgzCompiler(BlockArena arena) {
        blocks = arena.blocks();
        bakedLight = arena.light();
        int around = Math.max(blocks.maxX(), blocks.maxY()) + 1;
        int half = Math.max(around, Math.max(blocks.maxZ(), blocks.ground())) * BLOCK;
        side = Math.max(SMALL, Integer.highestOneBit(2 * half - 1) * 2);
        origin = side / 2 / HALF;
        sun = arena.sun();
        for (Face face : arena.faces()) {
            faces.computeIfAbsent(square(face, face.minU(), face.minV()), _ -> new ArrayList<>())
                    .add(face);
        }
    }

    private static Square square(Face face, int u, int v) {
        return square(face.axis(), face.sign(), face.at(), u, v);
    }

    private static Square square(int axis, int sign, int at, int u, int v) {
        int longest = Face.MAX_HALF_METRES;
        return new Square(axis, sign, at, Math.floorDiv(u, longest), Math.floorDiv(v, longest));
    }

    /** The map. */
    public static Ogz build(BlockArena arena) {
        OgzCompiler map = new OgzCompiler(arena);
        int half = map.side / HALF / 2;
        for (int i = 0; i < 8; i++) {
            map.write(map.cube((i & 1) * half, (i >> 1 & 1) * half, (i >> 2 & 1) * half, half));
        }
        Bytes geometry = map.geometry.toBytes();
        Writer all = new Writer(Ogz.MAX_LENGTH);
        map.variants(all);
        all.append(geometry.toArray(), 0, geometry.length());
        List<EditMessage.EditVar> vars =
                List.of(
                        new EditMessage.EditVar(
                                "maptitle", new EditMessage.TextValue(arena.title())),
                        number("fogcolour", SKY_COLOUR),
                        number("fog", 4 * map.side),
                        // A sky of the game's own that needs no file, with the arena's sun in it.
                        number("atmo", 1),
                        number("sunlight", SUN_COLOUR),
                        number("sunlightyaw", Math.floorMod(EAST - map.sun.azimuth(), 360)),
                        number("sunlightpitch", map.sun.height()),
                        number("ambient", AMBIENT_COLOUR),
                        // The light is in the colours of the faces.
                        number("fullbright", 1));
        return new Ogz(
                map.side,
                0,
                0,
                0,
                SLOTS + map.slots.size(),
                vars,
                "fps",
                0,
                Bytes.EMPTY,
                List.of(),
                Stream.concat(map.starts(arena).stream(), map.passages(arena).stream()).toList(),
                all.toBytes());
    }

    private static EditMessage.EditVar number(String name, int value) {
        return new EditMessage.EditVar(name, new EditMessage.IntValue(value));
    }

    private List<Ogz.Entity> starts(BlockArena arena) {
        SauerbratenMotion motion = SauerbratenMotion.of(side);
        List<Ogz.Entity> starts = new ArrayList<>();
        for (Movement spawn : arena.spawns()) {
            Vec3 at = motion.toNative(spawn.position()).plus(new Vec3(0, 0, Ogz.Entity.ABOVE));
            int yaw = (int) Math.round(SauerbratenMotion.yaw(spawn.yaw()));
            starts.add(Ogz.Entity.playerStart(at, yaw, 0));
        }
        return starts;
    }

    /** Teleporters, each with where it leads, and jump pads. */
    private List<Ogz.Entity> passages(BlockArena arena) {
        SauerbratenMotion motion = SauerbratenMotion.of(side);
        List<Ogz.Entity> entities = new ArrayList<>();
        int tag = 0;
        for (MoveTrigger trigger : arena.passages()) {
            Vec3 at = motion.toNative(trigger.place());
            switch (trigger) {
                case MoveTrigger.Teleporter teleporter -> {
                    Vec3 to = motion.toNative(teleporter.target());
                    int yaw = (int) Math.round(SauerbratenMotion.yaw(teleporter.exit().yaw()));
                    tag++;
                    entities.add(Ogz.Entity.of(Ogz.Entity.TELEPORT, at, tag, 0, 0));
                    entities.add(Ogz.Entity.of(Ogz.Entity.TELEDEST, to, yaw, tag, 0));
                }
                case MoveTrigger.Pad pad -> entities.add(pad(at, pad));
            }
        }
        return entities;
    }

    /**
     * A pad that throws as high as it should and at most a little more. The air slows what it
     * throws down, and the game's gravity comes to it: Cube 2: Sauerbraten, physics constants.
     */
    private static Ogz.Entity pad(Vec3 at, MoveTrigger.Pad pad) {
        Vec3 way = pad.apex().minus(pad.place()).times(SauerbratenMotion.SCALE);
        int up = 1;
        while (up < MAX_JUMP_PAD_UP && height(up * MoveTriggers.UP) < way.z()) {
            up++;
        }
        double path = (1 - Math.exp(-SLOWS * seconds(up * MoveTriggers.UP))) / SLOWS;
        int x = (int) Math.round(way.x() / path / MoveTriggers.SIDEWAYS);
        int y = (int) Math.round(-way.y() / path / MoveTriggers.SIDEWAYS);
        return Ogz.Entity.of(Ogz.Entity.JUMPPAD, at, up, y, x);
    }

    /** When who leaves the ground at a speed is highest: units, seconds. */
    private static double seconds(double speed) {
        double early = 0;
        double late = speed / GRAVITY;
        while (late - early > 1e-4) {
            double middle = (early + late) / 2;
            if (speed * Math.exp(-SLOWS * middle) > GRAVITY * middle) {
                early = middle;
            } else {
                late = middle;
            }
        }
        return early;
    }

    private static double height(double speed) {
        double t = seconds(speed);
        return speed * (1 - Math.exp(-SLOWS * t)) / SLOWS - GRAVITY * t * t / 2;
    }

    /** The two slots that every client has, and what the colours make of the second. */
    private void variants(Writer w) {
        w.i32le("defaults", -SLOTS);
        int previous = BASE;
        for (int colour : slots.keySet()) {
            w.i32le("changed", CHANGED);
            w.i32le("previous", previous);
            w.f32le("scale", SCALE);
            for (int c = 0; c < 3; c++) {
                w.f32le("colour", (colour >> 16 - 8 * c & 255) / 255f / NO_TEXTURE[c]);
            }
            previous = previous == BASE ? SLOTS : previous + 1;
        }
    }

    /** A cube; places and sizes are in half metres, as the game counts them. */
    private Cube cube(int x, int y, int z, int size) {
        if (isOutside(x, y, z, size)) {
            return HEAVEN;
        }
        if (size == 1) {
            return look(x - origin, origin - 1 - y, z - origin);
        }
        int half = size / 2;
        List<Cube> children = new ArrayList<>(8);
        Look all = null;
        for (int i = 0; i < 8; i++) {
            Cube child =
                    cube(
                            x + (i & 1) * half,
                            y + (i >> 1 & 1) * half,
                            z + (i >> 2 & 1) * half,
                            half);
            children.add(child);
            if (i == 0 || all != null) {
                all = child instanceof Look look ? i == 0 ? look : both(all, look) : null;
            }
        }
        return all == null ? new Parts(children) : all;
    }

    /** Whether a cube has nothing to do with the grid. */
    private boolean isOutside(int x, int y, int z, int size) {
        return x + size - origin <= 2 * blocks.minX()
                || x - origin >= 2 * blocks.maxX()
                || origin - y <= 2 * blocks.minY()
                || origin - y - size >= 2 * blocks.maxY()
                || z + size - origin <= 2 * blocks.minZ()
                || z - origin >= 2 * blocks.maxZ();
    }

    private void write(Cube cube) {
        switch (cube) {
            case Parts parts -> {
                geometry.u8("tag", CHILDREN);
                parts.children.forEach(this::write);
            }
            case Look look -> {
                geometry.u8("tag", look.material == 0 ? look.kind : look.kind | MATERIAL);
                for (int slot : look.sides) {
                    geometry.u16le("texture", slot == ANY ? BASE : slot);
                }
                if (look.material != 0) {
                    geometry.u16le("material", look.material);
                }
            }
        }
    }

    private static @Nullable Look both(@Nullable Look one, Look other) {
        if (one == null || one.equals(other)) {
            return one;
        }
        if (one.kind != other.kind || one.material != other.material) {
            return null;
        }
        List<Integer> sides = new ArrayList<>();
        for (int i = 0; i < SIDES.length; i++) {
            int side = one.sides.get(i);
            int same = other.sides.get(i);
            if (side != ANY && same != ANY && side != same) {
                return null;
            }
            sides.add(side == ANY ? same : side);
        }
        return new Look(one.kind, sides, one.material);
    }

    /** A cube of half a metre, at half metres. */
    private Look look(int x, int y, int z) {
        Material material = blocks.half(x >> 1, y >> 1, z);
        if (material == Material.SKY) {
            return HEAVEN;
        }
        boolean wet = blocks.medium(x >> 1, y >> 1, z) == Medium.WATER;
        if (material == null) {
            return wet ? new Look(EMPTY, INSIDE.sides, WATER) : AIR;
        }
        if (material.transparent()) {
            // The game knows no ladders, but water that is swum up in.
            return new Look(EMPTY, INSIDE.sides, material == Material.GLASS ? GLASS : WATER);
        }
        List<Integer> sides = new ArrayList<>(SIDES.length);
        for (int[] side : SIDES) {
            // The game's y is the other way round.
            sides.add(slot(x, y, z, side[0], side[0] == 1 ? -side[1] : side[1]));
        }
        return sides.equals(INSIDE.sides)
                ? INSIDE
                : looks.computeIfAbsent(new Look(SOLID, sides, 0), look -> look);
    }

    /** The slot of one side, if it is seen. */
    private int slot(int x, int y, int z, int axis, int sign) {
        int[] place = {x, y, z};
        int at = place[axis] + (sign > 0 ? 1 : 0);
        int u = place[(axis + 1) % 3];
        int v = place[(axis + 2) % 3];
        for (Face face : faces.getOrDefault(square(axis, sign, at, u, v), List.of())) {
            if (u >= face.minU() && u < face.maxU() && v >= face.minV() && v < face.maxV()) {
                return slot(face, u, v, grain(face.material(), x, y, z));
            }
        }
        return ANY;
    }

    /** The slot of half a metre of a face. */
    private int slot(Face face, int u, int v, double grain) {
        if (face.material().glows()) {
            return slot(face.material().colour());
        }
        float[] corners = bakedLight.corners(face);
        int wide = face.maxU() - face.minU() + 1;
        double sum = 0;
        for (int corner = 0; corner < 4; corner++) {
            int i = u - face.minU() + (corner & 1);
            int j = v - face.minV() + (corner >> 1);
            for (int c = 0; c < 3; c++) {
                sum += corners[3 * (j * wide + i) + c];
            }
        }
        double shown = (1 - Math.exp(-EXPOSURE * sum / 12)) * grain;
        double level = Math.rint(shown * LEVELS) / LEVELS;
        int colour = 0;
        for (int c = 0; c < 3; c++) {
            double tint = COLD[c] + (WARM[c] - COLD[c]) * Math.min(1, level);
            double part = (face.material().colour() >> 16 - 8 * c & 255) * level * tint;
            colour = colour << 8 | Math.clamp(Math.round(part), 0, 255);
        }
        return slot(colour);
    }

    /** The slot of a colour. */
    private int slot(int colour) {
        return slots.computeIfAbsent(colour, _ -> SLOTS + slots.size());
    }

    /** How light a block is beside others of its material: boards lie from west to east. */
    private static double grain(Material material, int x, int y, int z) {
        int a = x >> 1;
        int b = y >> 1;
        int c = z >> 1;
        int hash =
                switch (material) {
                    case WOOD, PLANK, LADDER -> (a >> 2) * 31 + y * 131 + z * 71;
                    case BRICK, COBBLE -> (x + z % 2) / 2 * 73 + y * 19 + z * 179;
                    default -> a * 73 + b * 151 + c * 179;
                };
        hash *= 0x9E3779B1;
        return 1 + GRAIN * ((hash >>> 28 & 3) - 1.5) / 1.5;
    }
}
