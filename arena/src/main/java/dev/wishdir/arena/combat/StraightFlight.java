package dev.wishdir.arena.combat;

import dev.wishdir.motion.Vec3;

import java.util.ArrayList;
import java.util.List;

/** The flight of a missile that moves in a straight line until it meets a solid. */
public final class StraightFlight {
    private static final double STEP_METRES = 0.25;

    private StraightFlight() {}

    /**
     * Places at which the missile can have exploded, at the latest before the first solid.
     *
     * @param ray from the shooter's eyes through the target
     * @param least distance from the start, metres
     * @param most distance from the start, metres
     */
    public static List<Combatant.Blast> between(Combatant.Ray ray, double least, double most) {
        double free = free(ray);
        double end = Math.max(0, free * ray.length() - (free < 1 ? STEP_METRES : 0));
        double first = Math.clamp(least, 0, end);
        double last = Math.clamp(most, first, end);
        int steps = (int) Math.ceil((last - first) / STEP_METRES);
        List<Combatant.Blast> places = new ArrayList<>();
        for (int i = 0; i < steps; i++) {
            places.add(new Combatant.Blast(ray.at(first + i * STEP_METRES), STEP_METRES / 2));
        }
        places.add(new Combatant.Blast(ray.at(last), STEP_METRES / 2));
        return places;
    }

    /** The part of a ray up to the first solid; the largest of it and of the rays next to it. */
    private static double free(Combatant.Ray ray) {
        double free = HitGeometry.free(ray.space(), ray.from(), ray.to());
        Vec3 way = ray.to().minus(ray.from());
        return free >= 1
                ? free
                : HitGeometry.startsBeside(ray.space(), ray.from(), way).stream()
                        .mapToDouble(start -> HitGeometry.free(ray.space(), start, start.plus(way)))
                        .reduce(free, Math::max);
    }
}
