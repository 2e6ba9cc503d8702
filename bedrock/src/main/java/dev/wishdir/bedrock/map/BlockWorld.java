package dev.wishdir.bedrock.map;

import dev.wishdir.bedrock.message.Encoding;
import dev.wishdir.bedrock.message.LevelChunk;
import dev.wishdir.bedrock.message.Nbt;
import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.blocks.grid.Material;
import dev.wishdir.motion.Medium;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;

/**
 * Conversion of an arena to Bedrock's chunks (Bedrock, chunks). South in the arena is at greater z.
 * Around it are a wall, a floor and a ceiling, all invisible. The game computes the light itself.
 */
public final class BlockWorld {
    /** Minimum number of chunks in each direction from the middle. */
    private static final int RADIUS = 4;

    private static final int MIN_SUB_CHUNK = -4;
    private static final int BIOMES = 24;
    private static final int PLAINS = 1;

    /** The number of the block of nothing. */
    public static final int NOTHING = BedrockBlock.AIR;

    /** The number of a banner that stands on the ground, which is not solid. */
    public static final int BANNER =
            BedrockBlock.hash(
                    "standing_banner", Map.of("ground_sign_direction", new Nbt.IntTag(0)));

    private static final int SAME_AS_BELOW = 0xFF;
    private static final int SIDE = 16;
    private static final int[] BITS = {1, 2, 3, 4, 5, 6, 8, 16};

    /** The blocks of a sub-chunk outside the arena. */
    private static final int[] AIR = new int[SIDE * SIDE * SIDE];

    static {
        Arrays.fill(AIR, BedrockBlock.AIR);
    }

    /** The columns of arenas in use: a server plays the same ones again and again. */
    private static final Map<BlockGrid, List<LevelChunk>> CHUNKS =
            Collections.synchronizedMap(new WeakHashMap<>());

    private final BlockGrid blocks;

    /** Number of chunks in each direction, and the height above which all is air. */
    private final int radius;

    private final int subChunks;

    private BlockWorld(BlockGrid blocks) {
        this.blocks = blocks;
        int widest = Math.max(blocks.width(), blocks.depth()) / 2 + 1;
        radius = Math.max(RADIUS, (widest + SIDE - 1) / SIDE);
        subChunks = Math.floorDiv(blocks.maxZ(), SIDE) - MIN_SUB_CHUNK + 1;
    }

    /** All columns, from the middle outwards; encoded once for each arena. */
    public static List<LevelChunk> chunks(BlockGrid blocks) {
        return CHUNKS.computeIfAbsent(blocks, BlockWorld::encode);
    }

    private static List<LevelChunk> encode(BlockGrid blocks) {
        BlockWorld world = new BlockWorld(blocks);
        List<LevelChunk> chunks = new ArrayList<>();
        for (int x = -world.radius; x < world.radius; x++) {
            for (int z = -world.radius; z < world.radius; z++) {
                chunks.add(world.chunk(x, z));
            }
        }
        chunks.sort(Comparator.comparingInt(BlockWorld::distance));
        return List.copyOf(chunks);
    }

    private static int distance(LevelChunk chunk) {
        return Math.abs(2 * chunk.x() + 1) + Math.abs(2 * chunk.z() + 1);
    }

    private LevelChunk chunk(int x, int z) {
        Writer w = new Writer(1 << 20);
        for (int i = 0; i < subChunks; i++) {
            w.u8("version", 9);
            int height = (MIN_SUB_CHUNK + i) * SIDE;
            int[] blocks = cube(x * SIDE, height, z * SIDE, this::block);
            int[] inside = cube(x * SIDE, height, z * SIDE, this::inside);
            boolean wet = !Arrays.equals(inside, AIR);
            w.u8("storages", wet ? 2 : 1);
            w.i8("height", MIN_SUB_CHUNK + i);
            storage(w, blocks);
            if (wet) {
                storage(w, inside);
            }
        }
        return chunk(x, z, subChunks, w);
    }

