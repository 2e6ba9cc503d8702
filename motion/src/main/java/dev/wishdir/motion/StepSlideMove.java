package dev.wishdir.motion;

/**
 * The result of a short move of a box that slides along solids and climbs low steps. Metres.
 *
 * @param at the new position of its feet
 * @param blocked whether a solid stopped it sideways
 * @param landed whether a solid below stopped it
 * @param bumped whether a solid above stopped it
 */
public record StepSlideMove(Vec3 at, boolean blocked, boolean landed, boolean bumped) {
    /**
     * Moves a body a short way: along x, along y, then up or down.
     *
     * @param step height that the body climbs, metres; 0 for a body in the air
     */
    public static StepSlideMove of(
            CollisionSpace space, Vec3 from, Vec3 way, double width, double height, double step) {
        Vec3 x = aside(space, from, new Vec3(way.x(), 0, 0), width, height, step);
        Vec3 at = aside(space, x, new Vec3(0, way.y(), 0), width, height, step);
        boolean blocked =
                Math.abs(at.x() - from.x()) < Math.abs(way.x()) - 1e-6
                        || Math.abs(at.y() - from.y()) < Math.abs(way.y()) - 1e-6;
        double free = part(space, at, new Vec3(0, 0, way.z()), width, height);
        return new StepSlideMove(
                at.plus(new Vec3(0, 0, way.z() * free)),
                blocked,
                free < 1 && way.z() < 0,
                free < 1 && way.z() > 0);
    }

    private static double part(
            CollisionSpace space, Vec3 from, Vec3 way, double width, double height) {
        return way.equals(Vec3.ZERO) ? 1 : space.free(from, from.plus(way), width, height);
    }

    private static Vec3 aside(
            CollisionSpace space, Vec3 from, Vec3 way, double width, double height, double step) {
        double free = part(space, from, way, width, height);
        Vec3 plain = from.plus(way.times(free));
        if (free == 1 || step == 0) {
            return plain;
        }
        Vec3 up = new Vec3(0, 0, step);
        Vec3 raised = from.plus(up.times(part(space, from, up, width, height)));
        double farther = part(space, raised, way, width, height);
        if (farther <= free) {
            return plain;
        }
        Vec3 over = raised.plus(way.times(farther));
        Vec3 down = new Vec3(0, 0, from.z() - raised.z());
        return over.plus(down.times(part(space, over, down, width, height)));
    }
}
