package dev.wishdir.blocks.grid;

import java.util.BitSet;

/**
 * The places on a lattice of half metres at which a body fits among blocks, and those at which it
 * stands; as {@link BlockSpace#fits}, but all at once. There are twice as many places along each
 * axis as blocks, and one more; their index grows along x fastest, then along y, from the lowest
 * corner of the grid.
 */
public final class BodyLattice {
    private final BlockGrid blocks;
    private final int wide;
    private final int deep;
    private final BitSet fits = new BitSet();
    private final BitSet stands = new BitSet();

    /** The first and the last block that the body touches, by place along x and along y. */
    private final int[] fromX;

    private final int[] toX;
    private final int[] fromY;
    private final int[] toY;

    /** Whether a body touches a solid in the present layer, by place along x and by row. */
    private final boolean[] rows;

    /**
     * @param width of the body along each side, metres
     * @param height of the body, metres
     */
    public BodyLattice(BlockGrid blocks, double width, double height) {
        this.blocks = blocks;
        wide = 2 * blocks.width() + 1;
        deep = 2 * blocks.depth() + 1;
        double half = width / 2 - BlockSpace.TOUCH_METRES;
        fromX = new int[wide];
        toX = new int[wide];
        touched(blocks.minX(), half, fromX, toX);
        fromY = new int[deep];
        toY = new int[deep];
        touched(blocks.minY(), half, fromY, toY);
        rows = new boolean[wide * blocks.depth()];
        find((int) Math.ceil(2 * (height - 2 * BlockSpace.TOUCH_METRES)));
    }

    private static void touched(int min, double half, int[] from, int[] to) {
        for (int i = 0; i < from.length; i++) {
            from[i] = (int) Math.floor(min + i / 2.0 - half);
            to[i] = (int) Math.ceil(min + i / 2.0 + half) - 1;
        }
    }

    /**
     * Goes from the highest layer down.
     *
     * @param bodyLayers half metres that the body touches
     */
    private void find(int bodyLayers) {
        int[] free = new int[wide * deep];
        for (int h = 2 * blocks.maxZ() - 1; h >= 2 * blocks.minZ(); h--) {
            fillRows(h);
            int layer = (h - 2 * blocks.minZ()) * wide * deep;
            for (int j = 0; j < deep; j++) {
                for (int i = 0; i < wide; i++) {
                    int at = j * wide + i;
                    if (!isBlocked(i, j)) {
                        free[at]++;
                        if (free[at] >= bodyLayers) {
                            fits.set(layer + at);
                        }
                    } else {
                        if (free[at] >= bodyLayers) {
                            stands.set(layer + wide * deep + at);
                        }
                        free[at] = 0;
                    }
                }
            }
        }
        // Below the grid everything is solid.
        for (int at = 0; at < free.length; at++) {
            if (free[at] >= bodyLayers) {
                stands.set(at);
            }
        }
    }

    private void fillRows(int h) {
        for (int row = 0; row < blocks.depth(); row++) {
            for (int i = 0; i < wide; i++) {
                boolean touches = false;
                for (int x = fromX[i]; x <= toX[i] && !touches; x++) {
                    touches = blocks.isSolid(x, blocks.minY() + row, h);
                }
                rows[row * wide + i] = touches;
            }
        }
    }

    private boolean isBlocked(int i, int j) {
        if (fromY[j] < blocks.minY() || toY[j] >= blocks.maxY()) {
            return true;
        }
        for (int y = fromY[j]; y <= toY[j]; y++) {
            if (rows[(y - blocks.minY()) * wide + i]) {
                return true;
            }
        }
        return false;
    }

    /** Whether the body is outside all solids at a place. */
    public boolean fits(int place) {
        return fits.get(place);
    }

    /** Whether the body fits at a place, and touches a solid half a metre below. */
    public boolean stands(int place) {
        return stands.get(place);
    }
}