    /** A column of air. */
    public static LevelChunk empty(int x, int z) {
        return chunk(x, z, 0, new Writer(64));
    }

    /** A column of encoded sub-chunks. */
    private static LevelChunk chunk(int x, int z, int subChunks, Writer w) {
        w.u8("bits", 1);
        Encoding.varint(w, "palette", PLAINS);
        for (int i = 1; i < BIOMES; i++) {
            w.u8("biomes", SAME_AS_BELOW);
        }
        w.u8("border blocks", 0);
        return new LevelChunk(x, z, 0, subChunks, Optional.empty(), false, w.toBytes());
    }

    /** The block at a position in the game's coordinates. */
    private interface Layer {
        int at(int x, int y, int z);
    }

    private int[] cube(int x, int y, int z, Layer layer) {
        if (!borders(x, y, z, SIDE)) {
            return AIR;
        }
        int[] blocks = new int[SIDE * SIDE * SIDE];
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = layer.at(x + (i >> 8), y + (i & 15), z + (i >> 4 & 15));
        }
        return blocks;
    }

    /** Writes the blocks of a sub-chunk; a palette of one block needs no words. */
    private static void storage(Writer w, int[] blocks) {
        Map<Integer, Integer> palette = new LinkedHashMap<>();
        int[] places = new int[blocks.length];
        for (int i = 0; i < places.length; i++) {
            // Most blocks are as the one before.
            places[i] =
                    i > 0 && blocks[i] == blocks[i - 1]
                            ? places[i - 1]
                            : palette.computeIfAbsent(blocks[i], _ -> palette.size());
        }
        if (palette.size() == 1) {
            w.u8("bits", 1);
        } else {
            int bits = bits(palette.size());
            w.u8("bits", bits << 1 | 1);
            words(w, places, bits);
            Encoding.varint(w, "palette", palette.size());
        }
        palette.keySet().forEach(block -> Encoding.varint(w, "palette", block));
    }

    private static int bits(int kinds) {
        int i = 0;
        while (1 << BITS[i] < kinds) {
            i++;
        }
        return BITS[i];
    }

    private static void words(Writer w, int[] places, int bits) {
        int perWord = 32 / bits;
        for (int first = 0; first < places.length; first += perWord) {
            int word = 0;
            for (int i = first; i < Math.min(first + perWord, places.length); i++) {
                word |= places[i] << bits * (i - first);
            }
            w.i32le("word", word);
        }
    }

    /** The block with this lowest corner, in the game's coordinates. */
    private int block(int x, int y, int z) {
        int north = -1 - z;
        if (blocks.contains(x, north, y)) {
            return block(blocks.material(x, north, y), x, north, y);
        }
        return borders(x, y, z, 1) ? BedrockBlock.BARRIER : BedrockBlock.AIR;
    }

    /** Whether a cube of blocks has one of the arena, or of the wall around it. */
    private boolean borders(int x, int y, int z, int side) {
        int north = -1 - z;
        return x + side - 1 >= blocks.minX() - 1
                && x <= blocks.maxX()
                && north >= blocks.minY() - 1
                && north - (side - 1) <= blocks.maxY()
                && y + side - 1 >= blocks.minZ() - 1
                && y <= blocks.maxZ();
    }

    private int block(@Nullable Material material, int x, int y, int z) {
        return switch (material) {
            case null -> BedrockBlock.AIR;
            case WATER -> BedrockBlock.WATER;
            case LADDER -> BedrockBlock.ladder(blocks.wall(x, y, z).orElse(BlockGrid.Side.NORTH));
            default -> BedrockBlock.of(material, blocks.filled(x, y, z) == 1);
        };
    }

    /** The second layer: water in a block with a lower half. */
    private int inside(int x, int y, int z) {
        int north = -1 - z;
        boolean wet =
                blocks.filled(x, north, y) == 1
                        && blocks.medium(x, north, 2 * y + 1) == Medium.WATER;
        return wet ? BedrockBlock.WATER : BedrockBlock.AIR;
    }
}
