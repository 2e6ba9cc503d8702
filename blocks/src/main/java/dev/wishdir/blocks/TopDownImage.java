package dev.wishdir.blocks;

import dev.wishdir.motion.Medium;

import org.jspecify.annotations.Nullable;

/** An image of an arena from above, without its roof. */
public final class TopDownImage {
    private final BlockGrid blocks;
    private final BakedLight bakedLight;

    public TopDownImage(BlockArena arena) {
        blocks = arena.blocks();
        bakedLight = arena.light();
    }

    /**
     * The image, with north at the top.
     *
     * @param scale pixels along each side of a block
     * @return rows of 0xRRGGBB
     */
    public int[][] picture(int scale) {
        int[][] picture = new int[blocks.depth() * scale][blocks.width() * scale];
        for (int y = blocks.minY(); y < blocks.maxY(); y++) {
            for (int x = blocks.minX(); x < blocks.maxX(); x++) {
                int colour = colour(x, y);
                for (int i = 0; i < scale * scale; i++) {
                    int row = (blocks.maxY() - 1 - y) * scale + i / scale;
                    picture[row][(x - blocks.minX()) * scale + i % scale] = colour;
                }
            }
        }
        return picture;
    }

    private int colour(int x, int y) {
        int h = 2 * blocks.maxZ() - 1;
        while (h >= 2 * blocks.minZ() && blocks.isSolid(x, y, h)) {
            h--;
        }
        if (h < 2 * blocks.minZ()) {
            return coloured(blocks.material(x, y, blocks.maxZ() - 1), 0.6f, 0.6f, 0.6f);
        }
        boolean wet = false;
        while (h >= 2 * blocks.minZ() && !blocks.isSolid(x, y, h)) {
            wet |= blocks.medium(x, y, h) == Medium.WATER;
            h--;
        }
        Material material = blocks.half(x, y, h);
        if (material == null) {
            return 0;
        }
        Face top = new Face(material, 2, 1, h + 1, 2 * x, 2 * y, 2 * x + 2, 2 * y + 2);
        float[] lit = bakedLight.middle(top);
        return coloured(wet ? Material.WATER : material, lit[0], lit[1], lit[2]);
    }

    private static int coloured(@Nullable Material material, float red, float green, float blue) {
        int colour = material == null ? 0 : material.colour();
        return part(colour >> 16 & 255, red) << 16
                | part(colour >> 8 & 255, green) << 8
                | part(colour & 255, blue);
    }

    private static int part(int colour, float light) {
        return Math.clamp(Math.round(colour * light), 0, 255);
    }
}
