package dev.wishdir.idtech;

import dev.wishdir.motion.Vec3f;

/** A rotated coordinate frame: its forward, left and up directions. */
public record Axes(Vec3f forward, Vec3f left, Vec3f up) {
    /**
     * The frame of a view.
     *
     * @param angles pitch (positive is down), yaw and roll, degrees
     */
    public static Axes of(Vec3f angles) {
        float sp = sin(angles.x());
        float cp = cos(angles.x());
        float sy = sin(angles.y());
        float cy = cos(angles.y());
        float sr = sin(angles.z());
        float cr = cos(angles.z());
        return new Axes(
                new Vec3f(cp * cy, cp * sy, -sp),
                new Vec3f(sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, sr * cp),
                new Vec3f(cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp));
    }

    private static float sin(float degrees) {
        return (float) Math.sin(Math.toRadians(degrees));
    }

    private static float cos(float degrees) {
        return (float) Math.cos(Math.toRadians(degrees));
    }

    /** Converts a direction from world to local coordinates. */
    public Vec3f toLocal(Vec3f v) {
        return new Vec3f(v.dot(forward), v.dot(left), v.dot(up));
    }

    /** Converts a direction from local to world coordinates. */
    public Vec3f toWorld(Vec3f v) {
        return forward.times(v.x()).plus(left.times(v.y())).plus(up.times(v.z()));
    }
}
