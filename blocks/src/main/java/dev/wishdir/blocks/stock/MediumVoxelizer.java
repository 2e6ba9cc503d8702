package dev.wishdir.blocks.stock;

import dev.wishdir.idtech.Brush;
import dev.wishdir.motion.Vec3f;

import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;

/**
 * The blocks of a map in which bodies swim or climb. They may be solid as well. Indexes start in
 * the south-west of the lowest layer and run along x, then y, then z.
 */
final class MediumVoxelizer {
    /** Sample points per block. */
    private static final int POINTS =
            BrushVoxelizer.POINTS_PER_BLOCK
                    * BrushVoxelizer.POINTS_PER_BLOCK
                    * BrushVoxelizer.POINTS_PER_BLOCK;

    /** Distance before a solid ladder at which bodies climb it, units. */
    private static final float BEFORE_UNITS = 24;

    /** Maximum thickness of a ladder that is a plate, units. */
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
     * @param minX x of the westernmost blocks; {@code minY} and {@code minZ} likewise
     * @param wide blocks from west to east; {@code deep} and {@code high} likewise
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

    /** Whether a brush is a plate across an axis; bodies do not climb its edges. */
    private static boolean isPlate(Brush brush, int axis) {
        Vec3f size = brush.bounds().maxs().minus(brush.bounds().mins());
        return size.axis(axis) < PLATE_UNITS && size.axis(axis) < size.axis(1 - axis);
    }

    /** Marks the blocks with at least {@code least} sample points in brushes. */
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

    /** The blocks in which bodies climb: inside a ladder, or before a solid one. */
    BitSet climbed() {
        return climbed;
    }
}
