package dev.wishdir.world;

/**
 * A box that stands in the world for a while: another player, a pad.
 *
 * @param entity its number, reported by the trace that it stops
 * @param origin where it stands
 * @param mins relative to the origin
 * @param maxs relative to the origin
 * @param contents the bits that a trace's mask has to share
 */
public record Obstacle(int entity, Vec3f origin, Vec3f mins, Vec3f maxs, int contents) {
    Box bounds() {
        return new Box(origin.plus(mins), origin.plus(maxs));
    }
}
