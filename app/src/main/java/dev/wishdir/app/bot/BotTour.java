package dev.wishdir.app.bot;

import dev.wishdir.blocks.BodyReachability;
import dev.wishdir.game.BotController;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * A controller that walks to random places of a known arena, on paths that a body can walk: up
 * stairs, and out of pits. A bot that does not get on chooses another path.
 */
public final class BotTour implements BotController {
    /** Distance at which a place of the path is reached; places are half a metre apart. */
    private static final double REACHED_METRES = 0.7;

    /** Bots jump to places that are higher by more than this. */
    private static final double MAX_STEP_METRES = 0.55;

    /** Share of the full speed: at full speed, bodies miss corners. */
    private static final double SPEED = 0.6;

    /** Maximum time between two places of a path. */
    private static final long PLACE_TIMEOUT_NANOS = 1_500_000_000L;

    private final Supplier<Optional<BodyReachability>> current;
    private final BotController fallback;
    private final RandomGenerator random;
    private Optional<BodyReachability> known = Optional.empty();
    private List<Vec3> goals = List.of();
    private List<Vec3> path = List.of();
    private int next;
    private long nextSince;

    /**
     * @param current the paths of the current arena; empty until they are known
     * @param fallback steers until then
     */
    public BotTour(
            Supplier<Optional<BodyReachability>> current,
            BotController fallback,
            RandomGenerator random) {
        this.current = current;
        this.fallback = fallback;
        this.random = random;
    }

    @Override
    public PlayerInput steer(long now, Movement self) {
        Optional<BodyReachability> paths = current.get();
        if (!paths.equals(known)) {
            known = paths;
            goals = paths.map(BodyReachability::placesWithReturn).orElse(List.of());
            path = List.of();
            next = 0;
        }
        Vec3 at = self.position();
        while (next < path.size() && isNear(at, path.get(next))) {
            next++;
            nextSince = now;
        }
        boolean over = next >= path.size() || now - nextSince > PLACE_TIMEOUT_NANOS;
        if (over && paths.isPresent() && !goals.isEmpty()) {
            path = paths.get().path(at, goals.get(random.nextInt(goals.size())));
            next = 0;
            nextSince = now;
        }
        if (next >= path.size()) {
            return fallback.steer(now, self);
        }
        Vec3 to = path.get(next);
        Vec3 out = to.minus(at);
        double direction = Angles.yaw(out.x(), out.y());
        boolean jumps = out.z() > MAX_STEP_METRES;
        return new PlayerInput(direction, 0, SPEED, 0, jumps, false);
    }

    private static boolean isNear(Vec3 at, Vec3 place) {
        Vec3 out = place.minus(at);
        return out.horizontal() < REACHED_METRES && Math.abs(out.z()) < 1;
    }
}
