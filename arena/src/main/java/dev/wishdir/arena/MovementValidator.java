package dev.wishdir.arena;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.world.CollisionSpace;
import dev.wishdir.world.Medium;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Judges where a player's client says that it is, the same for every game whose clients say so: how
 * a body walks, jumps and falls in the level that is played. Metres; not thread-safe, one a player.
 *
 * <p>A body gets ahead by what its physics allows in the time that has passed, or in the time that
 * a movement is said to cover, and may be a {@linkplain MovementLimits#slack slack} ahead of that.
 * Of movements that were held up on the way, those of {@link #MAX_LAG_NANOS} count at once, and
 * after a silence those of the silence too. So others never see more than that much too much. Times
 * are those of the peers: a server adds {@code DutyCycle.sleptNanos()} to its own.
 *
 * <p>The believed position survives every pause. Clients report where they are now and then: a body
 * that was on one side of a pillar and next on the other may have gone around it. If two straight
 * lines do not lead there, or if it is higher than a jump, {@link PathSearch} must find a path that
 * it can have taken in the time. A body that jumps on and on may never be reported as landing; so
 * too long in the air is a body that stays at one height there. In water and at ladders bodies rise
 * and stay as they like, no faster than they run.
 *
 * <p>What pushes a body is an amount of metres beyond what it runs and jumps; each is spent once.
 */
public final class MovementValidator {
    /**
     * What a movement broke.
     *
     * @param measured what it did
     * @param allowed what it may do, in the same unit
     * @param allowance what of {@code allowed} is no physics, but for lag and uneven steps
     * @param place where a body would be that keeps to the rule
     * @param outside whether it leads out of the level or into what is solid, which no client may
     *     decide
     */
    public record Violation(
            ViolationRule rule,
            double measured,
            double allowed,
            double allowance,
            Vec3 place,
            boolean outside) {}

    /** So long what a client sends may be held up, and then come at once, nanoseconds: 2 s. */
    public static final long MAX_LAG_NANOS = 2_000_000_000L;

    /** The longest silence of a client in which its body may have gone on, nanoseconds: 10 s. */
    public static final long MAX_SILENCE_NANOS = 10_000_000_000L;

    /** What a silence held up arrives within this time after it, nanoseconds. */
    private static final long BURST_NANOS = 2_000_000_000L;

    /** The most of a pause between two movements that counts as time in the air, nanoseconds. */
    private static final long MAX_AIR_PAUSE_NANOS = 1_000_000_000L;

    /** So long after a push a body may fly; the longest flight of a jump pad, nanoseconds. */
    private static final long IMPULSE_NANOS = 3_000_000_000L;

    /** How far its own shots push a body beyond its speed or its jump, at most at once. */
    private static final double MAX_RECOIL_METRES = 30;

    private static final double RECOIL_METRES_PER_SECOND = 5;

    /** How far from a spawn point clients put a body that finds it taken. */
    private static final double SPAWN_METRES = 4;

    /** Steps of the searches for one player at once, and per second. */
    private static final int MAX_SEARCH_STEPS = 2 * PathSearch.MAX_STEPS;

    private static final int SEARCH_STEPS_PER_SECOND = PathSearch.MAX_STEPS / 4;

    private static final double UNDERGROUND = 0.25;
    private static final double OUTSIDE = 0.75;

    /** So far above the ground a body stands on it. */
    private static final double CONTACT = 0.1;

    /** How much wider or narrower a body is than it says: it is told with little precision. */
    private static final double QUANTUM = 0.04;

    /** How much lower than its own a body may be, crouched. */
    private static final double CROUCH = 0.2;

    /** Who keeps to so little of height is not jumping. */
    private static final double HOVER = 0.6;

    /** How high a body is at least that swims, metres. */
    private static final double LYING = 0.6;

    private static final double DEEP = 200;

    /** What a way through something solid is looked at with: it is in every body of any game. */
    private static final double CORE = 0.2;

    /** So high no body steps. */
    private static final double KNEE = 0.6;

    private final MovementLimits limits;
    private Bounds bounds;
    private CollisionSpace space;
    private List<Movement> spawns;
    private final Allowance searches = new Allowance(MAX_SEARCH_STEPS, SEARCH_STEPS_PER_SECOND);
    private final Allowance recoil = new Allowance(MAX_RECOIL_METRES, RECOIL_METRES_PER_SECOND);
    private boolean begun;

    /** Since when it may have a new body; empty if it may appear anywhere. */
    private OptionalLong appears = OptionalLong.empty();

    private Vec3 position = Vec3.ZERO;

    /** How high the ground is that it could have jumped from last. */
    private double ground;

    private double budget;
    private long movedAt;
    private long judgedAt;
    private long silence;
    private long silenceEnd = Long.MIN_VALUE / 2;
    private long pushedUntil = Long.MIN_VALUE;
    private double thrown;
    private boolean airborne;
    private long airborneSince;
    private double hung;
    private double lowest;
    private double highest;

    /**
     * @param level in which it moves
     */
    public MovementValidator(MovementLimits limits, Level level) {
        this.limits = limits;
        bounds = level.bounds();
        space = level.space();
        spawns = level.spawns();
    }

    /** Another level is played, in which any place is plausible at first. */
    public void setLevel(Level level) {
        if (!space.equals(level.space())) {
            bounds = level.bounds();
            space = level.space();
            spawns = level.spawns();
            reset();
        }
    }

    /** Forgets the past: any place is plausible next. */
    public void reset() {
        begun = false;
        appears = OptionalLong.empty();
    }

    /**
     * It gets a new body, which walks on from a spawn point of the level; in a level without any,
     * it may appear anywhere.
     *
     * @param since when its client may have had the body first
     */
    public void appear(long since) {
        begun = false;
        appears = OptionalLong.of(since);
    }

    /** The feet, where they were last believed to be or were put. */
    public Vec3 position() {
        return position;
    }

    /** Believes that it is there: the client decides. */
    public void accept(long now, Vec3 at) {
        teleportTo(now, at);
        budget = limits.slack();
    }

    /** It was put there, and has no more to be ahead by than before. */
    public void teleportTo(long now, Vec3 at) {
        begun = true;
        position = at;
        ground = at.z();
        movedAt = now;
        judgedAt = now;
        airborne = false;
    }

    /** It went on from where it was put; meanwhile it could have walked, and stood. */
    public void rested(long now) {
        budget = Math.min(limits.slack(), budget + limits.speed() * (now - movedAt) / 1e9);
        movedAt = now;
    }

    /** A shot of its own, or a hit, pushes it: for a while it may spend metres of recoil. */
    public void allowImpulse(long now) {
        pushedUntil = now + IMPULSE_NANOS + MAX_LAG_NANOS;
    }

    /**
     * A jump pad throws it.
     *
     * @param metres how much farther and higher it gets by that than by itself
     */
    public void allowThrow(long now, double metres) {
        allowImpulse(now);
        thrown = Math.max(thrown, metres);
    }

    /** How many metres it has by what pushes it. */
    private double push(long now) {
        if (now >= pushedUntil) {
            thrown = 0;
            return 0;
        }
        return thrown + recoil.left(now);
    }

    private void spendPush(long now, double metres) {
        recoil.spend(now, Math.max(0, metres - thrown));
        thrown = Math.max(0, thrown - Math.max(0, metres));
    }

    /**
     * Judges where a client says that it is now; where nothing is broken, it is believed.
     *
     * @return what it broke, or null
     */
    public @Nullable Violation validate(long now, Vec3 at) {
        return validate(now, at, begun ? Math.max(0, now - movedAt) / 1e9 : 0, false);
    }

    /**
     * Judges a movement that covers a known time.
     *
     * @param seconds the time
     * @return what it broke, or null
     */
    public @Nullable Violation validate(long now, Vec3 at, double seconds) {
        return validate(now, at, seconds, true);
    }

    private @Nullable Violation validate(long now, Vec3 at, double seconds, boolean known) {
        boolean first = !begun;
        if (first) {
            begin(now, at);
        }
        pause(now);
        double speed = limits.speed();
        double most = limits.slack() + speed * (known ? seconds : (MAX_LAG_NANOS + silence) / 1e9);
        double reach = Math.min(budget + speed * seconds, most);
        double step = Math.hypot(at.x() - position.x(), at.y() - position.y());
        double push = push(now);
        if (step > reach + push) {
            double allowed = reach + push;
            double allowance = Math.max(0, allowed - speed * seconds);
            boolean nowhere = outside(at) != null || !isIn(at);
            return new Violation(
                    ViolationRule.DISTANCE, step, allowed, allowance, position, nowhere);
        }
        Violation violation = outside(at);
        if (violation == null && !isIn(at)) {
            violation = new Violation(ViolationRule.IN_SOLID, step, 0, 0, position, true);
        }
        double way = step;
        if (violation == null && isHidden(at, reach, push)) {
            way = path(now, at, reach + push, limits.rise() + push).orElse(Double.NaN);
            violation = Double.isNaN(way) ? unreachable(at, push) : null;
        }
        if (violation == null && !space.equals(CollisionSpace.OPEN)) {
            violation = up(now, at, known ? seconds : 0);
        }
        if (violation == null) {
            spendPush(now, way - reach);
            // What it did not walk since it appeared, it does not catch up with later.
            budget = Math.clamp(reach - way, 0, first ? limits.slack() : most);
            position = at;
            movedAt = now;
        }
        return violation;
    }

    /** Takes a pause before this movement for a silence, and gives its time back. */
    private void pause(long now) {
        long pause = Math.clamp(now - judgedAt, 0, MAX_SILENCE_NANOS);
        judgedAt = now;
        if (pause > MAX_LAG_NANOS) {
            silence = pause;
            silenceEnd = now;
        } else if (now - silenceEnd > BURST_NANOS) {
            silence = 0;
        }
        airborneSince += Math.max(0, pause - MAX_AIR_PAUSE_NANOS);
    }

    /** Where a body can have come from that is reported there first. */
    private void begin(long now, Vec3 at) {
        Vec3 inside = bounds.clamp(at);
        if (appears.isEmpty() || spawns.isEmpty()) {
            boolean anywhere = isIn(inside) || spawns.isEmpty();
            accept(now, anywhere ? inside : spawns.getFirst().position());
            return;
        }
        long since = Math.clamp(now - appears.getAsLong(), 0, MAX_SILENCE_NANOS);
        appears = OptionalLong.empty();
        double walked = SPAWN_METRES + limits.speed() * since / 1e9;
        List<Vec3> nearest =
                spawns.stream()
                        .map(Movement::position)
                        .sorted(Comparator.comparingDouble(inside::distance))
                        .toList();
        accept(
                now,
                nearest.stream()
                        .filter(spawn -> leadsStraight(spawn, at, walked))
                        .findFirst()
                        .orElse(nearest.getFirst()));
        budget += walked;
        silence = since;
        silenceEnd = now;
    }

    private boolean leadsStraight(Vec3 from, Vec3 to, double reach) {
        return from.distance(to) <= reach && around(from.plus(up(KNEE)), to.plus(up(KNEE)), reach);
    }

    /** Whether straight lines do not explain how it got there. */
    private boolean isHidden(Vec3 at, double reach, double push) {
        if (space.equals(CollisionSpace.OPEN) || position.distance(at) <= KNEE) {
            return false;
        }
        return at.z() - Math.max(ground, position.z()) > limits.rise() + push
                || !around(position.plus(up(KNEE)), at.plus(up(KNEE)), reach + push);
    }

    /** The length of a path to a place that it does not reach straight. */
    private OptionalDouble path(long now, Vec3 at, double longest, double climb) {
        int steps = (int) Math.min(PathSearch.MAX_STEPS, searches.left(now));
        double climbed = position.z() - ground;
        PathSearch.Result found =
                PathSearch.search(space, position, at, climbed, climb, longest, steps);
        searches.spend(now, found.steps());
        if (found.length().isPresent()) {
            // It may have come down from as high as this.
            ground = Math.max(ground, at.z());
            airborne = false;
        }
        return found.length();
    }

    private Violation unreachable(Vec3 at, double push) {
        double risen = at.z() - ground;
        double tallest = limits.rise() + push;
        return risen > tallest
                ? new Violation(ViolationRule.JUMP_HEIGHT, risen, tallest, 0, below(at), false)
                : new Violation(
                        ViolationRule.THROUGH_SOLID, position.distance(at), 0, 0, position, false);
    }

    private boolean isIn(Vec3 at) {
        boolean lies = space.medium(at.plus(up(LYING / 2))) == Medium.WATER;
        double tall = lies ? LYING : limits.body().height() - CROUCH;
        double height = tall - limits.sunk();
        return space.fits(at.plus(up(limits.sunk())), limits.core(), height);
    }

    private @Nullable Violation outside(Vec3 at) {
        Vec3 inside = bounds.clamp(at);
        double outside = Math.hypot(at.x() - inside.x(), at.y() - inside.y());
        if (outside > OUTSIDE) {
            return new Violation(
                    ViolationRule.OUT_OF_BOUNDS, outside, OUTSIDE, OUTSIDE, inside, true);
        }
        double under = bounds.min().z() - at.z();
        return under > UNDERGROUND
                ? new Violation(
                        ViolationRule.UNDERGROUND,
                        under,
                        UNDERGROUND,
                        UNDERGROUND,
                        below(inside),
                        true)
                : null;
    }

    /** Whether a body can have gone there on two straight ways no longer than this. */
    private boolean around(Vec3 from, Vec3 to, double reach) {
        Vec3 way = to.minus(from);
        double sides = Math.abs(way.x()) + Math.abs(way.y());
        if (isClear(from, to)
                || sides <= reach
                        && (isClear(from, to, new Vec3(to.x(), from.y(), from.z()))
                                || isClear(from, to, new Vec3(from.x(), to.y(), from.z())))) {
            return true;
        }
        double length = Math.max(1e-3, way.horizontal());
        Vec3 aside = new Vec3(-way.y() / length, way.x() / length, 0);
        Vec3 middle = from.plus(way.times(0.5));
        for (double far = 0.75; 2 * Math.hypot(length / 2, far) <= reach; far *= 1.5) {
            for (double height : new double[] {from.z(), to.z()}) {
                Vec3 at = new Vec3(middle.x(), middle.y(), height);
                if (isClear(from, to, at.plus(aside.times(far)))
                        || isClear(from, to, at.minus(aside.times(far)))) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isClear(Vec3 from, Vec3 to, Vec3 by) {
        return isClear(from, by) && isClear(by, to);
    }

    /** Straight, or up or down at one of the ends. */
    private boolean isClear(Vec3 from, Vec3 to) {
        Vec3 over = new Vec3(to.x(), to.y(), from.z());
        Vec3 under = new Vec3(from.x(), from.y(), to.z());
        return isFree(from, to)
                || isFree(from, over) && isFree(over, to)
                || isFree(from, under) && isFree(under, to);
    }

    private boolean isFree(Vec3 from, Vec3 to) {
        return space.free(from, to, CORE, CORE) == 1;
    }

    /** Whether it flies: a body that jumps comes down. */
    private @Nullable Violation up(long now, Vec3 at, double known) {
        if (stands(at) || isHeld(at)) {
            airborne = false;
            ground = at.z();
            return null;
        }
        ground = Math.min(ground, at.z());
        double under = below(at).z();
        if (at.z() - under <= limits.rise()) {
            ground = Math.max(ground, under);
        }
        double risen = at.z() - ground;
        // Of a body that reports now and then, one landing higher up may be missing.
        double unseen = known > 0 ? 0 : limits.rise();
        double tallest = limits.rise() + unseen;
        double push = push(now);
        if (risen > tallest + push) {
            boolean above = at.z() > bounds.max().z();
            return new Violation(
                    ViolationRule.JUMP_HEIGHT, risen, tallest, unseen, below(at), above);
        }
        if (risen > tallest) {
            spendPush(now, risen - tallest);
            ground += risen - tallest;
        }
        if (!airborne || Math.max(at.z(), highest) - Math.min(at.z(), lowest) > HOVER) {
            hung = airborne ? hung : 0;
            airborne = true;
            airborneSince = now;
            lowest = at.z();
            highest = at.z();
        }
        lowest = Math.min(lowest, at.z());
        highest = Math.max(highest, at.z());
        boolean falls = position.z() - at.z() >= MovementLimits.FALLS * known;
        // What is thrown rises for long.
        hung = now < pushedUntil ? 0 : falls ? hung : hung + known;
        // Of the first and of the last movement it may have hung for a part only.
        double parts = 2 * known;
        if (hung > limits.hang() + parts) {
            double most = limits.hang() + parts;
            return new Violation(ViolationRule.AIR_TIME, hung, most, parts, below(at), false);
        }
        double lag = MAX_LAG_NANOS / 1e9;
        double seconds = (now - airborneSince) / 1e9;
        return seconds > limits.hang() + lag
                ? new Violation(
                        ViolationRule.AIR_TIME, seconds, limits.hang() + lag, lag, below(at), false)
                : null;
    }

    /**
     * Whether there is ground under it, be it the edge of some, of which a body that is told with
     * little precision may be a little beside. A wall at its side is no ground, and does not hide
     * that at another.
     */
    private boolean stands(Vec3 at) {
        Vec3 under = at.minus(up(CONTACT));
        double width = limits.body().width() - QUANTUM;
        double height = limits.body().height() / 2;
        if (space.fits(under, width + 2 * QUANTUM, height)) {
            return false;
        }
        for (double x = -QUANTUM; x <= QUANTUM; x += QUANTUM) {
            for (double y = -QUANTUM; y <= QUANTUM; y += QUANTUM) {
                Vec3 aside = new Vec3(x, y, 0);
                if (!space.fits(under.plus(aside), width, height)
                        && space.fits(at.plus(up(CONTACT)).plus(aside), width, height)) {
                    return true;
                }
            }
        }
        return !space.fits(under, width, height);
    }

    /** Whether some of it is in water or at a ladder, so that it need not fall. */
    private boolean isHeld(Vec3 at) {
        double half = limits.body().width() / 2;
        for (double up = CONTACT; up < limits.body().height(); up += CollisionSpace.HALF) {
            for (int side = 0; side < 5; side++) {
                double x = side == 1 ? half : side == 2 ? -half : 0;
                double y = side == 3 ? half : side == 4 ? -half : 0;
                if (space.medium(at.plus(new Vec3(x, y, up))) != Medium.AIR) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Where a body comes down. */
    private Vec3 below(Vec3 at) {
        Vec3 from = new Vec3(at.x(), at.y(), Math.max(at.z(), bounds.min().z()));
        double free =
                space.free(
                        from,
                        from.minus(up(DEEP)),
                        Math.min(limits.core(), limits.body().width() - QUANTUM),
                        limits.body().height() - CROUCH);
        return from.minus(up(DEEP * free));
    }

    private static Vec3 up(double metres) {
        return new Vec3(0, 0, metres);
    }
}
