package dev.wishdir.app.bot;

import dev.wishdir.blocks.arena.RaceCourse;
import dev.wishdir.blocks.reach.NavigationGraph;
import dev.wishdir.game.BotController;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * A controller that runs the race course of a known arena, again and again, on paths that a body
 * can walk. A bot that does not get on goes aside for a moment and chooses another path.
 */
public final class BotRace implements BotController {
    /** Distance at which a place of the path is reached; places are half a metre apart. */
    private static final double REACHED_METRES = 0.6;

    /** A bot that is farther from its path chooses another one. */
    private static final double MAX_ASTRAY_METRES = 1.6;

    /** Bots jump to places that are higher by more than this. */
    private static final double MAX_STEP_METRES = 0.55;

    /** Share of the full speed: at full speed, bodies miss corners. */
    private static final double MIN_SPEED = 0.6;

    private static final double MAX_SPEED = 0.9;

    /** Maximum time between two places of a path. */
    private static final long PLACE_TIMEOUT_NANOS = 1_500_000_000;

    private static final long ASIDE_NANOS = 300_000_000;

    /** A bot without a path, as in the air, looks for one at this interval. */
    private static final long SEARCH_INTERVAL_NANOS = 200_000_000;

    private final Supplier<Optional<NavigationGraph>> current;
    private final BotController fallback;
    private final RandomGenerator random;
    private Optional<NavigationGraph> known = Optional.empty();

    /** The boxes of the course that are still ahead are those from here. */
    private int box;

    private List<Vec3> path = List.of();
    private int next;
    private long nextSince;
    private long asideUntil = Long.MIN_VALUE;
    private double aside;
    private double speed = MIN_SPEED;

    /**
     * @param current the paths of the current arena; empty until they are known
     * @param fallback steers until then, and where there is no course
     */
    public BotRace(
            Supplier<Optional<NavigationGraph>> current,
            BotController fallback,
            RandomGenerator random) {
        this.current = current;
        this.fallback = fallback;
        this.random = random;
    }

    @Override
    public PlayerInput steer(long now, Movement self) {
        Optional<NavigationGraph> paths = current.get();
        Optional<RaceCourse> course = paths.flatMap(NavigationGraph::course);
        if (course.isEmpty()) {
            return fallback.steer(now, self);
        }
        if (!paths.equals(known)) {
            known = paths;
            box = 0;
            path = List.of();
        }
        Vec3 at = self.position();
        List<Bounds> boxes = course.get().boxes();
        if (RaceCourse.contains(boxes.get(box), at)) {
            speed = box == 0 ? random.nextDouble(MIN_SPEED, MAX_SPEED) : speed;
            box = (box + 1) % boxes.size();
            search(now, at, paths.get(), boxes.get(box));
        } else if (RaceCourse.contains(course.get().start(), at)) {
            // A new life begins here.
            box = 1;
        }
        while (next < path.size() && isNear(at, path.get(next))) {
            next++;
            nextSince = now;
        }
        if (next >= path.size() || isAstray(at, path.get(next))) {
            if (now - nextSince > SEARCH_INTERVAL_NANOS) {
                search(now, at, paths.get(), boxes.get(box));
                if (path.isEmpty()) {
                    stepAside(now);
                }
            }
        } else if (now - nextSince > PLACE_TIMEOUT_NANOS) {
            stepAside(now);
            search(now, at, paths.get(), boxes.get(box));
        }
        if (now < asideUntil) {
            return new PlayerInput(aside, 0, speed, 0, random.nextBoolean(), false);
        }
        if (next >= path.size()) {
            return PlayerInput.look(self.yaw(), 0);
        }
        Vec3 out = path.get(next).minus(at);
        boolean jumps = out.z() > MAX_STEP_METRES;
        return new PlayerInput(Angles.yaw(out.x(), out.y()), 0, speed, 0, jumps, false);
    }

    /** Step aside where no path begins, or the bot does not get on. */
    private void stepAside(long now) {
        aside = random.nextDouble(360);
        asideUntil = now + ASIDE_NANOS;
    }

    private void search(long now, Vec3 at, NavigationGraph paths, Bounds to) {
        List<Vec3> places = paths.placesIn(to);
        path =
                places.isEmpty()
                        ? List.of()
                        : paths.path(at, places.get(random.nextInt(places.size())));
        next = 0;
        nextSince = now;
    }

    private static boolean isNear(Vec3 at, Vec3 place) {
        Vec3 out = place.minus(at);
        return out.horizontal() < REACHED_METRES && Math.abs(out.z()) < 1;
    }

    private static boolean isAstray(Vec3 at, Vec3 place) {
        Vec3 out = place.minus(at);
        return out.horizontal() > MAX_ASTRAY_METRES;
    }
}
