package dev.wishdir.world;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Vec3;

/** What is solid of a level, in canonical units: the same question for the map of any game. */
@FunctionalInterface
public interface CollisionSpace {
    /** Nothing is solid, or the solids are unknown. */
    CollisionSpace OPEN = (_, _, _, _) -> 1;

    /** Half of a metre, in which heights are looked at. */
    double HALF_METRE = 0.5;

    /** Who is in water or at a ladder as high as this swims or climbs, metres. */
    double WAIST_METRES = 0.75;

    /**
     * How far a body gets that moves straight.
     *
     * @param from the middle of its feet, metres
     * @param width metres along each side
     * @param height metres
     * @return the part of the way before something solid stops it, 0 to 1; 0 where it starts in it
     */
    double free(Vec3 from, Vec3 to, double width, double height);

    /** Whether a body fits there. */
    default boolean fits(Vec3 feet, double width, double height) {
        return free(feet, feet, width, height) > 0;
    }

    /** In what a body moves there; {@link Medium#AIR} where something is solid. */
    default Medium medium(Vec3 at) {
        return Medium.AIR;
    }

    /**
     * How far up a body can swim or climb from where it stands, metres; NaN where it stands in the
     * air. From the highest place of its feet it gets a metre higher yet: onto what ends where the
     * water or the ladder does.
     */
    default double maxClimb(Vec3 feet) {
        double up = 0;
        while (medium(feet.plus(new Vec3(0, 0, up + WAIST_METRES))) != Medium.AIR) {
            up += HALF_METRE;
        }
        return up == 0 ? Double.NaN : up - HALF_METRE;
    }

    /** What is inside a box; its sides and its floor are solid, above it is air. */
    static CollisionSpace within(Bounds room) {
        return (from, to, width, height) -> {
            Vec3 min = room.min().plus(new Vec3(width / 2, width / 2, 0));
            Vec3 max = room.max().minus(new Vec3(width / 2, width / 2, 0));
            double free = 1;
            free = Math.min(free, way(from.x(), to.x(), min.x(), max.x()));
            free = Math.min(free, way(from.y(), to.y(), min.y(), max.y()));
            return Math.min(free, way(from.z(), to.z(), min.z(), Double.MAX_VALUE));
        };
    }

    private static double way(double from, double to, double min, double max) {
        if (from < min || from > max) {
            return 0;
        }
        if (to >= min && to <= max) {
            return 1;
        }
        return ((to < min ? min : max) - from) / (to - from);
    }

    /**
     * The map of a game.
     *
     * @param scale its units to a metre; its axes are the canonical ones
     * @param mask the contents that stop a body
     */
    static CollisionSpace of(CollisionWorld world, double scale, int mask) {
        return new MapSpace(world, scale, mask, 0);
    }

    /**
     * The same in a game that has ladders.
     *
     * @param ladder the contents that are climbed
     */
    static CollisionSpace of(CollisionWorld world, double scale, int mask, int ladder) {
        return new MapSpace(world, scale, mask, ladder);
    }
}
