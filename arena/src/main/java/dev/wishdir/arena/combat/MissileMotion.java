package dev.wishdir.arena.combat;

import dev.wishdir.motion.Vec3;

/** Flight of a game's missile where nothing is in its way. Metres, metres a second. */
@FunctionalInterface
public interface MissileMotion {
    /** The missile after a time of at most a few steps. */
    State after(State before, double seconds);

    /** Place and velocity of a missile. */
    record State(Vec3 place, Vec3 velocity) {
        boolean isFinite() {
            return place.isFinite() && velocity.isFinite();
        }
    }

    /**
     * The exact parabola.
     *
     * @param gravity metres a second squared; 0 for a straight line
     */
    static MissileMotion parabola(double gravity) {
        return (before, seconds) -> {
            Vec3 fall = new Vec3(0, 0, -gravity * seconds);
            return new State(
                    before.place()
                            .plus(before.velocity().times(seconds))
                            .plus(fall.times(seconds / 2)),
                    before.velocity().plus(fall));
        };
    }

    /**
     * The velocity after a bounce: mirrored by a surface, and multiplied.
     *
     * @param normal of the surface, of length 1
     */
    static Vec3 reflected(Vec3 velocity, Vec3 normal, double factor) {
        return velocity.minus(normal.times(2 * velocity.dot(normal))).times(factor);
    }
}
