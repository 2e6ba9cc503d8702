package dev.wishdir.sauerbraten.map;

import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.MoveTrigger;
import dev.wishdir.blocks.grid.BakedLight;
import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.blocks.grid.Face;
import dev.wishdir.blocks.grid.Material;
import dev.wishdir.motion.Medium;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Compiles an arena of blocks to a map of the game: cubes of half a metre, merged where they look
 * alike. A map contains no images, so each face gets its colour, including its light, from a
 * variant of the one texture that every client has, scaled down until it is uniform. See
 * docs/protocols/sauerbraten.md.
 */
public final class OgzCompiler {
    /** Minimum side of a map: a power of two, with room for solid cubes around the arena. */
    private static final int MIN_SIDE_UNITS = 1024;

    /** Units per metre. */
    private static final int BLOCK_UNITS = (int) SauerbratenMotion.SCALE;

    /** Units of half a metre, the side of the smallest cubes. */
    private static final int HALF_METRE_UNITS = BLOCK_UNITS / 2;

    private static final double GRAVITY = 200;

    /** Exponential decay of a velocity in the air, per second: 1/30 in 20 ms. */
    private static final double AIR_DECAY_PER_SECOND = -Math.log(1 - 1 / 30.0) / 0.02;

    private static final int MAX_JUMP_PAD_UP = 100;
    private static final int CHILDREN = 0;
    private static final int EMPTY = 1;
    private static final int SOLID = 2;
    private static final int MATERIAL = 0x40;
    private static final int WATER = 4;
    private static final int GLASS = 12;

    /** Slot of the texture of which all others are variants; slot 0 is the sky. */
    private static final int BASE_SLOT = 1;

    private static final int BUILT_IN_SLOTS = 2;

    /** Colour of the background; clients that draw no atmosphere have skies of their own. */
    private static final int SKY_COLOUR = 0xA9C8EC;

    private static final int SUN_COLOUR = 0xFFF4E0;
    private static final int AMBIENT_COLOUR = 0x606878;

    /** Degrees from the game's north to the east. */
    private static final int EAST = 90;

    /** The properties that a variant changes: scale and colour. */
    private static final int VARIANT_CHANGES = 1 << 1 | 1 << 7;

    /** So small that only the average colour of the texture is left. */
    private static final float SCALE = 1 / 1024f;

    /**
     * Average colour of the placeholder that clients draw for a missing texture, as the data of
     * some Linux distributions lacks the file: a variant's colour is divided by it.
     */
    private static final float[] PLACEHOLDER_COLOUR = {36f / 255, 137.2f / 255, 41.3f / 255};

    /** Number of distinct light levels. */
    private static final double LIGHT_LEVELS = 40;

    /** Film-like tone mapping: shadows are lifted, and very bright surfaces keep their colour. */
    private static final double EXPOSURE = 2;

    /** Tint of shadows, a little cold, and of sunlit surfaces, a little warm. */
    private static final double[] COLD = {0.97, 0.99, 1.06};

    private static final double[] WARM = {1.05, 1, 0.91};

    /** Brightness variation between the blocks of a material, so that no surface is uniform. */
    private static final double GRAIN = 0.035;

    /** The texture of a face that is never visible. */
    private static final int ANY = -1;

    /** The sides of a cube in their order: axis and sign, in the game's axes. */
    private static final int[][] SIDES = {{0, -1}, {0, 1}, {1, -1}, {1, 1}, {2, -1}, {2, 1}};

    /** The appearance of a cube: its sides are slots, or {@link #ANY}; its material may be 0. */
    private record Look(int kind, List<Integer> sides, int material) implements Cube {}

    private static final Look AIR = new Look(EMPTY, Collections.nCopies(6, 0), 0);
    private static final Look SKY = new Look(SOLID, AIR.sides, 0);
    private static final Look INSIDE = new Look(SOLID, Collections.nCopies(6, ANY), 0);

    /** A cube: a uniform appearance, or eight children. */
    private sealed interface Cube permits Look, Parts {}

    private record Parts(List<Cube> children) implements Cube {}

    /** A face with its light, which is asked for each half metre. */
    private static final class LitFace {
        final Face face;

        /** See {@link BakedLight#corners}; empty if the face glows. */
        final float[] corners;

        LitFace(Face face, BakedLight light) {
            this.face = face;
            corners = face.material().glows() ? NO_CORNERS : light.corners(face);
        }
    }

    private static final float[] NO_CORNERS = {};

    private final BlockGrid blocks;
    private final int side;
    private final int origin;
    private final Map<Integer, Integer> slots = new LinkedHashMap<>();

    /** By the {@linkplain #square square} of the grid along which they are cut. */
    private final Map<Long, List<LitFace>> faces = new HashMap<>();

    private final BlockArena.Sun sun;

    /** One instance of each appearance, as many cubes look alike. */
    private final Map<Look, Look> looks = new HashMap<>();

