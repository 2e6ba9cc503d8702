package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;

import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.blocks.grid.Material;
import dev.wishdir.motion.Vec3;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The hall's blocks as Bedrock's client from npm received them and another's program read them,
 * which knows the game's blocks by itself: all but the air around them. The counterpart of a
 * picture.
 *
 * @param lowest the game's own x, y and z of the block that comes first
 * @param kinds the game's names of blocks and their states, by their letters
 * @param layers upwards; of each the rows to the south, of each the blocks to the east
 */
record ReceivedBlocks(List<Integer> lowest, Map<String, String> kinds, List<List<String>> layers) {
    private static final String LOWER = "[minecraft:vertical_half=bottom]";

    /** How many wrong blocks are reported. */
    private static final int MAX_SHOWN = 10;

    /** What the client has written. */
    static ReceivedBlocks read(Path file) throws IOException {
        return new Gson().fromJson(Files.readString(file), ReceivedBlocks.class);
    }

    /** That each block is the arena's, at its place, with the unseen walls around them. */
    void check(BlockGrid blocks) {
        List<String> wrong = new ArrayList<>();
        for (int z = blocks.minZ() - 1; z <= blocks.maxZ(); z++) {
            for (int y = blocks.minY() - 1; y <= blocks.maxY(); y++) {
                for (int x = blocks.minX() - 1; x <= blocks.maxX(); x++) {
                    String is = at(new Vec3(x + 0.5, y + 0.5, z + 0.5));
                    String shall = name(blocks, x, y, z);
                    if (!is.equals(shall) && wrong.size() < MAX_SHOWN) {
                        wrong.add("%d %d %d: %s, not %s".formatted(x, y, z, is, shall));
                    }
                }
            }
        }
        assertThat(wrong).as("blocks that Bedrock's client received").isEmpty();
    }

    private String at(Vec3 middle) {
        Vec3f place = BedrockMotion.point(middle);
        int x = (int) Math.floor(place.x()) - lowest.get(0);
        int y = (int) Math.floor(place.y()) - lowest.get(1);
        int z = (int) Math.floor(place.z()) - lowest.get(2);
        boolean known =
                y >= 0
                        && y < layers.size()
                        && z >= 0
                        && z < layers.get(y).size()
                        && x >= 0
                        && x < layers.get(y).get(z).length();
        return known
                ? Objects.requireNonNull(kinds.get(layers.get(y).get(z).substring(x, x + 1)))
                : "air";
    }

    private static String name(BlockGrid blocks, int x, int y, int z) {
        if (!blocks.contains(x, y, z)) {
            return "barrier";
        }
        Material material = blocks.material(x, y, z);
        if (material == null) {
            return "air";
        }
        return blocks.filled(x, y, z) == 1 ? half(material) + LOWER : full(material);
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
            case MARBLE -> "calcite";
            case COPPER -> "cut_copper";
            case GLASS -> "glass";
            case LAMP -> "glowstone";
            default -> throw new IllegalArgumentException("the hall has no " + material.text());
        };
    }

    private static String half(Material material) {
        return switch (material) {
            case STONE -> "smooth_stone_slab";
            case SLATE -> "polished_deepslate_slab";
            case SAND -> "sandstone_slab";
            default ->
                    throw new IllegalArgumentException("the hall has no half " + material.text());
        };
    }
}
