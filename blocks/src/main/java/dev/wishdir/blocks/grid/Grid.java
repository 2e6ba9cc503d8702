package dev.wishdir.blocks.grid;

import dev.wishdir.motion.Medium;

/** An unbounded grid of blocks of one metre, as far as it matters for collision. */
@FunctionalInterface
public interface Grid {
    /**
     * The solid height of a block from below, half metres: 0, 1 or 2.
     *
     * @param x its western side, metres; {@code y} is its southern, {@code z} its lower side
     */
    int filled(int x, int y, int z);

    /**
     * The medium of a half block.
     *
     * @param h its lower side, half metres
     */
    default Medium medium(int x, int y, int h) {
        return Medium.AIR;
    }
}
