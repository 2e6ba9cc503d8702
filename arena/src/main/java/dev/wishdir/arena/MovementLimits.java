package dev.wishdir.arena;

import dev.wishdir.world.blocks.BodyDimensions;

/**
 * What a game's bodies can do, as far as it is judged.
 *
 * @param body its box, upright
 * @param core the width of what can be in nothing solid: less than the body's where that is round,
 *     or told with little precision
 * @param sunk how deep its feet may be in something solid, metres: in a step that it climbs on a
 *     slope, or as it is told with little precision
 * @param speed the fastest that it gets ahead over the ground, metres a second, with what clocks
 *     differ
 * @param slack how much farther it may be at a moment: uneven steps, quanta, metres
 * @param rise how high its feet come above the ground, metres, with some slack
 * @param hang how long a jump rises and then falls slower than {@link #FALLS}, seconds: nothing
 *     shortens what follows but ground, and where it bumps into something above, it rises less
 */
public record MovementLimits(
        BodyDimensions body,
        double core,
        double sunk,
        double speed,
        double slack,
        double rise,
        double hang) {
    /** The fall, metres a second, of which it is plain that it is one. */
    public static final double FALLS = 4;
}
