package dev.wishdir.bedrock.map;

import dev.wishdir.bedrock.message.Encoding;
import dev.wishdir.bedrock.message.LevelChunk;
import dev.wishdir.blocks.grid.Grid;
import dev.wishdir.motion.Medium;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The solid parts of the chunks that a server sent, if they have only blocks of arenas. Where there
 * is no chunk, nothing is solid.
 */
public final class ChunkGrid implements Grid {
    private static final int SIDE = 16;
    private static final int PLACES = SIDE * SIDE * SIDE;
    private static final int MAX_CHUNKS = 4096;
    private static final int MAX_SUB_CHUNKS = 64;
    private static final long COLUMN = ~0xFFFFL;

    private static final int SOLID = 3;
    private static final int MEDIUM = 2;
    private static final Medium[] MEDIA = Medium.values();

    /** Sub-chunks of a single block, by its code; shared by all clients. */
    private static final List<byte[]> EVEN =
            IntStream.range(0, MEDIA.length << MEDIUM).mapToObj(ChunkGrid::even).toList();

    /**
     * The solid height and the medium of each block of a sub-chunk, by the sub-chunk's position.
     */
    private final Map<Long, byte[]> cubes = new HashMap<>();

    private final Set<Long> columns = new HashSet<>();
    private boolean foreign;

    /** The last sub-chunk that was read, as the next is mostly the same. */
    private long lastKey;

    private byte @Nullable [] last;

    /** Adds a chunk. One with unknown blocks makes the whole world unknown. */
    public void add(LevelChunk chunk) {
        if (foreign || columns.size() >= MAX_CHUNKS) {
            return;
        }
        try {
            columns.add(key(chunk.x(), 0, chunk.z()));
            read(chunk);
        } catch (MalformedPacketException e) {
            foreign = true;
        }
        last = cubes.get(lastKey);
    }

    /** Whether a column is known, and the world has only known blocks. */
    public boolean isKnown(double x, double y) {
        int column = Math.floorDiv((int) Math.floor(x), SIDE);
        int row = Math.floorDiv(-1 - (int) Math.floor(y), SIDE);
        return !foreign && columns.contains(key(column, 0, row));
    }

    private static long key(int x, int height, int z) {
        return (long) (x & 0xFFFFFF) << 40 | (long) (z & 0xFFFFFF) << 16 | height & 0xFFFF;
    }

    private void read(LevelChunk chunk) {
        Reader r = new Reader(chunk.payload());
        cubes.keySet().removeIf(key -> (key & COLUMN) == key(chunk.x(), 0, chunk.z()));
        if (chunk.count() < 0 || chunk.count() > MAX_SUB_CHUNKS) {
            throw r.malformed("count", "is " + chunk.count());
        }
        for (int i = 0; i < chunk.count(); i++) {
            int version = r.u8("version", 0);
            int storages = r.u8("storages", 0);
            int height = version == 9 ? r.i8("height", 0) : i;
            byte[] filled = storages > 0 ? storage(r) : EVEN.getFirst();
            for (int layer = 1; layer < storages; layer++) {
                filled = both(filled, storage(r));
            }
            cubes.put(key(chunk.x(), height, chunk.z()), filled);
        }
    }

    /** Combines both layers of blocks. */
    private static byte[] both(byte[] blocks, byte[] inside) {
        byte[] both = blocks.clone();
        for (int i = 0; i < both.length; i++) {
            both[i] = (byte) (blocks[i] | inside[i] & ~SOLID);
        }
        return both;
    }

    private static byte[] even(int filled) {
        byte[] cube = new byte[PLACES];
        Arrays.fill(cube, (byte) filled);
        return cube;
    }

    private static byte[] storage(Reader r) {
        int bits = r.u8("bits", 0) >> 1;
        if (bits > 16) {
            throw r.malformed("bits", "are " + bits);
        }
        int perWord = bits == 0 ? 1 : 32 / bits;
        int length = bits == 0 ? 0 : (PLACES + perWord - 1) / perWord * 4;
        Bytes words = r.bytes("words", Bytes.EMPTY, length);
        int kinds = bits == 0 ? 1 : Encoding.varint(r, "palette", 0);
        if (kinds < 1 || kinds > PLACES) {
            throw r.malformed("palette", "has " + kinds);
        }
        byte[] solid = new byte[kinds];
        for (int i = 0; i < kinds; i++) {
            int block = Encoding.varint(r, "palette", 0);
            OptionalInt filled = BedrockBlock.filled(block);
            if (filled.isEmpty()) {
                throw r.malformed("palette", "has a block of another world");
            }
            int medium = BedrockBlock.medium(block).ordinal();
            solid[i] = (byte) (filled.getAsInt() | medium << MEDIUM);
        }
        if (bits == 0) {
            return EVEN.get(solid[0]);
        }
        byte[] places = new byte[PLACES];
        Reader each = new Reader(words);
        for (int first = 0; first < PLACES; first += perWord) {
            int word = each.i32le("word", 0);
            for (int i = first; i < Math.min(first + perWord, PLACES); i++) {
                int kind = word >>> bits * (i - first) & (1 << bits) - 1;
                places[i] = solid[Math.min(kind, kinds - 1)];
            }
        }
        return places;
    }

    private int code(int x, int y, int z) {
        int row = -1 - y;
        long key = key(Math.floorDiv(x, SIDE), Math.floorDiv(z, SIDE), Math.floorDiv(row, SIDE));
        if (key != lastKey) {
            lastKey = key;
            last = cubes.get(key);
        }
        return last == null ? 0 : last[(x & 15) << 8 | (row & 15) << 4 | z & 15];
    }

    @Override
    public int filled(int x, int y, int z) {
        return code(x, y, z) & SOLID;
    }

    @Override
    public Medium medium(int x, int y, int h) {
        int code = code(x, y, h >> 1);
        return (code & SOLID) > (h & 1) ? Medium.AIR : MEDIA[code >> MEDIUM];
    }
}
