package dev.wishdir.motion;

/** The solids and media of a level in canonical units, whatever the game. */
@FunctionalInterface
public interface CollisionSpace {
    /** Without solids, or with unknown solids. */
    CollisionSpace OPEN = (_, _, _, _) -> 1;

    /** The step in which heights are tested, metres. */
    double HALF_METRE = 0.5;

    /**
     * Height above the feet at which a body swims or climbs if water or a ladder reaches it,
     * metres.
     */
    double WAIST_METRES = 0.75;

    /**
     * Free distance of a body along a straight line.
     *
     * @param from centre of its feet, metres
     * @param width metres along each side
     * @param height metres
     * @return the fraction of the way before a solid stops it, 0 to 1; 0 if it starts in a solid
     */
    double free(Vec3 from, Vec3 to, double width, double height);

    /** Whether a body at {@code feet} is outside all solids. */
    default boolean fits(Vec3 feet, double width, double height) {
        return free(feet, feet, width, height) > 0;
    }

    /** The medium at a point; {@link Medium#AIR} in a solid. */
    default Medium medium(Vec3 at) {
        return Medium.AIR;
    }

    /** Whether what is at a point hurts bodies until they die, as lava does. */
    default boolean isDeadly(Vec3 at) {
        return false;
    }

    /**
     * Largest climb of a swimming or climbing body from its position, metres; NaN in the air. From
     * the highest position of its feet it can get one metre higher: onto a floor that ends where
     * the water or the ladder ends.
     */
    default double maxClimb(Vec3 feet) {
        double up = 0;
        while (medium(feet.plus(new Vec3(0, 0, up + WAIST_METRES))) != Medium.AIR) {
            up += HALF_METRE;
        }
        return up == 0 ? Double.NaN : up - HALF_METRE;
    }

    /** The space inside a box: its sides and its floor are solid, above it is air. */
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
}
