package dev.wishdir.idtech;

import dev.wishdir.motion.Vec3f;

/** An axis-aligned box, by its minimum and maximum corner. */
public record Box(Vec3f mins, Vec3f maxs) {
    /** Whether no coordinate of {@code mins} is above that of {@code maxs}, or NaN. */
    public boolean isOrdered() {
        return mins.x() <= maxs.x() && mins.y() <= maxs.y() && mins.z() <= maxs.z();
    }

    /** The smallest box that contains both. */
    public Box union(Box that) {
        return new Box(mins.min(that.mins), maxs.max(that.maxs));
    }

    /** The bounds of a box that moves from one point to another. */
    static Box swept(Vec3f start, Vec3f mins, Vec3f maxs, Vec3f end) {
        return new Box(start.plus(mins), start.plus(maxs))
                .union(new Box(end.plus(mins), end.plus(maxs)));
    }

    /** True if the boxes share a point; touching boxes do. */
    boolean intersects(Box that) {
        return mins.x() <= that.maxs.x()
                && maxs.x() >= that.mins.x()
                && mins.y() <= that.maxs.y()
                && maxs.y() >= that.mins.y()
                && mins.z() <= that.maxs.z()
                && maxs.z() >= that.mins.z();
    }

    /** This box with each side moved outwards. */
    Box expanded(float by) {
        Vec3f all = new Vec3f(by, by, by);
        return new Box(mins.minus(all), maxs.plus(all));
    }

    Box translated(Vec3f by) {
        return new Box(mins.plus(by), maxs.plus(by));
    }
}
