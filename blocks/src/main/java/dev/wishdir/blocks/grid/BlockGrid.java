package dev.wishdir.blocks.grid;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Medium;
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A grid of blocks of one metre. A block is air, full, a lower half, or a medium in which bodies
 * swim or climb. The upper half of a block whose lower half is solid is water if the block above
 * is. A block's coordinates are those of its western, southern, lower corner in metres; the centre
 * of the grid is at x = y = 0, and {@code ground} layers are below z = 0. Everything outside the
 * grid is solid. Immutable.
 */
public final class BlockGrid implements Grid {
    /** Maximum blocks from west to east, and from south to north. */
    public static final int MAX_WIDTH = 256;

    /** Maximum layers. */
    public static final int MAX_LAYERS = 128;

    private static final List<Side> SIDES = List.of(Side.values());

    private static final Material[] MATERIALS = Material.values();
    private static final byte AIR = 0;

    /** The greatest code of a solid material. */
    private static final int MAX_SOLID_CODE = 2 * Material.SKY.ordinal() + 2;

    private final int width;
    private final int depth;
    private final int height;
    private final int ground;

    /**
     * Per block 0 for air, or twice its material's ordinal plus 1 for a half, 2 for a full block.
     */
    private final byte[] codes;

    private BlockGrid(Builder builder) {
        width = builder.width;
        depth = builder.depth;
        height = builder.height;
        ground = builder.ground;
        codes = builder.codes.clone();
    }

    /** A horizontal side of a block. */
    public enum Side {
        EAST(1, 0),
        WEST(-1, 0),
        NORTH(0, 1),
        SOUTH(0, -1);

        private final int x;
        private final int y;

        Side(int x, int y) {
            this.x = x;
            this.y = y;
        }

        /** The offset of the neighbour to the east. */
        public int x() {
            return x;
        }

        /** The offset of the neighbour to the north. */
        public int y() {
            return y;
        }
    }

    /** Builds a grid, which is air at first. */
    public static final class Builder {
        private final int width;
        private final int depth;
        private final int height;
        private final int ground;
        private final byte[] codes;

        /**
         * @param width blocks from west to east, even
         * @param depth blocks from south to north, even
         * @param height layers
         * @param ground layers below z = 0
         * @throws IllegalArgumentException if a size is odd or out of range
         */
        public Builder(int width, int depth, int height, int ground) {
            checkSize("width", width, MAX_WIDTH);
            checkSize("depth", depth, MAX_WIDTH);
            checkSize("height", height, MAX_LAYERS);
            if (width % 2 != 0 || depth % 2 != 0) {
                throw new IllegalArgumentException(
                        "width and depth must be even, are " + width + " and " + depth);
            }
            if (ground < 0 || ground >= height) {
                throw new IllegalArgumentException(
                        "ground is " + ground + ", must be 0.." + (height - 1));
            }
            this.width = width;
            this.depth = depth;
            this.height = height;
            this.ground = ground;
            codes = new byte[width * depth * height];
        }

        private static void checkSize(String name, int value, int most) {
            if (value < 2 || value > most) {
                throw new IllegalArgumentException(name + " is " + value + ", must be 2.." + most);
            }
        }

        /**
         * Sets a block.
         *
         * @throws IndexOutOfBoundsException outside the grid
         * @throws IllegalArgumentException for a half of a material that has none
         */
        public Builder set(int x, int y, int z, Material material, boolean half) {
            if (half && !material.hasHalf()) {
                throw new IllegalArgumentException(
                        "material " + material.text() + " has no half blocks");
            }
            codes[index(x, y, z)] = (byte) (2 * material.ordinal() + (half ? 1 : 2));
            return this;
        }

        /** Makes a block air. */
        public Builder clear(int x, int y, int z) {
            codes[index(x, y, z)] = AIR;
            return this;
        }

        private int index(int x, int y, int z) {
            int i = x + width / 2;
            int j = y + depth / 2;
            int k = z + ground;
            if (i < 0 || i >= width || j < 0 || j >= depth || k < 0 || k >= height) {
                throw new IndexOutOfBoundsException(
                        "block " + x + " " + y + " " + z + " is outside the grid");
            }
            return (k * depth + j) * width + i;
        }

        public BlockGrid build() {
            return new BlockGrid(this);
        }
    }

    /** Number of blocks from west to east. */
    public int width() {
        return width;
    }

    /** Number of blocks from south to north. */
    public int depth() {
        return depth;
    }

    /** Number of layers. */
    public int height() {
        return height;
    }

