package dev.wishdir.arena.combat;

import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;

import java.util.Optional;

/** The solids of a level for a point that flies: what a game's missile meets. Metres. */
@FunctionalInterface
public interface WallTrace {
    /** The first solid on a straight line; empty if there is none. */
    Optional<WallHit> trace(Vec3 from, Vec3 to);

    /**
     * A solid on a line.
     *
     * @param part of the line before it, 0 to 1
     * @param normal of its surface
     * @param surface flags of its surface, of the game's own
     */
    record WallHit(double part, Vec3 normal, int surface) {}

    /** Distance beyond the place of a hit within which the surface is looked for, metres. */
    double PROBE_METRES = 0.05;

    /**
     * The solids of a collision space, whose surfaces are taken as parallel to the axes. It has no
     * surface flags.
     */
    static WallTrace of(CollisionSpace space) {
        return (from, to) -> {
            double free = HitGeometry.free(space, from, to);
            if (free >= 1) {
                return Optional.empty();
            }
            Vec3 way = to.minus(from);
            double length = way.length();
            // A little before the wall, where one axis after the other can be tried.
            double back = length == 0 ? 0 : Math.max(0, free - PROBE_METRES / 2 / length);
            return Optional.of(
                    new WallHit(free, normal(space, from.plus(way.times(back)), way), 0));
        };
    }

    private static Vec3 normal(CollisionSpace space, Vec3 before, Vec3 way) {
        Vec3[] axes = {
            new Vec3(Math.signum(way.x()), 0, 0),
            new Vec3(0, Math.signum(way.y()), 0),
            new Vec3(0, 0, Math.signum(way.z()))
        };
        Vec3 found = Vec3.ZERO;
        for (Vec3 axis : axes) {
            if (axis.dot(way) > found.dot(way) * -1
                    && !HitGeometry.isClear(space, before, before.plus(axis.times(PROBE_METRES)))) {
                found = Vec3.ZERO.minus(axis);
            }
        }
        double length = way.length();
        return found.equals(Vec3.ZERO) && length > 0 ? way.times(-1 / length) : found;
    }
}
