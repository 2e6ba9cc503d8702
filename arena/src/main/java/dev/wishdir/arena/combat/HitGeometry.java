package dev.wishdir.arena.combat;

import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;

import java.util.List;
import java.util.stream.Stream;

/** Distances between shots and bodies, and the line of sight. Metres. */
public final class HitGeometry {
    /**
     * Each step of a search leaves 0.62 of a line: with 40, less than a micrometre of a kilometre.
     */
    private static final int SEARCH_STEPS = 40;

    private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

    /** The width of the box that traces lines. */
    private static final double LINE_METRES = 0.02;

    /** Distance at which a missile passes an edge, or meets it. */
    private static final double EDGE_METRES = 0.1;

    /** Heights at which a body is seen, as parts of it. */
    private static final double[] VISIBLE_PARTS = {0.5, 0.9, 0.15};

    private HitGeometry() {}

    /**
     * The distance of a point from an upright cylinder; 0 in it.
     *
     * @param feet centre of its lower end
     */
    static double distance(Vec3 point, Vec3 feet, BodyDimensions body) {
        double aside = Math.hypot(point.x() - feet.x(), point.y() - feet.y()) - body.width() / 2;
        double above = point.z() - feet.z() - body.height();
        double below = feet.z() - point.z();
        return Math.hypot(Math.max(0, aside), Math.max(0, Math.max(above, below)));
    }

    /**
     * The distance of a straight line from an upright cylinder. It is convex along the line, so
     * that the search always finds the least.
     */
    public static double distance(Vec3 from, Vec3 to, Vec3 feet, BodyDimensions body) {
        Vec3 way = to.minus(from);
        double low = 0;
        double high = 1;
        double left = high - GOLDEN * (high - low);
        double right = low + GOLDEN * (high - low);
        double atLeft = distance(from.plus(way.times(left)), feet, body);
        double atRight = distance(from.plus(way.times(right)), feet, body);
        double least = Math.min(distance(from, feet, body), distance(to, feet, body));
        for (int i = 0; i < SEARCH_STEPS && least > 0; i++) {
            least = Math.min(least, Math.min(atLeft, atRight));
            if (atLeft <= atRight) {
                high = right;
                right = left;
                atRight = atLeft;
                left = high - GOLDEN * (high - low);
                atLeft = distance(from.plus(way.times(left)), feet, body);
            } else {
                low = left;
                left = right;
                atLeft = atRight;
                right = low + GOLDEN * (high - low);
                atRight = distance(from.plus(way.times(right)), feet, body);
            }
        }
        return least;
    }

    /** The part of a straight line up to the first solid, from 0 to 1. */
    public static double free(CollisionSpace space, Vec3 from, Vec3 to) {
        return space.free(from, to, LINE_METRES, LINE_METRES);
    }

    /**
     * Starts of ways next to one, to both sides, above and below, that are in sight of its own:
     * what passes an edge closely at the client may meet it at the server, as places are rounded.
     *
     * @param way direction, of any length
     */
    public static List<Vec3> startsBeside(CollisionSpace space, Vec3 from, Vec3 way) {
        return offsets(way, EDGE_METRES)
                .map(from::plus)
                .filter(start -> isClear(space, from, start))
                .toList();
    }

    private static Stream<Vec3> offsets(Vec3 way, double metres) {
        double flat = way.horizontal();
        Vec3 aside =
                flat < 1e-6
                        ? new Vec3(metres, 0, 0)
                        : new Vec3(-way.y() / flat, way.x() / flat, 0).times(metres);
        Vec3 up = new Vec3(0, 0, metres);
        return Stream.of(aside, aside.times(-1), up, up.times(-1));
    }

    /** Whether nothing solid is on a straight line. */
    static boolean isClear(CollisionSpace space, Vec3 from, Vec3 to) {
        return free(space, from, to) >= 1;
    }

    /**
     * Whether nothing solid is on a straight line, or on one next to it: both ends may be this far
     * to a side, above or below, where edges differ between the client and the server.
     */
    public static boolean isClear(CollisionSpace space, Vec3 from, Vec3 to, double allowance) {
        if (space.equals(CollisionSpace.OPEN) || isClear(space, from, to)) {
            return true;
        }
        // The eye stays where it is: a line next to it might start behind a wall.
        return offsets(to.minus(from), allowance)
                .anyMatch(offset ->
                        isClear(space, from, to.plus(offset))
                                || isClear(space, from, from.plus(offset))
                                        && isClear(space, from.plus(offset), to.plus(offset)));
    }

    /** Whether a part of a body is in sight of a point, within the given allowance in metres. */
    public static boolean isSeen(
            CollisionSpace space, Vec3 from, Vec3 feet, BodyDimensions body, double allowance) {
        for (double part : VISIBLE_PARTS) {
            Vec3 at = feet.plus(new Vec3(0, 0, part * body.height()));
            if (isClear(space, from, at, allowance)) {
                return true;
            }
        }
        return false;
    }
}
