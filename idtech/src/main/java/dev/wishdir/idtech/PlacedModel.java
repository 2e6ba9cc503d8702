package dev.wishdir.idtech;

import dev.wishdir.motion.Vec3f;

/**
 * A model of the map at its current position: a door, a platform (Quake III: inline model). Its
 * brushes are relative to its own origin. The way of a box is converted to the model's frame; the
 * box itself is not rotated.
 *
 * @param entity its number, reported by the trace that it stops
 * @param model its brushes
 * @param origin its position
 * @param angles pitch, yaw and roll, degrees
 */
public record PlacedModel(int entity, CollisionWorld model, Vec3f origin, Vec3f angles) {
    /** Moves a box until this model stops it. */
    Trace trace(Vec3f start, Vec3f mins, Vec3f maxs, Vec3f end, int mask) {
        if (angles.equals(Vec3f.ZERO)) {
            Trace own = model.trace(start.minus(origin), mins, maxs, end.minus(origin), mask);
            return at(own, start, end, own.plane().normal());
        }
        Axes axes = Axes.of(angles);
        Trace own =
                model.trace(
                        axes.toLocal(start.minus(origin)),
                        mins,
                        maxs,
                        axes.toLocal(end.minus(origin)),
                        mask);
        return at(own, start, end, axes.toWorld(own.plane().normal()));
    }

    private Trace at(Trace own, Vec3f start, Vec3f end, Vec3f normal) {
        return new Trace(
                own.allSolid(),
                own.startSolid(),
                own.fraction(),
                own.fraction() == 1 ? end : start.along(own.fraction(), end.minus(start)),
                new Plane(normal, own.plane().dist() + normal.dot(origin)),
                own.surface(),
                own.contents(),
                entity);
    }

    /** Whether a box shares a point with any of its brushes. */
    public boolean intersects(Vec3f at, Vec3f mins, Vec3f maxs) {
        return trace(at, mins, maxs, at, ~0).startSolid();
    }

    /** The contents of its brushes at a point. */
    int contents(Vec3f point) {
        Vec3f own = point.minus(origin);
        return model.contents(angles.equals(Vec3f.ZERO) ? own : Axes.of(angles).toLocal(own));
    }
}
