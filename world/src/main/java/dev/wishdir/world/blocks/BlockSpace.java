package dev.wishdir.world.blocks;

import dev.wishdir.motion.Vec3;
import dev.wishdir.world.Medium;
import dev.wishdir.world.Space;

/**
 * What is solid of blocks, to the last bit that a double holds: touching is not being inside, by a
 * ten-millionth of a metre, so that a body slides along what it stands at.
 */
record BlockSpace(Grid blocks) implements Space {
    private static final double TOUCH = 1e-7;

    @Override
    public double free(Vec3 from, Vec3 to, double width, double height) {
        return new Way(from, to, width / 2 - TOUCH, height).free();
    }

    @Override
    public Medium medium(Vec3 at) {
        return blocks.medium(
                (int) Math.floor(at.x()), (int) Math.floor(at.y()), (int) Math.floor(2 * at.z()));
    }

    /** One box on its way; its numbers by axis. */
    private final class Way {
        private final double[] min;
        private final double[] max;
        private final double[] move;
        private double free = 1;

        Way(Vec3 from, Vec3 to, double half, double height) {
            min = new double[] {from.x() - half, from.y() - half, from.z() + TOUCH};
            max = new double[] {from.x() + half, from.y() + half, from.z() + height - TOUCH};
            move = new double[] {to.x() - from.x(), to.y() - from.y(), to.z() - from.z()};
        }

        /** Looks at the blocks near the way, a metre of it after the other. */
        double free() {
            double length =
                    Math.max(Math.abs(move[0]), Math.max(Math.abs(move[1]), Math.abs(move[2])));
            if (!(length < 1e6)) {
                return 0;
            }
            int pieces = Math.max(1, (int) Math.ceil(length));
            for (int piece = 0; piece < pieces; piece++) {
                double until = (piece + 1.0) / pieces;
                meet((double) piece / pieces, until);
                if (free < until) {
                    return free;
                }
            }
            return free;
        }

        private int least(int axis, double start, double end) {
            return (int) Math.floor(min[axis] + Math.min(move[axis] * start, move[axis] * end));
        }

        private int greatest(int axis, double start, double end) {
            return (int) Math.floor(max[axis] + Math.max(move[axis] * start, move[axis] * end));
        }

        private void meet(double start, double end) {
            int x1 = greatest(0, start, end);
            int y1 = greatest(1, start, end);
            int z1 = greatest(2, start, end);
            for (int z = least(2, start, end); z <= z1; z++) {
                for (int y = least(1, start, end); y <= y1; y++) {
                    for (int x = least(0, start, end); x <= x1; x++) {
                        int filled = blocks.filled(x, y, z);
                        if (filled > 0) {
                            meet(x, y, z, z + filled / 2.0);
                        }
                    }
                }
            }
        }

        private void meet(int x, int y, int z, double top) {
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
                        touches = TOUCH / Math.abs(move[axis]);
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
