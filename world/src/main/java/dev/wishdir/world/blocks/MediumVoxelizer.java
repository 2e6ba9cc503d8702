package dev.wishdir.world.blocks;

import dev.wishdir.world.Brush;
import dev.wishdir.world.Vec3f;

import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;

/**
 * Where bodies swim and climb in a map: the blocks, be they solid or not, from the south-west of
 * the lowest layer, along x, then y, then z.
 */
final class MediumVoxelizer {
    /** Points at which a block is tried. */
    private static final int POINTS =
            BrushVoxelizer.POINTS_PER_BLOCK
                    * BrushVoxelizer.POINTS_PER_BLOCK
                    * BrushVoxelizer.POINTS_PER_BLOCK;

    /** Units before a wall within which most of a block is where its ladder is climbed. */
    private static final float BEFORE_UNITS = 24;

    /** Units to which a ladder is a plate. */
    private static final float PLATE_UNITS = 16;

    private final int minX;
    private final int minY;
    private final int minZ;
    private final int wide;
    private final int deep;
    private final int high;
    private final BitSet wet = new BitSet();
    private final BitSet climbed = new BitSet();

    /**
     * @param minX the westernmost blocks; as {@code minY} and {@code minZ}
     * @param wide blocks from west to east; as {@code deep} and {@code high}
     */
    MediumVoxelizer(StockMap map, int minX, int minY, int minZ, int wide, int deep, int high) {
        this.minX = minX;
        this.minY = minY;
        this.minZ = minZ;
        this.wide = wide;
        this.deep = deep;
        this.high = high;
        List<Brush> ladders = map.brushes().stream().filter(map.ladders()).toList();
        List<Brush> walls = ladders.stream().filter(map::stopsBodies).toList();
        List<Brush> open = ladders.stream().filter(each -> !map.stopsBodies(each)).toList();
        mark(open, Vec3f.ZERO, POINTS / 4, climbed);
        List<Brush> across = walls.stream().filter(each -> !isPlate(each, 1)).toList();
        List<Brush> along = walls.stream().filter(each -> !isPlate(each, 0)).toList();
        mark(across, new Vec3f(BEFORE_UNITS, 0, 0), POINTS / 4, climbed);
        mark(along, new Vec3f(0, BEFORE_UNITS, 0), POINTS / 4, climbed);
        List<Brush> liquid =
                map.brushes().stream()
                        .filter(StockMap::isLiquid)
                        .filter(Predicate.not(map.ladders()))
                        .toList();
        mark(liquid, Vec3f.ZERO, POINTS / 2, wet);
    }

    /** Whether a brush is a plate across an axis, whose edges are not climbed. */
    private static boolean isPlate(Brush brush, int axis) {
        Vec3f size = brush.bounds().maxs().minus(brush.bounds().mins());
        return size.axis(axis) < PLATE_UNITS && size.axis(axis) < size.axis(1 - axis);
    }

    /** Marks the blocks of which brushes fill at least the given number of points. */
    private void mark(List<Brush> brushes, Vec3f wider, int least, BitSet blocks) {
        if (brushes.isEmpty()) {
            return;
        }
        BrushVoxelizer voxelizer =
                new BrushVoxelizer(brushes, wider, minX, minY, minX + wide, minY + deep);
        for (int z = 0; z < high; z++) {
            int[] filled = new int[wide * deep];
            for (int h = 0; h < 2; h++) {
                voxelizer.rasterize(2 * (minZ + z) + h);
                for (int at = 0; at < filled.length; at++) {
                    filled[at] += voxelizer.filled(at % wide, at / wide);
                }
            }
            for (int at = 0; at < filled.length; at++) {
                if (filled[at] >= least) {
                    blocks.set(z * filled.length + at);
                }
            }
        }
    }

    /** The blocks in which bodies swim. */
    BitSet wet() {
        return wet;
    }

    /** The blocks in which bodies climb: in a ladder, or before one that stops them. */
    BitSet climbed() {
        return climbed;
    }
}
