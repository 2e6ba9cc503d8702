package dev.wishdir.bedrock.map;

import dev.wishdir.bedrock.message.Encoding;
import dev.wishdir.bedrock.message.LevelChunk;
import dev.wishdir.bedrock.message.Nbt;
import dev.wishdir.wire.Writer;
import dev.wishdir.world.BoxArena;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The generated arena as Bedrock's blocks: ground whose top is at height 0, glass walls around the
 * room (Bedrock, chunks). Blocks are named by the hash of their state, which no version of the game
 * changes.
 */
public final class BoxWorld {
    /** The chunks around the middle that exist, in each direction. */
    static final int RADIUS = 4;

    private static final int HALF = (int) BoxArena.SIDE / 2;
    private static final int WALL = (int) BoxArena.WALL;
    private static final int LOWEST = -4;
    private static final int BIOMES = 24;
    private static final int PLAINS = 1;
    private static final int SAME_AS_BELOW = 0xFF;
    private static final int SIDE = 16;

    private static final int AIR = hash("minecraft:air", Map.of());
    private static final int[] PALETTE = {
        AIR,
        hash("minecraft:bedrock", Map.of("infiniburn_bit", new Nbt.ByteTag(0))),
        hash("minecraft:stone", Map.of()),
        hash("minecraft:grass_block", Map.of()),
        hash("minecraft:glass", Map.of())
    };

    private BoxWorld() {}

    /**
     * The number by which a block is named: FNV-1a of its state as binary tags of fixed length, the
     * properties in the order of their names.
     */
    static int hash(String name, Map<String, Nbt> states) {
        Writer w = new Writer(4096);
        Map<String, Nbt> block = new TreeMap<>();
        block.put("name", new Nbt.StringTag(name));
        block.put("states", new Nbt.Compound(new TreeMap<>(states)));
        Nbt.wire(w, "block", new Nbt.Compound(block), Nbt.Flavour.FIXED);
        int hash = 0x811C9DC5;
        for (int i = 0; i < w.position(); i++) {
            hash = (hash ^ w.array()[i] & 0xFF) * 0x01000193;
        }
        return hash;
    }

    /** All columns that exist, from the middle outwards. */
    public static List<LevelChunk> chunks() {
        List<LevelChunk> chunks = new ArrayList<>();
        for (int x = -RADIUS; x < RADIUS; x++) {
            for (int z = -RADIUS; z < RADIUS; z++) {
                chunks.add(chunk(x, z));
            }
        }
        chunks.sort((a, b) -> Integer.compare(distance(a), distance(b)));
        return List.copyOf(chunks);
    }

    private static int distance(LevelChunk chunk) {
        return Math.abs(2 * chunk.x() + 1) + Math.abs(2 * chunk.z() + 1);
    }

    static LevelChunk chunk(int x, int z) {
        Writer w = new Writer(1 << 16);
        int subChunks = -LOWEST + 1;
        for (int i = 0; i < subChunks; i++) {
            int height = LOWEST + i;
            w.u8("version", 9);
            w.u8("storages", 1);
            w.i8("height", height);
            if (height < -1) {
                uniform(w, AIR);
            } else {
                storage(w, x * SIDE, height * SIDE, z * SIDE);
            }
        }
        uniform(w, PLAINS);
        for (int i = 1; i < BIOMES; i++) {
            w.u8("biomes", SAME_AS_BELOW);
        }
        w.u8("border blocks", 0);
        return new LevelChunk(x, z, 0, subChunks, Optional.empty(), false, w.toBytes());
    }

    /** A storage of one value needs no words. */
    private static void uniform(Writer w, int value) {
        w.u8("bits", 1);
        Encoding.varint(w, "palette", value);
    }

    private static void storage(Writer w, int x, int y, int z) {
        int bits = 3;
        int perWord = 32 / bits;
        w.u8("bits", bits << 1 | 1);
        int word = 0;
        int inWord = 0;
        for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
            word |= block(x + (i >> 8), y + (i & 15), z + (i >> 4 & 15)) << bits * inWord;
            if (++inWord == perWord) {
                w.i32le("word", word);
                word = 0;
                inWord = 0;
            }
        }
        if (inWord > 0) {
            w.i32le("word", word);
        }
        Encoding.varint(w, "palette", PALETTE.length);
        for (int id : PALETTE) {
            Encoding.varint(w, "palette", id);
        }
    }

    /** The place in the palette of the block whose lowest corner is here. */
    private static int block(int x, int y, int z) {
        if (y >= 0) {
            int outside = Math.max(beyond(x), beyond(z));
            return y < WALL && outside == 1 ? 4 : 0;
        }
        return switch (y) {
            case -1 -> 3;
            case -2, -3 -> 2;
            case -4 -> 1;
            default -> 0;
        };
    }

    /** How many blocks outside the room a coordinate lies; 0 inside. */
    private static int beyond(int at) {
        return at < -HALF ? -HALF - at : at >= HALF ? at - HALF + 1 : 0;
    }
}