    private final Writer geometry = new Writer(Ogz.MAX_LENGTH);

    private OgzCompiler(BlockArena arena) {
        blocks = arena.blocks();
        BakedLight light = arena.light();
        int radius = Math.max(blocks.maxX(), blocks.maxY()) + 1;
        int half = Math.max(radius, Math.max(blocks.maxZ(), blocks.ground())) * BLOCK_UNITS;
        side = Math.max(MIN_SIDE_UNITS, Integer.highestOneBit(2 * half - 1) * 2);
        origin = side / 2 / HALF_METRE_UNITS;
        sun = arena.sun();
        for (Face face : arena.faces()) {
            faces.computeIfAbsent(square(face, face.minU(), face.minV()), _ -> new ArrayList<>())
                    .add(new LitFace(face, light));
        }
    }

    private static long square(Face face, int u, int v) {
        return square(face.axis(), face.sign(), face.at(), u, v);
    }

    /** A number of a square, from coordinates of 16 bits; asked for each side of each cube. */
    private static long square(int axis, int sign, int at, int u, int v) {
        int size = Face.MAX_HALF_METRES;
        long slab = (long) (2 * axis + (sign > 0 ? 1 : 0)) << 16 | at & 0xFFFF;
        return (slab << 16 | Math.floorDiv(u, size) & 0xFFFF) << 16
                | Math.floorDiv(v, size) & 0xFFFF;
    }

