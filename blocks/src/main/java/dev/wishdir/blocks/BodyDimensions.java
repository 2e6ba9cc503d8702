package dev.wishdir.blocks;

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
    /** This body with another jump height, metres. */
    BodyDimensions jumping(double metres) {
        return new BodyDimensions(game, width, height, step, metres);
    }
}
