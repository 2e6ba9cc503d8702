package dev.wishdir.blocks.grid;

import dev.wishdir.motion.Medium;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;

/**
 * A box of solid blocks: a brush of a map. Half metres.
 *
 * @param maxX exclusive, like {@code maxY} and {@code maxZ}
 */
public record Cuboid(int minX, int minY, int minZ, int maxX, int maxY, int maxZ) {
    /**
     * The solid blocks of a grid, merged into few boxes that do not overlap.
     *
     * @param transparent whether to take transparent blocks, or opaque ones
     */
    public static List<Cuboid> of(BlockGrid blocks, boolean transparent) {
        return new Merger(
                        blocks,
                        material -> material.solid() && material.transparent() == transparent)
                .all();
    }

    /** The blocks of a medium, merged into few boxes that do not overlap. */
    public static List<Cuboid> of(BlockGrid blocks, Medium medium) {
        return new Merger(blocks, material -> material.medium() == medium).all();
    }

    /**
     * The solid around a grid, as six boxes.
     *
     * @param thick thickness, half metres
     */
    public static List<Cuboid> around(BlockGrid blocks, int thick) {
        int x0 = 2 * blocks.minX();
        int y0 = 2 * blocks.minY();
        int z0 = 2 * blocks.minZ();
        int x1 = 2 * blocks.maxX();
        int y1 = 2 * blocks.maxY();
        int z1 = 2 * blocks.maxZ();
        return List.of(
                new Cuboid(x0 - thick, y0 - thick, z0 - thick, x1 + thick, y1 + thick, z0),
                new Cuboid(x0 - thick, y0 - thick, z1, x1 + thick, y1 + thick, z1 + thick),
                new Cuboid(x0 - thick, y0 - thick, z0, x0, y1 + thick, z1),
                new Cuboid(x1, y0 - thick, z0, x1 + thick, y1 + thick, z1),
                new Cuboid(x0, y0 - thick, z0, x1, y0, z1),
                new Cuboid(x0, y1, z0, x1, y1 + thick, z1));
    }

    /** The minimum along an axis: 0 x, 1 y, 2 z. */
    public int min(int axis) {
        return axis == 0 ? minX : axis == 1 ? minY : minZ;
    }

    /** The maximum along an axis, exclusive. */
    public int max(int axis) {
        return axis == 0 ? maxX : axis == 1 ? maxY : maxZ;
    }

    /** Merges blocks greedily: grows a box from each free corner along x, then y, then z. */
    private static final class Merger {
        private final BlockGrid blocks;
        private final Predicate<Material> which;
        private final BitSet taken = new BitSet();

        Merger(BlockGrid blocks, Predicate<Material> which) {
            this.blocks = blocks;
            this.which = which;
        }

        private boolean isLeft(int x, int y, int h) {
            Material material = blocks.half(x, y, h);
            return material != null && which.test(material) && !taken.get(index(x, y, h));
        }

        private int index(int x, int y, int h) {
            return ((h - 2 * blocks.minZ()) * blocks.depth() + y - blocks.minY()) * blocks.width()
                    + x
                    - blocks.minX();
        }

        private boolean isLeft(int x0, int x1, int y0, int y1, int h) {
            for (int y = y0; y < y1; y++) {
                for (int x = x0; x < x1; x++) {
                    if (!isLeft(x, y, h)) {
                        return false;
                    }
                }
            }
            return true;
        }

        List<Cuboid> all() {
            List<Cuboid> boxes = new ArrayList<>();
            for (int h = 2 * blocks.minZ(); h < 2 * blocks.maxZ(); h++) {
                for (int y = blocks.minY(); y < blocks.maxY(); y++) {
                    for (int x = blocks.minX(); x < blocks.maxX(); x++) {
                        if (isLeft(x, y, h)) {
                            boxes.add(grown(x, y, h));
                        }
                    }
                }
            }
            return boxes;
        }

        private Cuboid grown(int x0, int y0, int h0) {
            int x1 = x0 + 1;
            while (x1 < blocks.maxX() && isLeft(x1, y0, h0)) {
                x1++;
            }
            int y1 = y0 + 1;
            while (y1 < blocks.maxY() && isLeft(x0, x1, y1, y1 + 1, h0)) {
                y1++;
            }
            int h1 = h0 + 1;
            while (h1 < 2 * blocks.maxZ() && isLeft(x0, x1, y0, y1, h1)) {
                h1++;
            }
            for (int h = h0; h < h1; h++) {
                for (int y = y0; y < y1; y++) {
                    taken.set(index(x0, y, h), index(x1 - 1, y, h) + 1);
                }
            }
            return new Cuboid(2 * x0, 2 * y0, h0, 2 * x1, 2 * y1, h1);
        }
    }
}
