package dev.wishdir.sauerbraten.map;

import dev.wishdir.blocks.grid.Grid;
import dev.wishdir.motion.Medium;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

import java.util.BitSet;
import java.util.Optional;

/**
 * The solid parts of a map, read from its geometry as far as bodies need it: for each block of a
 * metre, whether it or its lower half has anything solid in it. See Cube 2: Sauerbraten, maps.
 */
public final class Octree implements Grid {
    private static final int CHILDREN = 0;
    private static final int SOLID = 2;
    private static final int EDGES = 3;
    private static final int COVERED = 4;
    private static final int MATERIAL = 0x40;
    private static final int MERGED = 0x80;
    private static final int SURFACES = 0x20;
    private static final int WATER = 4;
    private static final int GLASS = 12;
    private static final int CLIP = 64;
    private static final int GAME_CLIP = 96;
    private static final int TEXTURES = 12;
    private static final int MAX_DEPTH = 16;

    /** Units of half a metre. */
    private static final int HALF_METRE_UNITS = (int) SauerbratenMotion.SCALE / 2;

    private final SauerbratenMotion motion;
    private final int side;

    /** One bit for each half-metre cube of the map that has anything solid in it. */
    private final BitSet solid = new BitSet();

    /** Likewise for water, even where it is solid. */
    private final BitSet water = new BitSet();

    private Octree(Ogz map) {
        side = map.worldsize() / HALF_METRE_UNITS;
        motion = SauerbratenMotion.of(map.worldsize());
        Reader r = new Reader(map.geometry());
        slots(r, map.numvslots());
        children(r, 0, 0, 0, map.worldsize() / 2, 0);
    }

    /**
     * Reads a map's geometry.
     *
     * @return empty if it has unsupported features, or is too large
     */
    public static Optional<Octree> read(Ogz map) {
        if (map.version() < Ogz.VERSION
                || map.worldsize() < 2 * HALF_METRE_UNITS
                || map.worldsize() > 2048) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Octree(map));
        } catch (MalformedPacketException e) {
            return Optional.empty();
        }
    }

    /** Skips texture variants. */
    private static void slots(Reader r, int count) {
        for (int remaining = count; remaining > 0; ) {
            int changed = r.i32le("changed", 0);
            if (changed < 0) {
                remaining += Math.max(changed, -remaining);
                continue;
            }
            remaining--;
            r.i32le("previous", 0);
            if ((changed & 1) != 0) {
                int parameters = r.u16le("parameters", 0);
                for (int i = 0; i < parameters; i++) {
                    r.bytes("name", Bytes.EMPTY, r.u16le("length", 0));
                    skip(r, 16);
                }
            }
            int[] sizes = {0, 4, 4, 8, 8, 4, 8, 12};
            for (int bit = 1; bit < sizes.length; bit++) {
                skip(r, (changed >> bit & 1) * sizes[bit]);
            }
        }
    }

    private static void skip(Reader r, int bytes) {
        r.bytes("skipped", Bytes.EMPTY, bytes);
    }

    private void children(Reader r, int x, int y, int z, int size, int depth) {
        if (depth > MAX_DEPTH) {
            throw r.malformed("children", "are too deep");
        }
        for (int i = 0; i < 8; i++) {
            cube(
                    r,
                    x + (i & 1) * size,
                    y + (i >> 1 & 1) * size,
                    z + (i >> 2 & 1) * size,
                    size,
                    depth);
        }
    }

    private void cube(Reader r, int x, int y, int z, int size, int depth) {
        int tag = r.u8("tag", 0);
        int kind = tag & 7;
        if (kind == CHILDREN) {
            children(r, x, y, z, size / 2, depth + 1);
            return;
        }
        if (kind > COVERED || (tag & SURFACES) != 0) {
            throw r.malformed("tag", "is " + tag);
        }
        int lowest = 8;
        int highest = 0;
        if (kind == EDGES) {
            skip(r, 8);
            for (int edge = 0; edge < 4; edge++) {
                int ends = r.u8("edge", 0);
                lowest = Math.min(lowest, ends & 15);
                highest = Math.max(highest, ends >> 4);
            }
        }
        skip(r, TEXTURES);
        int material = (tag & MATERIAL) != 0 ? r.u16le("material", 0) : 0;
        skip(r, (tag & MERGED) != 0 ? 1 : 0);
        boolean blocksBodies = material == GLASS || material == CLIP || material == GAME_CLIP;
        if (kind == SOLID || blocksBodies) {
            fill(solid, x, y, z, z + size, size);
        } else if (kind == EDGES && highest > lowest) {
            fill(solid, x, y, z + size * lowest / 8, z + size * highest / 8, size);
        }
        if (material == WATER) {
            fill(water, x, y, z, z + size, size);
        }
        if (kind == COVERED) {
            children(r, x, y, z, size / 2, depth + 1);
        }
    }

    private void fill(BitSet bits, int x, int y, int z0, int z1, int size) {
        for (int z = z0 / HALF_METRE_UNITS;
                z < (z1 + HALF_METRE_UNITS - 1) / HALF_METRE_UNITS;
                z++) {
            for (int j = y / HALF_METRE_UNITS;
                    j < (y + size + HALF_METRE_UNITS - 1) / HALF_METRE_UNITS;
                    j++) {
                int row = (z * side + j) * side;
                bits.set(
                        row + x / HALF_METRE_UNITS,
                        row + (x + size + HALF_METRE_UNITS - 1) / HALF_METRE_UNITS);
            }
        }
    }

    /** Conversion of this map's coordinates. */
    public SauerbratenMotion motion() {
        return motion;
    }

    @Override
    public int filled(int x, int y, int z) {
        int row = row(x, y, 2 * z);
        if (row < 0) {
            return 2;
        }
        return any(row + side * side) ? 2 : any(row) ? 1 : 0;
    }

    /** Ladders are water in this game. */
    @Override
    public Medium medium(int x, int y, int h) {
        int row = row(x, y, h & ~1) + (h & 1) * side * side;
        return row < 0 || any(row) || !water.get(row) ? Medium.AIR : Medium.WATER;
    }

    /** Index of the lowest of the four bits of a half block; negative outside of the map. */
    private int row(int x, int y, int h) {
        // The block's lowest corner on the map, in half metres; the game's y is mirrored.
        long i = side / 2 + 2L * x;
        long j = side / 2 - 2L * (y + 1L);
        long k = side / 2 + (long) h;
        boolean outside =
                i < 0 || j < 0 || k < 0 || i + 1 >= side || j + 1 >= side || k + 1 >= side;
        return outside ? Integer.MIN_VALUE : (int) ((k * side + j) * side + i);
    }

    private boolean any(int row) {
        return solid.get(row)
                || solid.get(row + 1)
                || solid.get(row + side)
                || solid.get(row + side + 1);
    }
}
