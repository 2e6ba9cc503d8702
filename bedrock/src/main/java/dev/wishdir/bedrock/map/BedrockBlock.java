package dev.wishdir.bedrock.map;

import dev.wishdir.bedrock.message.Nbt;
import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.blocks.grid.Material;
import dev.wishdir.motion.Medium;
import dev.wishdir.wire.Writer;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * The game's blocks of arenas, by the hash of their state. The hashes are the same in all versions,
 * except for the half block of grass, which has another name in 1.21.0.
 */
final class BedrockBlock {
    static final int AIR = hash("air", Map.of());

    /** Invisible and solid. */
    static final int BARRIER = hash("barrier", Map.of());

    /** A full block of still water. */
    static final int WATER = hash("water", Map.of("liquid_depth", new Nbt.IntTag(0)));

    private static final Map<String, Nbt> LOWER =
            Map.of("minecraft:vertical_half", new Nbt.StringTag("bottom"));

    /** The full block of each material, and the half block if there is one. */
    private static final int[][] BLOCKS = new int[Material.values().length][2];

    /** The solid height of each block, half metres. */
    private static final Map<Integer, Integer> FILLED = new HashMap<>();

    private static final Map<Integer, Medium> MEDIA = new HashMap<>();

    static {
        FILLED.put(AIR, 0);
        FILLED.put(BARRIER, 2);
        pass(WATER, Medium.WATER);
        for (BlockGrid.Side wall : BlockGrid.Side.values()) {
            pass(ladder(wall), Medium.LADDER);
        }
        for (Material material : Material.values()) {
            if (!material.solid()) {
                continue;
            }
            int[] blocks = BLOCKS[material.ordinal()];
            blocks[0] = hash(full(material), Map.of());
            FILLED.put(blocks[0], 2);
            if (material.hasHalf()) {
                blocks[1] = hash(slab(material), LOWER);
                FILLED.put(blocks[1], 1);
            }
        }
    }

    private BedrockBlock() {}

    private static void pass(int block, Medium medium) {
        FILLED.put(block, 0);
        MEDIA.put(block, medium);
    }

    /** A ladder on a wall. */
    static int ladder(BlockGrid.Side wall) {
        int faces =
                switch (wall) {
                    case SOUTH -> 2;
                    case NORTH -> 3;
                    case EAST -> 4;
                    case WEST -> 5;
                };
        return hash("ladder", Map.of("facing_direction", new Nbt.IntTag(faces)));
    }

    /** The block of a solid material. */
    static int of(Material material, boolean half) {
        return BLOCKS[material.ordinal()][half ? 1 : 0];
    }

    private static String full(Material material) {
        return switch (material) {
            case STONE -> "smooth_stone";
            case COBBLE -> "cobblestone";
            case SLATE -> "polished_deepslate";
            case TILE -> "deepslate_tiles";
            case BRICK -> "brick_block";
            case WOOD -> "oak_planks";
            case PLANK -> "spruce_planks";
            case SAND -> "end_stone";
            case MARBLE -> "calcite";
            case COPPER -> "cut_copper";
            case EARTH -> "packed_mud";
            case GRASS -> "grass_block";
            case METAL -> "iron_block";
            case GLASS -> "glass";
            case LAMP -> "glowstone";
            case PORTAL -> "crying_obsidian";
            case PAD -> "sea_lantern";
            case SKY -> "barrier";
            case WATER, LADDER -> throw new IllegalArgumentException(material.text());
        };
    }

    private static String slab(Material material) {
        return switch (material) {
            case STONE -> "smooth_stone_slab";
            case COBBLE -> "cobblestone_slab";
            case SLATE -> "polished_deepslate_slab";
            case TILE -> "deepslate_tile_slab";
            case BRICK -> "brick_slab";
            case WOOD -> "oak_slab";
            case PLANK -> "spruce_slab";
            case SAND -> "sandstone_slab";
            case MARBLE -> "quartz_slab";
            case COPPER -> "cut_copper_slab";
            case EARTH -> "mud_brick_slab";
            case GRASS -> "mossy_cobblestone_slab";
            case METAL, GLASS, LAMP, PORTAL, PAD, SKY, WATER, LADDER ->
                    throw new IllegalArgumentException("there is no half " + material.text());
        };
    }

    /** The solid height of a block, half metres; empty for a block that no arena has. */
    static OptionalInt filled(int block) {
        Integer filled = FILLED.get(block);
        return filled == null ? OptionalInt.empty() : OptionalInt.of(filled);
    }

    /** The medium in the part of a block that is not solid. */
    static Medium medium(int block) {
        return MEDIA.getOrDefault(block, Medium.AIR);
    }

    /**
     * The id of a block: FNV-1a of its state as fixed-length binary tags, with the properties
     * sorted by name.
     *
     * @param name without {@code minecraft:}
     */
    static int hash(String name, Map<String, Nbt> states) {
        Writer w = new Writer(4096);
        Map<String, Nbt> block = new TreeMap<>();
        block.put("name", new Nbt.StringTag("minecraft:" + name));
        block.put("states", new Nbt.Compound(new TreeMap<>(states)));
        Nbt.wire(w, "block", new Nbt.Compound(block), Nbt.Flavour.FIXED);
        int hash = 0x811C9DC5;
        for (int i = 0; i < w.position(); i++) {
            hash = (hash ^ w.array()[i] & 0xFF) * 0x01000193;
        }
        return hash;
    }
}
