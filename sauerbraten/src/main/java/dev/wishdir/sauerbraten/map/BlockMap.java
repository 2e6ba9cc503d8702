package dev.wishdir.sauerbraten.map;

import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.message.Edit;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;
import dev.wishdir.world.Medium;
import dev.wishdir.world.blocks.BlockArena;
import dev.wishdir.world.blocks.Blocks;
import dev.wishdir.world.blocks.Face;
import dev.wishdir.world.blocks.Light;
import dev.wishdir.world.blocks.Material;
import dev.wishdir.world.blocks.Passage;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Builds an arena of blocks as a map of the game: cubes of a metre and lower halves of them, merged
 * where they look alike. A map brings no pictures; the colour of each face, with the light on it,
 * is that of a variant of the one texture that every client has, drawn so small that it is even.
 * See docs/protocols/sauerbraten.md.
 */
public final class BlockMap {
    /** The least side of a map: a power of two, with room for solid cubes beside the arena. */
    private static final int SMALL = 1024;

    /** Units of a metre. */
    private static final int BLOCK = (int) SauerbratenMotion.SCALE;

    private static final double GRAVITY = 200;

    /** What is lost of a velocity in the air, each second: a thirtieth in 20 ms. */
    private static final double SLOWS = -Math.log(1 - 1 / 30.0) / 0.02;

    private static final int MOST_UP = 100;
    private static final int CHILDREN = 0;
    private static final int EMPTY = 1;
    private static final int SOLID = 2;
    private static final int EDGES = 3;
    private static final int MATERIAL = 0x40;
    private static final int WATER = 4;
    private static final int GLASS = 12;
    private static final int FULL_EDGE = 0x80;
    private static final int HALF_EDGE = 0x40;

    /** The slot of the texture of which all others are variants; slot 0 is the sky. */
    private static final int BASE = 1;

    private static final int SLOTS = 2;

    /** What is seen where nothing is; clients' skies are their own. */
    private static final int SKY_COLOUR = 0xA9C8EC;

    /** What changes in a variant: its scale and its colour. */
    private static final int CHANGED = 1 << 1 | 1 << 7;

    /** So small that nothing of the texture is left but its even colour. */
    private static final float SCALE = 1 / 1024f;

    /**
     * The even colour of what clients show for a texture that they have not got, which the data
     * that Linux distributions may bring has no file of: a variant's colour is that many times as
     * strong.
     */
    private static final float[] NO_TEXTURE = {35.5f / 255, 145.6f / 255, 39.6f / 255};

    /** Levels of light that look different. */
    private static final float LEVELS = 16;

    /** Light is a little warm. */
    private static final double[] TINT = {1.08, 1, 0.9};

    /** What a face looks like that nobody sees. */
    private static final int ANY = -1;

    /** The sides of a cube in their order: axis and sign, in the game's own axes. */
    private static final int[][] SIDES = {{0, -1}, {0, 1}, {1, -1}, {1, 1}, {2, -1}, {2, 1}};

    /** What one cube looks like: its sides are slots, or {@link #ANY}; its material may be 0. */
    private record Look(int kind, List<Integer> sides, int material) {}

    private static final Look AIR = new Look(EMPTY, Collections.nCopies(6, 0), 0);
    private static final Look HEAVEN = new Look(SOLID, AIR.sides, 0);

    private final Blocks blocks;
    private final Light light;
    private final int side;
    private final int origin;
    private final Map<Integer, Integer> slots = new LinkedHashMap<>();

    /** Of each block of the grid, as soon as somebody asks. */
    private final @Nullable Look[] looks;

    private final Writer geometry = new Writer(Ogz.MAX_LENGTH);

    private BlockMap(BlockArena arena) {
        blocks = arena.blocks();
        light = arena.light();
        int around = Math.max(blocks.maxX(), blocks.maxY()) + 1;
        int half = Math.max(around, Math.max(blocks.maxZ(), blocks.ground())) * BLOCK;
        side = Math.max(SMALL, Integer.highestOneBit(2 * half - 1) * 2);
        origin = side / 2 / BLOCK;
        looks = new Look[blocks.width() * blocks.depth() * blocks.height()];
    }

