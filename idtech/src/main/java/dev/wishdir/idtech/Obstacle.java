package dev.wishdir.idtech;

import dev.wishdir.motion.Vec3f;

/**
 * A temporary box in the world: another player, a jump pad.
 *
 * @param entity its number, reported by the trace that it stops
 * @param origin its position
 * @param mins relative to the origin
 * @param maxs relative to the origin
 * @param contents it stops a trace whose mask shares a bit with these
 */
public record Obstacle(int entity, Vec3f origin, Vec3f mins, Vec3f maxs, int contents) {
    Box bounds() {
        return new Box(origin.plus(mins), origin.plus(maxs));
    }
}