    /** The compiled map. */
    public static Ogz build(BlockArena arena) {
        OgzCompiler map = new OgzCompiler(arena);
        int half = map.side / HALF_METRE_UNITS / 2;
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
                        // A procedural sky that needs no file, with the arena's sun.
                        number("atmo", 1),
                        number("sunlight", SUN_COLOUR),
                        number("sunlightyaw", Math.floorMod(EAST - map.sun.azimuth(), 360)),
                        number("sunlightpitch", map.sun.height()),
                        number("ambient", AMBIENT_COLOUR),
                        // The faces' colours contain the light.
                        number("fullbright", 1));
        return new Ogz(
                Ogz.VERSION,
                map.side,
                0,
                0,
                0,
                BUILT_IN_SLOTS + map.slots.size(),
                vars,
                "fps",
                0,
                Bytes.EMPTY,
                List.of(),
                Stream.concat(map.playerStarts(arena).stream(), map.moveTriggers(arena).stream())
                        .toList(),
                all.toBytes());
    }

    private static EditMessage.EditVar number(String name, int value) {
        return new EditMessage.EditVar(name, new EditMessage.IntValue(value));
    }

    private List<Ogz.Entity> playerStarts(BlockArena arena) {
        SauerbratenMotion motion = SauerbratenMotion.of(side);
        List<Ogz.Entity> playerStarts = new ArrayList<>();
        for (Movement spawn : arena.spawns()) {
            Vec3 at =
                    motion.toNative(spawn.position())
                            .plus(new Vec3(0, 0, Ogz.Entity.PLAYER_START_HEIGHT));
            int yaw = (int) Math.round(SauerbratenMotion.yaw(spawn.yaw()));
            playerStarts.add(Ogz.Entity.playerStart(at, yaw, 0));
        }
        return playerStarts;
    }

    /** Teleporters with their destinations, and jump pads. */
    private List<Ogz.Entity> moveTriggers(BlockArena arena) {
        SauerbratenMotion motion = SauerbratenMotion.of(side);
        List<Ogz.Entity> entities = new ArrayList<>();
        int tag = 0;
        for (MoveTrigger trigger : arena.moveTriggers()) {
            Vec3 at = motion.toNative(trigger.place());
            switch (trigger) {
                case MoveTrigger.Teleporter teleporter -> {
                    Vec3 to = motion.toNative(teleporter.target());
                    int yaw = (int) Math.round(SauerbratenMotion.yaw(teleporter.exit().yaw()));
                    tag++;
                    entities.add(Ogz.Entity.of(Ogz.Entity.TELEPORT, at, tag, 0, 0));
                    entities.add(Ogz.Entity.of(Ogz.Entity.TELEDEST, to, yaw, tag, 0));
                }
                case MoveTrigger.JumpPad pad -> entities.add(pad(at, pad));
            }
        }
        return entities;
    }

    /**
     * A jump pad that throws at least as high as required, with the smallest such attribute. Air
     * friction and gravity: docs/protocols/sauerbraten.md#physics-constants.
     */
    private static Ogz.Entity pad(Vec3 at, MoveTrigger.JumpPad pad) {
        Vec3 path = pad.apex().minus(pad.place()).times(SauerbratenMotion.SCALE);
        int up = 1;
        while (up < MAX_JUMP_PAD_UP && height(up * MoveTriggers.UP_SPEED) < path.z()) {
            up++;
        }
        double distance =
                (1 - Math.exp(-AIR_DECAY_PER_SECOND * secondsToApex(up * MoveTriggers.UP_SPEED)))
                        / AIR_DECAY_PER_SECOND;
        int x = (int) Math.round(path.x() / distance / MoveTriggers.SIDEWAYS_SPEED);
        int y = (int) Math.round(-path.y() / distance / MoveTriggers.SIDEWAYS_SPEED);
        return Ogz.Entity.of(Ogz.Entity.JUMPPAD, at, up, y, x);
    }

    /** Time to the apex of a jump with this speed, seconds. */
    private static double secondsToApex(double speed) {
        double low = 0;
        double high = speed / GRAVITY;
        while (high - low > 1e-4) {
            double middle = (low + high) / 2;
            if (speed * Math.exp(-AIR_DECAY_PER_SECOND * middle) > GRAVITY * middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static double height(double speed) {
        double t = secondsToApex(speed);
        return speed * (1 - Math.exp(-AIR_DECAY_PER_SECOND * t)) / AIR_DECAY_PER_SECOND
                - GRAVITY * t * t / 2;
    }

    /** The two slots that every client has, and the variants of the second in all colours. */
    private void variants(Writer w) {
        w.i32le("defaults", -BUILT_IN_SLOTS);
        int previous = BASE_SLOT;
        for (int colour : slots.keySet()) {
            w.i32le("changed", VARIANT_CHANGES);
            w.i32le("previous", previous);
            w.f32le("scale", SCALE);
            for (int c = 0; c < 3; c++) {
                w.f32le("colour", (colour >> 16 - 8 * c & 255) / 255f / PLACEHOLDER_COLOUR[c]);
            }
            previous = previous == BASE_SLOT ? BUILT_IN_SLOTS : previous + 1;
        }
    }

    /** A cube; positions and sizes in half metres, in the game's axes. */
    private Cube cube(int x, int y, int z, int size) {
        if (isOutside(x, y, z, size)) {
            return SKY;
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
                all = child instanceof Look look ? i == 0 ? look : merge(all, look) : null;
            }
        }
        return all == null ? new Parts(children) : all;
    }

    /** Whether a cube is completely outside of the grid. */
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
                    geometry.u16le("texture", slot == ANY ? BASE_SLOT : slot);
                }
                if (look.material != 0) {
                    geometry.u16le("material", look.material);
                }
            }
        }
    }

    private static @Nullable Look merge(@Nullable Look one, Look other) {
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

    /** A cube of half a metre. */
    private Look look(int x, int y, int z) {
        Material material = blocks.half(x >> 1, y >> 1, z);
        if (material == Material.SKY) {
            return SKY;
        }
        boolean isWater = blocks.medium(x >> 1, y >> 1, z) == Medium.WATER;
        if (material == null) {
            return isWater ? new Look(EMPTY, INSIDE.sides, WATER) : AIR;
        }
        if (material.transparent()) {
            // The game has no ladders; water can be climbed.
            return new Look(EMPTY, INSIDE.sides, material == Material.GLASS ? GLASS : WATER);
        }
        List<Integer> sides = new ArrayList<>(SIDES.length);
        for (int[] side : SIDES) {
            // The game's y is mirrored.
            sides.add(slot(x, y, z, side[0], side[0] == 1 ? -side[1] : side[1]));
        }
        return sides.equals(INSIDE.sides)
                ? INSIDE
                : looks.computeIfAbsent(new Look(SOLID, sides, 0), look -> look);
    }

    /** The slot of one side; {@link #ANY} if it is not visible. */
    private int slot(int x, int y, int z, int axis, int sign) {
        int[] place = {x, y, z};
        int at = place[axis] + (sign > 0 ? 1 : 0);
        int u = place[(axis + 1) % 3];
        int v = place[(axis + 2) % 3];
        for (LitFace lit : faces.getOrDefault(square(axis, sign, at, u, v), List.of())) {
            Face face = lit.face;
            if (u >= face.minU() && u < face.maxU() && v >= face.minV() && v < face.maxV()) {
                return slot(lit, u, v, grain(face.material(), x, y, z));
            }
        }
        return ANY;
    }

    /** The slot of a half-metre square of a face. */
    private int slot(LitFace lit, int u, int v, double grain) {
        Face face = lit.face;
        if (face.material().glows()) {
            return slot(face.material().colour());
        }
        int width = face.maxU() - face.minU() + 1;
        double sum = 0;
        for (int corner = 0; corner < 4; corner++) {
            int i = u - face.minU() + (corner & 1);
            int j = v - face.minV() + (corner >> 1);
            for (int c = 0; c < 3; c++) {
                sum += lit.corners[3 * (j * width + i) + c];
            }
        }
        double brightness = (1 - Math.exp(-EXPOSURE * sum / 12)) * grain;
        double level = Math.rint(brightness * LIGHT_LEVELS) / LIGHT_LEVELS;
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
        return slots.computeIfAbsent(colour, _ -> BUILT_IN_SLOTS + slots.size());
    }

    /** Relative brightness of a block within its material: boards lie from west to east. */
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
