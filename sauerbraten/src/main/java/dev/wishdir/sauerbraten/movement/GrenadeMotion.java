package dev.wishdir.sauerbraten.movement;

import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;

/**
 * The motion of a grenade in short steps: a parabola, and bounces off surfaces along the axes.
 * Metres, metres a second.
 *
 * @param space of the level
 */
public record GrenadeMotion(CollisionSpace space) {
    /** The time of one step. */
    public static final double STEP_SECONDS = 0.02;

    /** Metres a second squared. */
    public static final double GRAVITY = 200 / SauerbratenMotion.SCALE;

    private static final double DIAMETER = 2 * 1.5 / SauerbratenMotion.SCALE;

    /** It is thrown at a point that is this part of the distance above the end of the shot. */
    public static final double RAISE = 1.0 / 8;

    /** Factor of the speed across a surface at a bounce. */
    private static final double ELASTICITY = 0.6;

    /** Distance from a surface at which it stops before it bounces. */
    private static final double GAP = 0.01;

    /**
     * A grenade in flight.
     *
     * @param bounced whether it has ever bounced
     */
    public record State(Vec3 at, Vec3 velocity, boolean bounced) {}

    /**
     * The velocity of a grenade that is thrown.
     *
     * @param way from the eye to the end of the shot
     * @param speed metres a second
     */
    public static Vec3 launch(Vec3 way, double speed) {
        Vec3 raised = way.plus(new Vec3(0, 0, way.length() * RAISE));
        double length = raised.length();
        return length == 0 ? Vec3.ZERO : raised.times(speed / length);
    }

    /**
     * The grenade after another step.
     *
     * @param along what a bounce leaves of the speed along a surface
     */
    public State step(State before, double along) {
        Vec3 velocity = before.velocity.minus(new Vec3(0, 0, GRAVITY * STEP_SECONDS));
        Vec3 next = before.at.plus(velocity.times(STEP_SECONDS));
        double free = free(before.at, next);
        if (free == 1) {
            return new State(next, velocity, before.bounced);
        }
        Vec3 stop = before.at.plus(next.minus(before.at).times(Math.max(0, free - GAP)));
        return new State(stop, bounce(stop, velocity, along), true);
    }

    private double free(Vec3 from, Vec3 to) {
        Vec3 down = new Vec3(0, 0, DIAMETER / 2);
        return space.free(from.minus(down), to.minus(down), DIAMETER, DIAMETER);
    }

    /** The velocity after a bounce, from surfaces along the axes. */
    private Vec3 bounce(Vec3 at, Vec3 speed, double along) {
        boolean x = isBlocked(at, new Vec3(Math.signum(speed.x()), 0, 0));
        boolean y = isBlocked(at, new Vec3(0, Math.signum(speed.y()), 0));
        boolean z = isBlocked(at, new Vec3(0, 0, Math.signum(speed.z())));
        if (!x && !y && !z) {
            // An edge or a corner.
            return speed.times(-ELASTICITY);
        }
        return new Vec3(
                speed.x() * (x ? -ELASTICITY : along),
                speed.y() * (y ? -ELASTICITY : along),
                speed.z() * (z ? -ELASTICITY : along));
    }

    private boolean isBlocked(Vec3 at, Vec3 way) {
        return !way.equals(Vec3.ZERO) && free(at, at.plus(way.times(DIAMETER / 2))) < 1;
    }
}
