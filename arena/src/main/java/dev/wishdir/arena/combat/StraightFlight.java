package dev.wishdir.arena.combat;

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
        double free = HitGeometry.free(ray.space(), ray.from(), ray.to());
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
}