    /** The map. */
    public static Ogz build(BlockArena arena) {
        BlockMap map = new BlockMap(arena);
        map.children(0, 0, 0, map.side / BLOCK / 2);
        Bytes geometry = map.geometry.toBytes();
        Writer all = new Writer(Ogz.MAX_LENGTH);
        map.variants(all);
        all.append(geometry.toArray(), 0, geometry.length());
        List<Edit.EditVar> vars =
                List.of(
                        new Edit.EditVar("maptitle", new Edit.TextValue(arena.title())),
                        new Edit.EditVar("fogcolour", new Edit.IntValue(SKY_COLOUR)),
                        new Edit.EditVar("fog", new Edit.IntValue(4 * map.side)),
                        new Edit.EditVar("fullbright", new Edit.IntValue(1)));
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
        for (Passage passage : arena.passages()) {
            Vec3 at = motion.toNative(passage.place());
            switch (passage) {
                case Passage.Teleporter teleporter -> {
                    Vec3 to = motion.toNative(teleporter.target());
                    int yaw = (int) Math.round(SauerbratenMotion.yaw(teleporter.exit().yaw()));
                    tag++;
                    entities.add(Ogz.Entity.of(Ogz.Entity.TELEPORT, at, tag, 0, 0));
                    entities.add(Ogz.Entity.of(Ogz.Entity.TELEDEST, to, yaw, tag, 0));
                }
                case Passage.Pad pad -> entities.add(pad(at, pad));
            }
        }
        return entities;
    }

