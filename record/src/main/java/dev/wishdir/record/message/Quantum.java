package dev.wishdir.record.message;

import dev.wishdir.motion.Vec3;

/**
 * Rounding of the canonical movement before it becomes a float. It is finer than any game's
 * protocol or map needs, and makes files a tenth smaller; the native bytes stay exact.
 */
public final class Quantum {
    /** Steps in a metre. */
    static final int POSITION_STEPS = 1024;

    /** Steps in a metre per second. */
    static final int VELOCITY_STEPS = 128;

    /** Steps in a degree. */
    static final int ANGLE_STEPS = 64;

    private Quantum() {}

    static float position(double metres) {
        return rounded(metres, POSITION_STEPS);
    }

    public static float velocity(double metresPerSecond) {
        return rounded(metresPerSecond, VELOCITY_STEPS);
    }

    public static float pitch(double degrees) {
        return rounded(degrees, ANGLE_STEPS);
    }

    public static float yaw(double degrees) {
        float yaw = rounded(degrees, ANGLE_STEPS);
        return yaw >= 360 ? yaw - 360 : yaw;
    }

    public static Vec3 position(Vec3 p) {
        return new Vec3(position(p.x()), position(p.y()), position(p.z()));
    }

    private static float rounded(double value, int steps) {
        // The sum turns -0 into 0, which needs no bytes.
        return (float) (Math.rint(value * steps) / steps) + 0f;
    }
}
