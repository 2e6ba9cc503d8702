package dev.wishdir.idtech;

import dev.wishdir.motion.Vec3f;

/**
 * The plane of the points p with {@code normal.p == dist}. A solid lies behind it, where the
 * product is smaller.
 */
public record Plane(Vec3f normal, float dist) {
    /** The plane of a trace that hit nothing. */
    public static final Plane NONE = new Plane(Vec3f.ZERO, 0);

    /** The signed distance of a point, positive before the plane. */
    public float distance(Vec3f point) {
        return point.dot(normal) - dist;
    }

    /** The axis that the plane's normal is exactly parallel to, or -1. */
    int axis() {
        if (normal.y() == 0 && normal.z() == 0) {
            return 0;
        }
        if (normal.x() == 0 && normal.z() == 0) {
            return 1;
        }
        return normal.x() == 0 && normal.y() == 0 ? 2 : -1;
    }
}
