package dev.wishdir.quake3.entity;

import dev.wishdir.motion.Vec3f;

/**
 * The movement of an entity until the server sends another. Server and client evaluate it equally:
 * docs/protocols/quake3.md#trajectories-of-an-entity.
 *
 * @param time start, milliseconds of server time
 * @param duration time until it stops, or of one swing, milliseconds
 * @param base start, units or degrees
 * @param delta change per second, or the amplitude of a swing
 */
record Trajectory(Kind kind, int time, int duration, Vec3f base, Vec3f delta) {
    /** The kinds that levels use, with their numbers on the wire. */
    enum Kind {
        STATIONARY(0),
        LINEAR(2),
        LINEAR_STOP(3),
        SINE(4);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }
    }

    /** A trajectory without movement. */
    static Trajectory still(Vec3f base) {
        return new Trajectory(Kind.STATIONARY, 0, 0, base, Vec3f.ZERO);
    }

    /** A movement from one position to another, where it stops. */
    static Trajectory between(Vec3f from, Vec3f to, int time, int duration) {
        return new Trajectory(
                Kind.LINEAR_STOP, time, duration, from, to.minus(from).times(1000f / duration));
    }

    /** The position or angles at a time. */
    Vec3f at(int now) {
        return switch (kind) {
            case STATIONARY -> base;
            case LINEAR -> base.along((now - time) * 0.001f, delta);
            case LINEAR_STOP -> base.along(Math.clamp(now - time, 0, duration) * 0.001f, delta);
            case SINE -> {
                double turn = (now - time) / (double) duration * 2 * Math.PI;
                yield base.along((float) Math.sin(turn), delta);
            }
        };
    }

    /** Whether the movement has reached its end. */
    boolean isOver(int now) {
        return kind == Kind.LINEAR_STOP && now >= time + duration;
    }

    /** This trajectory, delayed. */
    Trajectory later(int millis) {
        return new Trajectory(kind, time + millis, duration, base, delta);
    }
}
