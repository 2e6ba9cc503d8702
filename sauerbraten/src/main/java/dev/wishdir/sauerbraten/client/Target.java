package dev.wishdir.sauerbraten.client;

import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;

import java.util.Collection;
import java.util.Optional;

/**
 * A body as it may be hit, an upright cylinder.
 *
 * @param feet metres
 */
record Target(int cn, int lifeseq, Vec3 feet) {
    private static final double RADIUS = SauerbratenMotion.BODY.width() / 2;
    private static final double HEIGHT = SauerbratenMotion.BODY.height();

    Vec3 middle() {
        return feet.plus(new Vec3(0, 0, HEIGHT / 2));
    }

    /** The first body on a line; empty if there is none. */
    static Optional<Target> first(Vec3 from, Vec3 to, Collection<Target> targets) {
        Target first = null;
        double nearest = Double.POSITIVE_INFINITY;
        for (Target target : targets) {
            double entry = target.entry(from, to);
            if (entry < nearest) {
                nearest = entry;
                first = target;
            }
        }
        return Optional.ofNullable(first);
    }

    /** The distance at which a line enters the body; infinite if it misses. */
    double entry(Vec3 from, Vec3 to) {
        Vec3 way = to.minus(from);
        way = way.times(1 / Math.max(1e-6, way.length()));
        double x = from.x() - feet.x();
        double y = from.y() - feet.y();
        double a = way.x() * way.x() + way.y() * way.y();
        double b = x * way.x() + y * way.y();
        double c = x * x + y * y - RADIUS * RADIUS;
        double in = 0;
        double out = from.distance(to);
        if (a < 1e-12) {
            if (c > 0) {
                return Double.POSITIVE_INFINITY;
            }
        } else {
            double root = b * b - a * c;
            if (root < 0) {
                return Double.POSITIVE_INFINITY;
            }
            in = Math.max(in, (-b - Math.sqrt(root)) / a);
            out = Math.min(out, (-b + Math.sqrt(root)) / a);
        }
        if (Math.abs(way.z()) < 1e-12) {
            if (from.z() < feet.z() || from.z() > feet.z() + HEIGHT) {
                return Double.POSITIVE_INFINITY;
            }
        } else {
            double low = (feet.z() - from.z()) / way.z();
            double high = (feet.z() + HEIGHT - from.z()) / way.z();
            in = Math.max(in, Math.min(low, high));
            out = Math.min(out, Math.max(low, high));
        }
        return in <= out ? in : Double.POSITIVE_INFINITY;
    }
}
