package dev.wishdir.blocks.reach;

import java.util.Locale;

/**
 * The dimensions of a game's body that decide where it can walk, metres.
 *
 * @param game the game of the body
 * @param width along each side
 * @param height when upright
 * @param step height that it climbs without a jump
 * @param jump height that it climbs with a jump
 */
public record BodyDimensions(String game, double width, double height, double step, double jump) {
    /**
     * @throws IllegalArgumentException if a size is not positive, or a height not a number
     */
    public BodyDimensions {
        if (!(width > 0 && height > 0 && step >= 0 && jump >= 0)) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT,
                            "body of %s is %s m wide and %s m high, climbs %s m and jumps %s m",
                            game,
                            width,
                            height,
                            step,
                            jump));
        }
    }

    /** This body with another jump height, metres. */
    BodyDimensions jumping(double metres) {
        return new BodyDimensions(game, width, height, step, metres);
    }
}
