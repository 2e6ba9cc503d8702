package dev.wishdir.app.bot;

import dev.wishdir.blocks.reach.NavigationGraph;
import dev.wishdir.game.BotController;
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
    /** Share of the full speed: at full speed, bodies miss corners. */
    private static final double SPEED = 0.6;

    private final Supplier<Optional<NavigationGraph>> current;
    private final BotController fallback;
    private final RandomGenerator random;
    private final PathFollower follower;
    private Optional<NavigationGraph> known = Optional.empty();
    private List<Vec3> goals = List.of();

    /**
     * @param current the paths of the current arena; empty until they are known
     * @param fallback steers until then
     */
    public BotTour(
            Supplier<Optional<NavigationGraph>> current,
            BotController fallback,
            RandomGenerator random) {
        this.current = current;
        this.fallback = fallback;
        this.random = random;
        follower = new PathFollower(random);
    }

    @Override
    public PlayerInput steer(long now, Movement self) {
        Optional<NavigationGraph> paths = current.get();
        if (!paths.equals(known)) {
            known = paths;
            goals = paths.map(NavigationGraph::placesWithReturn).orElse(List.of());
            follower.start(now, List.of());
        }
        Vec3 at = self.position();
        Optional<PlayerInput> step = follower.follow(now, self, SPEED);
        if (step.isEmpty() && paths.isPresent() && !goals.isEmpty()) {
            follower.start(now, paths.get().path(at, goals.get(random.nextInt(goals.size()))));
            step = follower.follow(now, self, SPEED);
        }
        return step.orElseGet(() -> fallback.steer(now, self));
    }
}
