package dev.wishdir.app;

import dev.wishdir.game.BotController;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.world.blocks.BodyReachability;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * A pilot that walks all over a known arena, from place to place, by ways that a body can go: up
 * stairs, and out of pits. A body that does not get on takes another way.
 */
final class BotTour implements BotController {
    /** So near a body has come to a place of its way, metres; places are half a metre apart. */
    private static final double NEAR = 0.7;

    /** How much higher a place is that a body jumps to, metres. */
    private static final double STEP = 0.55;

    /** Of the fastest: bodies that run don't get round corners. */
    private static final double PACE = 0.6;

    /** So long a body may take for one place of its way, nanoseconds. */
    private static final long PATIENCE_NANOS = 1_500_000_000L;

    private final Supplier<Optional<BodyReachability>> played;
    private final BotController otherwise;
    private final RandomGenerator random;
    private Optional<BodyReachability> known = Optional.empty();
    private List<Vec3> goals = List.of();
    private List<Vec3> way = List.of();
    private int next;
    private long nextSince;

    /**
     * @param played the ways of what is played; empty while they are not known
     * @param otherwise steers meanwhile
     */
    BotTour(
            Supplier<Optional<BodyReachability>> played,
            BotController otherwise,
            RandomGenerator random) {
        this.played = played;
        this.otherwise = otherwise;
        this.random = random;
    }

    @Override
    public PlayerInput steer(long now, Movement self) {
        Optional<BodyReachability> ways = played.get();
        if (!ways.equals(known)) {
            known = ways;
            goals = ways.map(BodyReachability::placesWithReturn).orElse(List.of());
            way = List.of();
            next = 0;
        }
        Vec3 at = self.position();
        while (next < way.size() && isNear(at, way.get(next))) {
            next++;
            nextSince = now;
        }
        boolean over = next >= way.size() || now - nextSince > PATIENCE_NANOS;
        if (over && ways.isPresent() && !goals.isEmpty()) {
            way = ways.get().way(at, goals.get(random.nextInt(goals.size())));
            next = 0;
            nextSince = now;
        }
        if (next >= way.size()) {
            return otherwise.steer(now, self);
        }
        Vec3 to = way.get(next);
        Vec3 out = to.minus(at);
        double direction = Angles.yaw(out.x(), out.y());
        boolean jumps = out.z() > STEP;
        return new PlayerInput(direction, 0, PACE, 0, jumps, false);
    }

    private static boolean isNear(Vec3 at, Vec3 place) {
        Vec3 out = place.minus(at);
        return out.horizontal() < NEAR && Math.abs(out.z()) < 1;
    }
}
