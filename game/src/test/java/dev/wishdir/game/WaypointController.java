package dev.wishdir.game;

import dev.wishdir.blocks.reach.BodyReachability;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Walks in an arena of blocks as the checker says that one can: from one place to another that it
 * is told or that is drawn by a seed, and on to the next.
 */
public final class WaypointController implements BotController {
    private static final long SECOND = 1_000_000_000L;

    /** Metres to a half metre of the way that is passed. */
    private static final double NEAR = 0.3;

    /** Metres aside from the way, or below it, where another is looked for. */
    private static final double ASTRAY = 1.2;

    /** Metres up that need a jump. */
    private static final double STEP = 0.55;

    /** Nanoseconds without getting on after which it looks for another way. */
    private static final long TIMEOUT_NANOS = 3 * SECOND;

    /**
     * How long it goes aside then, as a player does: who passes an edge of a block with its side in
     * line with it is held there by Quake II, and nothing is in its way.
     */
    private static final long ASIDE = SECOND / 4;

    private static final long IN_THE_AIR = SECOND / 4;

    /** What a way may take: so long, and so long for each half metre of it. */
    private static final long PATH_TIMEOUT_NANOS = 60 * SECOND;

    private static final long HALF_METRE_TIMEOUT_NANOS = SECOND;

    private final BodyReachability ways;
    private final double near;
    private final RandomGenerator random;
    private final Iterator<Vec3> goals;
    private final List<String> stuck = new ArrayList<>();
    private List<Vec3> way = List.of();
    private @Nullable Vec3 goal;
    private int passed;
    private double speed = 1;
    private long since;
    private long until;
    private long asideUntil = Long.MIN_VALUE;
    private double aside;
    private int arrived;
    private double climbed;
    private double height;

    /**
     * @param ways of the body that is steered
     */
    public WaypointController(BodyReachability ways, RandomGenerator random) {
        List<Vec3> places = ways.places();
        this(ways, NEAR, random, Stream.generate(() -> places.get(random.nextInt(places.size()))));
    }

    /**
     * To some places in turn, and then it stands.
     *
     * @param ways of the body that is steered
     * @param near metres to a half metre of the way that is passed, as exact as the body's hands
     */
    public WaypointController(BodyReachability ways, double near, List<Vec3> goals) {
        this(ways, near, new Random(1), goals.stream());
    }

    private WaypointController(
            BodyReachability ways, double near, RandomGenerator random, Stream<Vec3> goals) {
        this.ways = ways;
        this.near = near;
        this.random = random;
        this.goals = goals.iterator();
    }

    /** How many places it came to. */
    public int arrived() {
        return arrived;
    }

    /** Whether it has come to its last waypoint. */
    public boolean isThere() {
        return goal == null && !goals.hasNext();
    }

    /** Metres that it went up, all in all. */
    public double climbed() {
        return climbed;
    }

    /** From where it did not get to where the checker says that one can. */
    public List<String> stuck() {
        return stuck;
    }

    @Override
    public PlayerInput steer(long now, Movement self) {
        Vec3 at = self.position();
        climbed += goal == null ? 0 : Math.max(0, at.z() - height);
        height = at.z();
        while (passed < way.size() && isAt(at, way.get(passed))) {
            passed++;
            since = now;
        }
        boolean comes = !way.isEmpty() && passed == way.size();
        if (goal == null || comes || now > until) {
            if (goal != null && !comes) {
                stuck.add("at %s on the way to %s".formatted(at, goal));
            }
            arrived += comes ? 1 : 0;
            if (!goals.hasNext()) {
                goal = null;
                way = List.of();
                return PlayerInput.look(self.yaw(), 0);
            }
            goal = goals.next();
            // Some walk, some run, and these overshoot.
            speed = random.nextDouble(0.3, 1);
            look(now, at, goal);
            until = now + PATH_TIMEOUT_NANOS + way.size() * HALF_METRE_TIMEOUT_NANOS;
        } else if (!way.isEmpty() && now - since > TIMEOUT_NANOS) {
            aside = random.nextDouble(360);
            asideUntil = now + ASIDE;
            look(now, at, goal);
        } else if (way.isEmpty() ? now - since > IN_THE_AIR : isAstray(at)) {
            look(now, at, goal);
        }
        if (now < asideUntil) {
            return new PlayerInput(aside, 0, speed, 0, false, false);
        }
        if (way.isEmpty()) {
            return PlayerInput.look(self.yaw(), 0);
        }
        Vec3 next = way.get(passed).minus(at);
        double direction = Angles.yaw(next.x(), next.y());
        boolean jump = next.z() > STEP && next.horizontal() < 1;
        return new PlayerInput(direction, 0, speed, 0, jump, false);
    }

    private void look(long now, Vec3 at, Vec3 to) {
        way = ways.path(at, to);
        passed = 0;
        since = now;
    }

    private boolean isAt(Vec3 at, Vec3 place) {
        Vec3 off = place.minus(at);
        return off.horizontal() < near && Math.abs(off.z()) < STEP;
    }

    private boolean isAstray(Vec3 at) {
        Vec3 off = way.get(passed).minus(at);
        return off.horizontal() > ASTRAY || off.z() > ASTRAY;
    }
}
