package dev.wishdir.motion;

/**
 * A point or direction in a game's own units and single precision. Sums and products are evaluated
 * from left to right, as in the games.
 */
public record Vec3f(float x, float y, float z) {
    public static final Vec3f ZERO = new Vec3f(0, 0, 0);

    public Vec3f plus(Vec3f that) {
        return new Vec3f(x + that.x, y + that.y, z + that.z);
    }

    public Vec3f minus(Vec3f that) {
        return new Vec3f(x - that.x, y - that.y, z - that.z);
    }

    public Vec3f times(float factor) {
        return new Vec3f(x * factor, y * factor, z * factor);
    }

    /** The component-wise minimum. */
    public Vec3f min(Vec3f that) {
        return new Vec3f(Math.min(x, that.x), Math.min(y, that.y), Math.min(z, that.z));
    }

    /** The component-wise maximum. */
    public Vec3f max(Vec3f that) {
        return new Vec3f(Math.max(x, that.x), Math.max(y, that.y), Math.max(z, that.z));
    }

    /** This point, moved along a direction. */
    public Vec3f along(float distance, Vec3f direction) {
        return new Vec3f(
                x + distance * direction.x, y + distance * direction.y, z + distance * direction.z);
    }

    public float dot(Vec3f that) {
        return x * that.x + y * that.y + z * that.z;
    }

    public Vec3f cross(Vec3f that) {
        return new Vec3f(y * that.z - z * that.y, z * that.x - x * that.z, x * that.y - y * that.x);
    }

    public float length() {
        return (float) Math.sqrt(dot(this));
    }

    /** The unit vector of this direction; zero for zero. */
    public Vec3f normalised() {
        float length = length();
        return length == 0 ? this : times(1 / length);
    }

    public Vec3f withZ(float z) {
        return new Vec3f(x, y, z);
    }

    /** The component along an axis: 0 x, 1 y, 2 z. */
    public float axis(int axis) {
        return axis == 0 ? x : axis == 1 ? y : z;
    }

    /** True if no component is infinite or NaN. */
    public boolean isFinite() {
        return Float.isFinite(x) && Float.isFinite(y) && Float.isFinite(z);
    }
}