    /** Number of layers below z = 0. */
    public int ground() {
        return ground;
    }

    /**
     * The x of the westernmost blocks; likewise the y of the southernmost and the z of the lowest.
     */
    public int minX() {
        return -width / 2;
    }

    public int minY() {
        return -depth / 2;
    }

    public int minZ() {
        return -ground;
    }

    /** The x behind the easternmost blocks; likewise for the northernmost and the highest. */
    public int maxX() {
        return width / 2;
    }

    public int maxY() {
        return depth / 2;
    }

    public int maxZ() {
        return height - ground;
    }

    public boolean contains(int x, int y, int z) {
        return x >= minX() && x < maxX() && y >= minY() && y < maxY() && z >= minZ() && z < maxZ();
    }

    private int code(int x, int y, int z) {
        int i = x + width / 2;
        int j = y + depth / 2;
        int k = z + ground;
        return i >= 0 && i < width && j >= 0 && j < depth && k >= 0 && k < height
                ? codes[(k * depth + j) * width + i]
                : MAX_SOLID_CODE;
    }

    @Override
    public int filled(int x, int y, int z) {
        int code = code(x, y, z);
        return code == AIR || code > MAX_SOLID_CODE ? 0 : 2 - (code & 1);
    }

    @Override
    public Medium medium(int x, int y, int h) {
        Material material = half(x, y, h);
        return material == null ? Medium.AIR : material.medium();
    }

    /** Whether any block is of a material. */
    public boolean has(Material material) {
        return count(material) > 0;
    }

    private int count(Material material) {
        int full = 2 * material.ordinal() + 2;
        int count = 0;
        for (byte code : codes) {
            count += code == full || code == full - 1 ? 1 : 0;
        }
        return count;
    }

    /** The material of a block; null for air, the sky outside the grid. */
    public @Nullable Material material(int x, int y, int z) {
        int code = code(x, y, z);
        return code == AIR ? null : MATERIALS[(code - 1) / 2];
    }

    /**
     * The material of a half block; null for air.
     *
     * @param h its lower side, half metres
     */
    public @Nullable Material half(int x, int y, int h) {
        int code = code(x, y, h >> 1);
        if (code == AIR) {
            return null;
        }
        boolean isThere = code > MAX_SOLID_CODE || 2 - (code & 1) > (h & 1);
        if (isThere) {
            return MATERIALS[(code - 1) / 2];
        }
        return material(x, y, (h >> 1) + 1) == Material.WATER ? Material.WATER : null;
    }

    /** The side on which a ladder in a block leans on a full block; empty if there is none. */
    public Optional<Side> wall(int x, int y, int z) {
        return SIDES.stream()
                .filter(side -> filled(x + side.x(), y + side.y(), z) == 2)
                .findFirst();
    }

    /** Whether a half block is solid. */
    public boolean isSolid(int x, int y, int h) {
        return filled(x, y, h >> 1) > (h & 1);
    }

    /** The box around all space that is not solid, metres; the whole grid if everything is. */
    public Bounds room() {
        int[] min = {maxX(), maxY(), maxZ()};
        int[] max = {minX(), minY(), minZ()};
        for (int z = minZ(); z < maxZ(); z++) {
            for (int y = minY(); y < maxY(); y++) {
                for (int x = minX(); x < maxX(); x++) {
                    if (filled(x, y, z) < 2) {
                        int[] at = {x, y, z};
                        for (int axis = 0; axis < 3; axis++) {
                            min[axis] = Math.min(min[axis], at[axis]);
                            max[axis] = Math.max(max[axis], at[axis] + 1);
                        }
                    }
                }
            }
        }
        return min[0] < max[0]
                ? new Bounds(new Vec3(min[0], min[1], min[2]), new Vec3(max[0], max[1], max[2]))
                : new Bounds(new Vec3(minX(), minY(), minZ()), new Vec3(maxX(), maxY(), maxZ()));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BlockGrid that
                && width == that.width
                && depth == that.depth
                && height == that.height
                && ground == that.ground
                && Arrays.equals(codes, that.codes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(codes) + 31 * (width + 31 * (depth + 31 * ground));
    }

    @Override
    public String toString() {
        return width
                + " x "
                + depth
                + " x "
                + height
                + " blocks"
                + countText(Material.WATER)
                + countText(Material.LADDER);
    }

    private String countText(Material material) {
        int count = count(material);
        return count == 0 ? "" : ", " + count + " of " + material.text();
    }
}
