package dev.wishdir.app.bot;

import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.motion.Vec3;

import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A path of places half a metre apart, but for falls and flights, and how far along it a bot is.
 */
final class PathFollower {
    /** Distance at which a place of the path is reached. */
    private static final double REACHED_METRES = 0.7;

    /** Bots jump to places that are higher by more than this. */
    private static final double MAX_STEP_METRES = 0.55;

    /** Maximum time between two places of a path, and more for each metre between them. */
    private static final long PLACE_TIMEOUT_NANOS = 1_500_000_000;

    private static final double NANOS_PER_METRE = 100_000_000;

    /** The height above a place at which a body that jumps passes it. */
    private static final double JUMP_METRES = 1.3;

    /** The length of a jump in a sprint, and some ground behind it. */
    private static final double LEAP_METRES = 5;

    /** A longer way between two places is a fall or a flight. */
    private static final double MAX_WALK_METRES = 2;

    /** A bot that does not get on goes aside for this long. */
    private static final long ASIDE_NANOS = 400_000_000;

    private final RandomGenerator random;
    private List<Vec3> path = List.of();
    private int next;
    private long nextSince;
    private double aside;
    private long asideUntil = Long.MIN_VALUE;

    PathFollower(RandomGenerator random) {
        this.random = random;
    }

    /** Follows another path, or none. */
    void start(long now, List<Vec3> places) {
        path = places;
        next = 0;
        nextSince = now;
    }

    /**
     * Follows the path.
     *
     * @param speed share of the full speed
     * @return empty if there is none, it is at its end, or the bot does not get on
     */
    Optional<PlayerInput> follow(long now, Movement self, double speed) {
        Vec3 at = self.position();
        if (now < asideUntil) {
            return Optional.of(new PlayerInput(aside, 0, 1, 0, random.nextBoolean(), false));
        }
        while (next < path.size() && isNear(at, path.get(next))) {
            next++;
            nextSince = now;
        }
        if (next >= path.size()) {
            return Optional.empty();
        }
        if (now - nextSince > PLACE_TIMEOUT_NANOS + leg() * NANOS_PER_METRE) {
            aside = random.nextDouble(360);
            asideUntil = now + ASIDE_NANOS;
            path = List.of();
            return Optional.empty();
        }
        Optional<Vec3> leap = leap(self);
        Vec3 out = leap.orElse(path.get(next)).minus(at);
        double direction = Angles.yaw(out.x(), out.y());
        boolean jumps = leap.isPresent() || out.z() > MAX_STEP_METRES;
        return Optional.of(new PlayerInput(direction, 0, speed, 0, jumps, false, true));
    }

    /**
     * Where to leap: a body that sprints is faster with jumps where the path is straight and even.
     */
    private Optional<Vec3> leap(Movement self) {
        Vec3 at = self.position();
        if (!self.stance().has(Flag.SPRINTING) || !self.stance().onGround()) {
            return Optional.empty();
        }
        List<Vec3> ahead = path.subList(next, path.size());
        return ahead.stream()
                .filter(place -> place.minus(at).horizontal() > LEAP_METRES)
                .findFirst()
                .filter(to ->
                        ahead.subList(0, ahead.indexOf(to) + 1).stream()
                                .allMatch(place -> isOnLine(at, to, place)));
    }

    private static boolean isOnLine(Vec3 from, Vec3 to, Vec3 place) {
        Vec3 line = to.minus(from);
        Vec3 way = place.minus(from);
        double aside = (line.x() * way.y() - line.y() * way.x()) / line.horizontal();
        return Math.abs(aside) < REACHED_METRES && Math.abs(way.z()) < MAX_STEP_METRES;
    }

    /** Whether its way to the next place is a fall or a flight: no other path begins there. */
    boolean isCarried() {
        return next < path.size() && leg() > MAX_WALK_METRES;
    }

    /** The distance from the last place to the next one. */
    private double leg() {
        return next == 0 ? 0 : path.get(next).distance(path.get(next - 1));
    }

    private static boolean isNear(Vec3 at, Vec3 place) {
        Vec3 out = place.minus(at);
        return out.horizontal() < REACHED_METRES && out.z() < 1 && out.z() > -JUMP_METRES;
    }
}
