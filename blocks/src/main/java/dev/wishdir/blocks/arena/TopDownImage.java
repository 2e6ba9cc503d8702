package dev.wishdir.blocks.arena;

import dev.wishdir.blocks.grid.BakedLight;
import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.blocks.grid.Face;
import dev.wishdir.blocks.grid.Material;
import dev.wishdir.motion.Medium;

import org.jspecify.annotations.Nullable;

/** An image of an arena from above, without its roof. */
public final class TopDownImage {
    /** A part of the ground: blocks, the maximum is exclusive. */
    public record Area(int minX, int minY, int maxX, int maxY) {}

    /** Blocks around what is built, as walls have a thickness. */
    private static final int MARGIN_BLOCKS = 1;

    private final BlockGrid blocks;
    private final BakedLight bakedLight;

    public TopDownImage(BlockArena arena) {
        blocks = arena.blocks();
        bakedLight = arena.light();
    }

    /** All blocks. */
    public Area all() {
        return new Area(blocks.minX(), blocks.minY(), blocks.maxX(), blocks.maxY());
    }

    /**
     * The smallest area with all floors and the walls around them: of a map that was converted from
     * brushes, the rest is solid, or the void below the sky.
     */
    public Area built() {
        int minX = blocks.maxX();
        int minY = blocks.maxY();
        int maxX = blocks.minX();
        int maxY = blocks.minY();
        for (int y = blocks.minY(); y < blocks.maxY(); y++) {
            for (int x = blocks.minX(); x < blocks.maxX(); x++) {
                if (hasFloor(x, y)) {
                    minX = Math.min(minX, x);
                    minY = Math.min(minY, y);
                    maxX = Math.max(maxX, x + 1);
                    maxY = Math.max(maxY, y + 1);
                }
            }
        }
        return minX >= maxX
                ? all()
                : new Area(
                        Math.max(blocks.minX(), minX - MARGIN_BLOCKS),
                        Math.max(blocks.minY(), minY - MARGIN_BLOCKS),
                        Math.min(blocks.maxX(), maxX + MARGIN_BLOCKS),
                        Math.min(blocks.maxY(), maxY + MARGIN_BLOCKS));
    }

    /** Whether there is room below the roof, and below it a floor that is not drawn as the sky. */
    private boolean hasFloor(int x, int y) {
        int room = below(x, y, 2 * blocks.maxZ() - 1, true);
        int floor = below(x, y, room, false);
        return floor >= 2 * blocks.minZ() && blocks.half(x, y, floor) != Material.SKY;
    }

    /** The image of all blocks, with north at the top. */
    public int[][] picture(int scale) {
        return picture(scale, all());
    }

    /**
     * The image of an area, with north at the top.
     *
     * @param scale pixels along each side of a block
     * @return rows of 0xRRGGBB
     */
    public int[][] picture(int scale, Area area) {
        int width = area.maxX() - area.minX();
        int[][] picture = new int[(area.maxY() - area.minY()) * scale][width * scale];
        for (int y = area.minY(); y < area.maxY(); y++) {
            for (int x = area.minX(); x < area.maxX(); x++) {
                int colour = colour(x, y);
                for (int i = 0; i < scale * scale; i++) {
                    int row = (area.maxY() - 1 - y) * scale + i / scale;
                    picture[row][(x - area.minX()) * scale + i % scale] = colour;
                }
            }
        }
        return picture;
    }

    /** The first half block at a height or below it that is not solid, or not open. */
    private int below(int x, int y, int from, boolean solid) {
        int h = from;
        while (h >= 2 * blocks.minZ() && blocks.isSolid(x, y, h) == solid) {
            h--;
        }
        return h;
    }

    private int colour(int x, int y) {
        int h = below(x, y, 2 * blocks.maxZ() - 1, true);
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
