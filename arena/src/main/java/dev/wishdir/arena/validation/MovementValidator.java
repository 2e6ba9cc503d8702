package dev.wishdir.arena.validation;

import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Medium;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Speed check and collision check: validates the positions that a client reports against its game's
 * physics and the level. For games in which the client moves its player. Metres; one for each
 * player; not thread-safe.
 *
 * <p>A body moves at most as far as its {@linkplain MovementLimits limits} allow in the time that
 * has passed, or that a movement is said to cover, plus a {@linkplain MovementLimits#slack slack}.
 * If the network held movements up, {@link #MAX_LAG_NANOS} of them count at once, and after a
 * silence the time of the silence; other players never see a body farther ahead than that. Times
 * are those of the clients: a server adds {@code DutyCycle.sleptNanos()} to its own.
 *
 * <p>The believed position survives every pause. Reports are samples: a body that was on one side
 * of a pillar and next on the other may have walked around it. If two straight lines do not lead
 * there, or if it is higher than a jump, {@link PathSearch} must find a path that the body can have
 * taken in the time. A body that jumps again and again may never be reported on the ground, so the
 * time in the air counts only while it stays at one height. In water and on ladders a body rises
 * and stays as it likes, no faster than it runs.
 *
 * <p>A push is an amount of metres beyond running and jumping; each metre is spent once.
 *
 * <p>It has many fields: the variables of one check, which runs for each movement and allocates
 * nothing.
 */
public final class MovementValidator {
    /**
     * A movement that the physics does not allow.
     *
     * @param measured the value, in the unit of the rule
     * @param allowed the limit, with its allowance
     * @param allowance the part of {@code allowed} for lag and uneven steps
     * @param place a position that the rule allows
     * @param outside whether the position is outside the level or in something solid, which is
     *     never believed
     */
    public record Violation(
            ViolationRule rule,
            double measured,
            double allowed,
            double allowance,
            Vec3 place,
            boolean outside) {}

    /** The longest delay after which movements may arrive at once, nanoseconds: 2 s. */
    public static final long MAX_LAG_NANOS = 2_000_000_000L;

    /** The longest silence of a client whose time counts for its body, nanoseconds: 10 s. */
    public static final long MAX_SILENCE_NANOS = 10_000_000_000L;

    /** Movements that a silence held up arrive within this time after it, nanoseconds. */
    private static final long BURST_NANOS = 2_000_000_000L;

    /** The most of a pause between two movements that counts as time in the air, nanoseconds. */
    private static final long MAX_AIR_PAUSE_NANOS = 1_000_000_000L;

    /** Duration of a push: the longest flight from a jump pad, nanoseconds. */
    private static final long IMPULSE_NANOS = 3_000_000_000L;

    /** A throw of these metres lasts about this long: the air slows the body down. */
    private static final double THROW_SECONDS = 1.5;

    /** Largest push of a body by its own shots at once, beyond running and jumping. */
    private static final double MAX_RECOIL_METRES = 30;

    private static final double RECOIL_METRES_PER_SECOND = 5;

    /** Distance from a taken spawn point at which clients spawn. */
    private static final double SPAWN_METRES = 4;

    /**
     * Steps of the searches for one player at once, and per second in the long run, when 128
     * players that make the server search without end take about a quarter of a core.
     */
    private static final int MAX_SEARCH_STEPS = 2 * PathSearch.MAX_STEPS;

    private static final int SEARCH_STEPS_PER_SECOND = PathSearch.MAX_STEPS / 16;

    private static final double MAX_DEPTH_METRES = 0.25;
    private static final double MAX_OUTSIDE_METRES = 0.75;

    /** Up to this height above the ground a body stands on it. */
    private static final double CONTACT_METRES = 0.1;

    /** The precision of reported positions. */
    private static final double QUANTUM_METRES = 0.04;

    /** Difference in height of a crouched body. */
    private static final double CROUCH_METRES = 0.2;

    /** A body in the air that stays within this range of height hovers. */
    private static final double HOVER_METRES = 0.6;

    /** The height of a swimming body. */
    private static final double SWIMMING_METRES = 0.6;

    /** Depth to which ground is looked for. */
    private static final double MAX_FALL_METRES = 200;

    /** The width and height of the box that traces lines: it is in every body of any game. */
    private static final double CORE_METRES = 0.2;

    /** The height at which lines are traced: higher than a step. */
    private static final double KNEE_METRES = 0.6;

    private final MovementLimits limits;
    private Bounds bounds;
    private CollisionSpace space;
    private List<Movement> spawns;
    private final Allowance searches = new Allowance(MAX_SEARCH_STEPS, SEARCH_STEPS_PER_SECOND);
    private final Allowance recoil = new Allowance(MAX_RECOIL_METRES, RECOIL_METRES_PER_SECOND);
    private boolean begun;

    /** Since when the client may have a new body; empty if it may be anywhere. */
    private OptionalLong appears = OptionalLong.empty();

    private Vec3 position = Vec3.ZERO;

    /** The height of the ground from which it can have jumped last. */
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
     * @param level in which the body moves
     */
    public MovementValidator(MovementLimits limits, Level level) {
        this.limits = limits;
        bounds = level.bounds();
        space = level.space();
        spawns = level.spawns();
    }

    /** Sets the level; in another one the first position is believed. */
    public void setLevel(Level level) {
        if (!space.equals(level.space())) {
            bounds = level.bounds();
            space = level.space();
            spawns = level.spawns();
            reset();
        }
    }

    /** Forgets the position: the next one is believed. */
    public void reset() {
        begun = false;
        appears = OptionalLong.empty();
    }

    /**
     * Starts a new life at a spawn point of the level; in a level without any, anywhere.
     *
     * @param since from when on the client may have had the new body
     */
    public void appear(long since) {
        begun = false;
        appears = OptionalLong.of(since);
    }

    /** The feet at the last believed position, or where the server put them. */
    public Vec3 position() {
        return position;
    }

    /** Believes a position: the client decides. */
    public void accept(long now, Vec3 at) {
        teleportTo(now, at);
        budget = limits.slack();
    }

    /** Believes a position at which a life begins; what the body did since may come with it. */
    public void acceptSpawn(long now, Vec3 at) {
        teleportTo(now, at);
        budget = credit(MAX_LAG_NANOS);
    }

    /**
     * What the body may be ahead by after the first position of a life. Those that follow it come
     * at the same time if the network held them up, or the server's loop was late.
     *
     * @param nanos since the client may have the body
     */
    private double credit(long nanos) {
        return limits.slack() + limits.speed() * Math.min(nanos, MAX_LAG_NANOS) / 1e9;
    }

    /** Sets the position; what the body may be ahead by does not grow. */
    public void teleportTo(long now, Vec3 at) {
        begun = true;
        position = at;
        ground = at.z();
        movedAt = now;
        judgedAt = now;
        airborne = false;
    }

    /** Ends a time in which the body could have walked and stood where it was put. */
    public void rested(long now) {
        budget = Math.min(limits.slack(), budget + limits.speed() * (now - movedAt) / 1e9);
        movedAt = now;
    }

    /** The game is paused: a body in the air hangs there, and this is no time in the air. */
    public void hang(long now) {
        airborneSince += Math.max(0, now - judgedAt);
    }

    /** Allows recoil: a shot of its own or a hit pushes the body. */
    public void allowImpulse(long now) {
        pushedUntil = now + IMPULSE_NANOS + MAX_LAG_NANOS;
    }

    /**
     * Allows a throw by a jump pad.
     *
     * @param metres how much farther and higher it throws than the body runs and jumps
     */
    public void allowThrow(long now, double metres) {
        allowImpulse(now);
        thrown = Math.max(thrown, metres);
    }

    /** The speed that the body may have now, metres a second: running, and that of a throw. */
    public double speed(long now) {
        return limits.speed() + (now < pushedUntil ? thrown / THROW_SECONDS : 0);
    }

    /** The metres that pushes have left. */
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
     * Validates a reported position, and believes it if it is allowed.
     *
     * @return null if it is allowed
     */
    public @Nullable Violation validate(long now, Vec3 at) {
        return validate(now, at, begun ? Math.max(0, now - movedAt) / 1e9 : 0, false);
    }

    /**
     * Validates a movement that covers a known time.
     *
     * @param seconds the time
     * @return null if it is allowed
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
            budget = Math.clamp(reach - way, 0, first ? credit(silence) : most);
            position = at;
            movedAt = now;
        }
        return violation;
    }

    /** Counts a long pause before this movement as a silence. */
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

    /** Believes the position from which a body can have come that is first reported here. */
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
        return from.distance(to) <= reach
                && around(from.plus(up(KNEE_METRES)), to.plus(up(KNEE_METRES)), reach);
    }

    /** Whether no straight lines lead there. */
    private boolean isHidden(Vec3 at, double reach, double push) {
        if (space.equals(CollisionSpace.OPEN) || position.distance(at) <= KNEE_METRES) {
            return false;
        }
        return at.z() - Math.max(ground, position.z()) > limits.rise() + push
                || !around(position.plus(up(KNEE_METRES)), at.plus(up(KNEE_METRES)), reach + push);
    }

    /** The length of a path to a position that no straight lines lead to. */
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
        boolean lies = space.medium(at.plus(up(SWIMMING_METRES / 2))) == Medium.WATER;
        double tall = lies ? SWIMMING_METRES : limits.body().height() - CROUCH_METRES;
        double height = tall - limits.sunk();
        return space.fits(at.plus(up(limits.sunk())), limits.core(), height);
    }

    private @Nullable Violation outside(Vec3 at) {
        Vec3 inside = bounds.clamp(at);
        double outside = Math.hypot(at.x() - inside.x(), at.y() - inside.y());
        if (outside > MAX_OUTSIDE_METRES) {
            return new Violation(
                    ViolationRule.OUT_OF_BOUNDS,
                    outside,
                    MAX_OUTSIDE_METRES,
                    MAX_OUTSIDE_METRES,
                    inside,
                    true);
        }
        double under = bounds.min().z() - at.z();
        return under > MAX_DEPTH_METRES
                ? new Violation(
                        ViolationRule.UNDERGROUND,
                        under,
                        MAX_DEPTH_METRES,
                        MAX_DEPTH_METRES,
                        below(inside),
                        true)
                : null;
    }

    /** Whether two straight lines of at most this length lead there. */
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

    /** Whether a straight line is free, or one with a vertical part at either end. */
    private boolean isClear(Vec3 from, Vec3 to) {
        Vec3 over = new Vec3(to.x(), to.y(), from.z());
        Vec3 under = new Vec3(from.x(), from.y(), to.z());
        return isFree(from, to)
                || isFree(from, over) && isFree(over, to)
                || isFree(from, under) && isFree(under, to);
    }

    private boolean isFree(Vec3 from, Vec3 to) {
        return space.free(from, to, CORE_METRES, CORE_METRES) == 1;
    }

    /** The violation of a body that is too high or too long in the air. */
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
        if (!airborne || Math.max(at.z(), highest) - Math.min(at.z(), lowest) > HOVER_METRES) {
            hung = airborne ? hung : 0;
            airborne = true;
            airborneSince = now;
            lowest = at.z();
            highest = at.z();
        }
        lowest = Math.min(lowest, at.z());
        highest = Math.max(highest, at.z());
        boolean falls = position.z() - at.z() >= MovementLimits.FALLS * known;
        // A thrown body rises for long.
        hung = now < pushedUntil ? 0 : falls ? hung : hung + known;
        // It may have hung for only a part of the first and of the last movement.
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
     * Whether the body stands on ground, which may be an edge that it misses by the precision of
     * its position. A wall at its side is not ground, and does not hide ground at another side.
     */
    private boolean stands(Vec3 at) {
        Vec3 under = at.minus(up(CONTACT_METRES));
        double width = limits.body().width() - QUANTUM_METRES;
        double height = limits.body().height() / 2;
        if (space.fits(under, width + 2 * QUANTUM_METRES, height)) {
            return false;
        }
        for (double x = -QUANTUM_METRES; x <= QUANTUM_METRES; x += QUANTUM_METRES) {
            for (double y = -QUANTUM_METRES; y <= QUANTUM_METRES; y += QUANTUM_METRES) {
                Vec3 aside = new Vec3(x, y, 0);
                if (!space.fits(under.plus(aside), width, height)
                        && space.fits(at.plus(up(CONTACT_METRES)).plus(aside), width, height)) {
                    return true;
                }
            }
        }
        return !space.fits(under, width, height);
    }

    /** Whether a part of the body is in water or at a ladder, so that it need not fall. */
    private boolean isHeld(Vec3 at) {
        double half = limits.body().width() / 2;
        for (double up = CONTACT_METRES;
                up < limits.body().height();
                up += CollisionSpace.HALF_METRE) {
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

    /** The position to which a body falls. */
    private Vec3 below(Vec3 at) {
        Vec3 from = new Vec3(at.x(), at.y(), Math.max(at.z(), bounds.min().z()));
        double free =
                space.free(
                        from,
                        from.minus(up(MAX_FALL_METRES)),
                        Math.min(limits.core(), limits.body().width() - QUANTUM_METRES),
                        limits.body().height() - CROUCH_METRES);
        return from.minus(up(MAX_FALL_METRES * free));
    }

    private static Vec3 up(double metres) {
        return new Vec3(0, 0, metres);
    }
}
