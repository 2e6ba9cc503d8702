package dev.wishdir.motion;

/** An axis-aligned box, metres. */
public record Bounds(Vec3 min, Vec3 max) {
    /**
     * @throws IllegalArgumentException if a coordinate of {@code min} is above that of {@code max},
     *     or NaN
     */
    public Bounds {
        if (!(min.x() <= max.x() && min.y() <= max.y() && min.z() <= max.z())) {
            throw new IllegalArgumentException(
                    "bounds have min " + min + " and max " + max + ": min must be at most max");
        }
    }

    public boolean contains(Vec3 p) {
        return p.x() >= min.x()
                && p.x() <= max.x()
                && p.y() >= min.y()
                && p.y() <= max.y()
                && p.z() >= min.z()
                && p.z() <= max.z();
    }

    /** The point of the box nearest to {@code p}; {@code p} itself if it lies inside. */
    public Vec3 clamp(Vec3 p) {
        return contains(p)
                ? p
                : new Vec3(
                        Math.clamp(p.x(), min.x(), max.x()),
                        Math.clamp(p.y(), min.y(), max.y()),
                        Math.clamp(p.z(), min.z(), max.z()));
    }

    /** The smallest box that contains both. */
    public Bounds union(Bounds other) {
        return new Bounds(
                new Vec3(
                        Math.min(min.x(), other.min.x()),
                        Math.min(min.y(), other.min.y()),
                        Math.min(min.z(), other.min.z())),
                new Vec3(
                        Math.max(max.x(), other.max.x()),
                        Math.max(max.y(), other.max.y()),
                        Math.max(max.z(), other.max.z())));
    }

    public Vec3 center() {
        return min.plus(max).times(0.5);
    }
}
