package dev.wishdir.motion;

import java.util.Objects;

/** A point or direction in three dimensions; its owner defines units and axes. */
public record Vec3(double x, double y, double z) {
    /** The origin, or a direction of length 0. */
    public static final Vec3 ZERO = new Vec3(0, 0, 0);

    public Vec3 plus(Vec3 that) {
        return new Vec3(x + that.x, y + that.y, z + that.z);
    }

    public Vec3 minus(Vec3 that) {
        return new Vec3(x - that.x, y - that.y, z - that.z);
    }

    public Vec3 times(double factor) {
        return new Vec3(x * factor, y * factor, z * factor);
    }

    public double dot(Vec3 that) {
        return x * that.x + y * that.y + z * that.z;
    }

    public double length() {
        return Math.sqrt(dot(this));
    }

    public double distance(Vec3 that) {
        return minus(that).length();
    }

    /** The length of the vector (x, y). */
    public double horizontal() {
        return Math.sqrt(x * x + y * y);
    }

    /** True if no component is infinite or NaN. */
    public boolean isFinite() {
        return Double.isFinite(x) && Double.isFinite(y) && Double.isFinite(z);
    }

    /**
     * A given vector, if it is finite.
     *
     * @param name of the parameter, for the message
     * @throws IllegalArgumentException if a component is infinite or NaN
     */
    public static Vec3 requireFinite(String name, Vec3 value) {
        if (!Objects.requireNonNull(value, name).isFinite()) {
            throw new IllegalArgumentException(name + " must be finite, is " + value);
        }
        return value;
    }
}