    /**
     * A pad that throws as high as it should and at most a little more. The air slows what it
     * throws down, and the game's gravity comes to it: Cube 2: Sauerbraten, physics constants.
     */
    private static Ogz.Entity pad(Vec3 at, Passage.Pad pad) {
        Vec3 way = pad.apex().minus(pad.place()).times(SauerbratenMotion.SCALE);
        int up = 1;
        while (up < MOST_UP && height(up * Exits.UP) < way.z()) {
            up++;
        }
        double path = (1 - Math.exp(-SLOWS * seconds(up * Exits.UP))) / SLOWS;
        int x = (int) Math.round(way.x() / path / Exits.SIDEWAYS);
        int y = (int) Math.round(-way.y() / path / Exits.SIDEWAYS);
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

    /** Eight cubes; places and sizes are in blocks, as the game counts them. */
    private void children(int x, int y, int z, int size) {
        for (int i = 0; i < 8; i++) {
            cube(x + (i & 1) * size, y + (i >> 1 & 1) * size, z + (i >> 2 & 1) * size, size);
        }
    }

    private void cube(int x, int y, int z, int size) {
        Look look = look(x, y, z, size);
        if (look == null) {
            geometry.u8("tag", CHILDREN);
            children(x, y, z, size / 2);
            return;
        }
        geometry.u8("tag", look.material == 0 ? look.kind : look.kind | MATERIAL);
        if (look.kind == EDGES) {
            for (int edge = 0; edge < 12; edge++) {
                geometry.u8("edge", edge < 8 ? FULL_EDGE : HALF_EDGE);
            }
        }
        for (int slot : look.sides) {
            geometry.u16le("texture", slot == ANY ? BASE : slot);
        }
        if (look.material != 0) {
            geometry.u16le("material", look.material);
        }
    }

    /** What all blocks of a cube look like together; null where they differ. */
    private @Nullable Look look(int x, int y, int z, int size) {
        if (isOutside(x, y, z, size)) {
            return HEAVEN;
        }
        Look all = null;
        for (int k = 0; k < size; k++) {
            for (int j = 0; j < size; j++) {
                for (int i = 0; i < size; i++) {
                    Look one = look(x + i, y + j, z + k);
                    all = all == null ? one : both(all, one);
                    if (all == null || all.kind == EDGES && size > 1) {
                        return null;
                    }
                }
            }
        }
        return all;
    }

    /** Whether a cube has nothing to do with the grid. */
    private boolean isOutside(int x, int y, int z, int size) {
        return x + size - origin <= blocks.minX()
                || x - origin >= blocks.maxX()
                || origin - y <= blocks.minY()
                || origin - y - size >= blocks.maxY()
                || z + size - origin <= blocks.minZ()
                || z - origin >= blocks.maxZ();
    }

    private static @Nullable Look both(Look one, Look other) {
        if (one.equals(other)) {
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

    private Look look(int i, int j, int k) {
        int x = i - origin;
        int y = origin - 1 - j;
        int z = k - origin;
        Material material = blocks.material(x, y, z);
        if (material == null) {
            return AIR;
        }
        if (material == Material.SKY) {
            return HEAVEN;
        }
        int layer = (z - blocks.minZ()) * blocks.depth();
        int block = (layer + y - blocks.minY()) * blocks.width() + x - blocks.minX();
        Look known = looks[block];
        if (known == null) {
            known = look(material, x, y, z);
            looks[block] = known;
        }
        return known;
    }

    private Look look(Material material, int x, int y, int z) {
        List<Integer> sides = new ArrayList<>();
        boolean half = blocks.filled(x, y, z) == 1;
        for (int[] side : SIDES) {
            // The game's y is the other way round.
            int sign = side[0] == 1 ? -side[1] : side[1];
            sides.add(slot(material, x, y, z, side[0], sign, half));
        }
        boolean wet = half && blocks.medium(x, y, 2 * z + 1) == Medium.WATER;
        int filling =
                switch (material) {
                    case GLASS -> GLASS;
                    // The game knows no ladders, but water that is swum up in.
                    case WATER, LADDER -> WATER;
                    default -> wet ? WATER : 0;
                };
        return new Look(material.transparent() ? EMPTY : half ? EDGES : SOLID, sides, filling);
    }

    /** The slot of one side, if it is seen. */
    private int slot(Material material, int x, int y, int z, int axis, int sign, boolean half) {
        int[] at = {2 * x, 2 * y, 2 * z};
        int[] end = {2 * x + 2, 2 * y + 2, 2 * z + (half ? 1 : 2)};
        int[] next = {x, y, z};
        next[axis] += sign;
        int covered = blocks.filled(next[0], next[1], next[2]);
        boolean glass = blocks.material(next[0], next[1], next[2]) == Material.GLASS;
        if (material.transparent()) {
            return ANY;
        }
        if (axis == 2) {
            boolean open = sign > 0 ? half || covered == 0 : covered < 2;
            if (!open && !glass) {
                return ANY;
            }
        } else if (!glass) {
            if (covered >= (half ? 1 : 2)) {
                return ANY;
            }
            at[2] += covered;
        }
        int u = (axis + 1) % 3;
        int v = (axis + 2) % 3;
        int place = sign > 0 ? end[axis] : at[axis];
        Material shown = leans(next, axis, sign) ? Material.LADDER : material;
        float[] lit =
                light.middle(new Face(shown, axis, sign, place, at[u], at[v], end[u], end[v]));
        double level = Math.rint((lit[0] + lit[1] + lit[2]) / 3 * LEVELS) / LEVELS;
        int colour = 0;
        for (int c = 0; c < 3; c++) {
            double part = (shown.colour() >> 16 - 8 * c & 255) * level * TINT[c];
            colour = colour << 8 | Math.clamp(Math.round(part), 0, 255);
        }
        return slots.computeIfAbsent(colour, _ -> SLOTS + slots.size());
    }

    /** Whether a ladder beside leans on a side. */
    private boolean leans(int[] next, int axis, int sign) {
        return blocks.material(next[0], next[1], next[2]) == Material.LADDER
                && blocks.wall(next[0], next[1], next[2])
                        .filter(wall -> -sign == (axis == 0 ? wall.x() : axis == 1 ? wall.y() : 0))
                        .isPresent();
    }
}
