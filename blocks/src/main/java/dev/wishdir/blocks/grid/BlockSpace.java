package dev.wishdir.blocks.grid;

import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Medium;
import dev.wishdir.motion.Vec3;

/**
 * The collision space of blocks. A body that overlaps a block by less than a ten-millionth of a
 * metre only touches it, so that it slides along it.
 */
public record BlockSpace(Grid blocks) implements CollisionSpace {
    static final double TOUCH_METRES = 1e-7;

    /** Places farther away are in the solid around all blocks; their blocks have no numbers. */
    private static final double MAX_METRES = 1e6;

    @Override
    public double free(Vec3 from, Vec3 to, double width, double height) {
        return new Way(from, to, width / 2 - TOUCH_METRES, height).free();
    }

    /** As {@link #free} without a way, but without what only a way needs: searches ask it most. */
    @Override
    public boolean fits(Vec3 feet, double width, double height) {
        double half = width / 2 - TOUCH_METRES;
        double minX = feet.x() - half;
        double minY = feet.y() - half;
        double minZ = feet.z() + TOUCH_METRES;
        double maxX = feet.x() + half;
        double maxY = feet.y() + half;
        double maxZ = feet.z() + height - TOUCH_METRES;
        if (!isNear(feet)) {
            return false;
        }
        int toX = floor(maxX);
        int toY = floor(maxY);
        int toZ = floor(maxZ);
        for (int z = floor(minZ); z <= toZ; z++) {
            for (int y = floor(minY); y <= toY; y++) {
                for (int x = floor(minX); x <= toX; x++) {
                    int filled = blocks.filled(x, y, z);
                    if (filled > 0
                            && maxX > x
                            && minX < x + 1.0
                            && maxY > y
                            && minY < y + 1.0
                            && maxZ > z
                            && minZ < z + filled / 2.0) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    @Override
    public Medium medium(Vec3 at) {
        return blocks.medium(floor(at.x()), floor(at.y()), floor(2 * at.z()));
    }

    /** Without {@link Math#floor}, which is slow until the code is compiled. */
    private static int floor(double metres) {
        int towardsZero = (int) metres;
        return metres < towardsZero ? towardsZero - 1 : towardsZero;
    }

    /** False for numbers that are not finite, too. */
    private static boolean isNear(Vec3 at) {
        return Math.abs(at.x()) < MAX_METRES
                && Math.abs(at.y()) < MAX_METRES
                && Math.abs(at.z()) < MAX_METRES;
    }

    /** The range of blocks near a segment of a way. */
    private record BlockRange(int x0, int y0, int z0, int x1, int y1, int z1) {
        static final BlockRange NOTHING = new BlockRange(0, 0, 0, -1, -1, -1);

        boolean hasRow(int y, int z) {
            return y >= y0 && y <= y1 && z >= z0 && z <= z1;
        }
    }

    /** A moving box; arrays are indexed by axis. */
    private final class Way {
        private final double[] min;
        private final double[] max;
        private final double[] move;
        private final boolean near;
        private double free = 1;

        Way(Vec3 from, Vec3 to, double half, double height) {
            near = isNear(from) && isNear(to);
            min = new double[] {from.x() - half, from.y() - half, from.z() + TOUCH_METRES};
            max = new double[] {from.x() + half, from.y() + half, from.z() + height - TOUCH_METRES};
            move = new double[] {to.x() - from.x(), to.y() - from.y(), to.z() - from.z()};
        }

        /** Tests the blocks near the way, in segments of a metre. */
        double free() {
            double length =
                    Math.max(Math.abs(move[0]), Math.max(Math.abs(move[1]), Math.abs(move[2])));
            if (!near) {
                return 0;
            }
            int pieces = Math.max(1, (int) Math.ceil(length));
            BlockRange before = BlockRange.NOTHING;
            for (int piece = 0; piece < pieces; piece++) {
                double until = (piece + 1.0) / pieces;
                BlockRange near = rangeOf((double) piece / pieces, until);
                test(near, before);
                before = near;
                if (free < until) {
                    return free;
                }
            }
            return free;
        }

        private BlockRange rangeOf(double start, double end) {
            int[] least = new int[3];
            int[] greatest = new int[3];
            for (int axis = 0; axis < 3; axis++) {
                double from = move[axis] * start;
                double to = move[axis] * end;
                least[axis] = floor(min[axis] + Math.min(from, to));
                greatest[axis] = floor(max[axis] + Math.max(from, to));
            }
            return new BlockRange(
                    least[0], least[1], least[2], greatest[0], greatest[1], greatest[2]);
        }

        /** Tests the blocks of a segment that the segment before it did not contain. */
        private void test(BlockRange near, BlockRange before) {
            for (int z = near.z0; z <= near.z1; z++) {
                for (int y = near.y0; y <= near.y1; y++) {
                    boolean hasRow = before.hasRow(y, z);
                    for (int x = near.x0; x <= near.x1 && free > 0; x++) {
                        boolean isTested = hasRow && x >= before.x0 && x <= before.x1;
                        int filled = isTested ? 0 : blocks.filled(x, y, z);
                        if (filled > 0) {
                            test(x, y, z, z + filled / 2.0);
                        }
                    }
                }
            }
        }

        private void test(int x, int y, int z, double top) {
            double enter = Double.NEGATIVE_INFINITY;
            double leave = Double.POSITIVE_INFINITY;
            double touches = 0;
            for (int axis = 0; axis < 3; axis++) {
                double low = axis == 0 ? x : axis == 1 ? y : z;
                double high = axis == 2 ? top : low + 1;
                if (move[axis] == 0) {
                    if (max[axis] <= low || min[axis] >= high) {
                        return;
                    }
                } else {
                    double one = (low - max[axis]) / move[axis];
                    double other = (high - min[axis]) / move[axis];
                    if (Math.min(one, other) > enter) {
                        enter = Math.min(one, other);
                        touches = TOUCH_METRES / Math.abs(move[axis]);
                    }
                    leave = Math.min(leave, Math.max(one, other));
                }
            }
            if (enter < leave && leave > 0 && enter < free) {
                free = Math.max(0, enter - touches);
            }
        }
    }
}
