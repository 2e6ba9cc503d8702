package dev.wishdir.arena.validation;

import dev.wishdir.blocks.reach.BodyDimensions;

/**
 * The limits of a game's physics that {@link MovementValidator} checks.
 *
 * @param body its box, upright
 * @param core the width that can be in nothing solid, metres: less than the body's if that is round
 *     or reported with little precision
 * @param sunk how deep the feet may be in something solid, metres: in a step that the body climbs,
 *     or for lack of precision
 * @param speed the highest average speed over the ground, metres a second, with some tolerance for
 *     clocks
 * @param slack how far ahead of that it may be at a moment, metres: uneven steps, precision
 * @param rise the height of a jump, metres, with some tolerance
 * @param hang how long a jump rises and then falls slower than {@link #FALLS}, seconds; a ceiling
 *     only shortens it
 */
public record MovementLimits(
        BodyDimensions body,
        double core,
        double sunk,
        double speed,
        double slack,
        double rise,
        double hang) {
    /** The speed from which a body counts as falling, metres a second. */
    public static final double FALLS = 4;
}
