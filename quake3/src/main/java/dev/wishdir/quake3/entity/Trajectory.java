package dev.wishdir.quake3.entity;

import dev.wishdir.world.Vec3f;

/**
 * The movement of an entity until the server sends another one. Server and client evaluate it
 * alike: docs/protocols/quake3.md#trajectories-of-an-entity.
 *
 * @param time when it begins, milliseconds of the server's clock
 * @param duration milliseconds: until it stops, or of one swing
 * @param base where it begins: units, or degrees
 * @param delta a second, or of a swing the farthest it goes from the base
 */
record Trajectory(Kind kind, int time, int duration, Vec3f base, Vec3f delta) {
    /** The kinds that a level has, with their numbers on the wire. */
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

    /** Nothing moves. */
    static Trajectory still(Vec3f base) {
        return new Trajectory(Kind.STATIONARY, 0, 0, base, Vec3f.ZERO);
    }

    /** The way from one place to another, and there it stays. */
    static Trajectory between(Vec3f from, Vec3f to, int time, int duration) {
        return new Trajectory(
                Kind.LINEAR_STOP, time, duration, from, to.minus(from).times(1000f / duration));
    }

    /** Where it is at a moment. */
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

    /** Whether it has come to its end. */
    boolean isOver(int now) {
        return kind == Kind.LINEAR_STOP && now >= time + duration;
    }

    /** The same, so much later. */
    Trajectory later(int millis) {
        return new Trajectory(kind, time + millis, duration, base, delta);
    }
}
