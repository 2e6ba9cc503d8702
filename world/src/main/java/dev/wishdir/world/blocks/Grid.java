package dev.wishdir.world.blocks;

import dev.wishdir.world.CollisionSpace;
import dev.wishdir.world.Medium;

/** Blocks of one metre without an end, as far as bodies meet them. */
@FunctionalInterface
public interface Grid {
    /**
     * How much of a block is solid, from below, in half metres: 0, 1 or 2.
     *
     * @param x metres of its western side, as {@code y} of its southern and {@code z} of its lower
     */
    int filled(int x, int y, int z);

    /**
     * In what a body moves in a half block.
     *
     * @param h its lower side, half metres
     */
    default Medium medium(int x, int y, int h) {
        return Medium.AIR;
    }

    /** What is solid of it. */
    default CollisionSpace space() {
        return new BlockSpace(this);
    }
}
