package dev.wishdir.world.blocks;

/**
 * What counts of a game's body where it walks among blocks, metres.
 *
 * @param game whose body it is
 * @param width along each side
 * @param height upright
 * @param step that it climbs as it walks
 * @param jump that it climbs when it jumps
 */
public record BodyDimensions(String game, double width, double height, double step, double jump) {
    /** The same with another jump, metres. */
    BodyDimensions jumping(double metres) {
        return new BodyDimensions(game, width, height, step, metres);
    }
}
