package dev.wishdir.arena;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.world.CollisionSpace;
import dev.wishdir.world.Medium;

import org.jspecify.annotations.Nullable;

import java.util.List;

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
 * <p>Clients tell where they are now and then: who was told of on one side of a pillar and next on
 * the other may have gone around it. Through something solid has gone who can't have, on two
 * straight ways, in less than {@link #PATH_KNOWN_NANOS}. Of who jumps on and on no landing may ever
 * be told; so in the air too long is who stays at one height there. In water and at ladders bodies
 * rise and stay as they like, no faster than they run.
 */
public final class MovementValidator {
    /**
     * What a movement broke.
     *
     * @param rule in words
     * @param measured what it did
     * @param allowed what it may do, in the same unit
     * @param allowance what of {@code allowed} is no physics, but for lag and uneven steps
     * @param place where a body would be that keeps to the rule
     * @param outside whether it leads out of the level or into what is solid, which no client may
     *     decide
     */
    public record Violation(
            String rule,
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

    /** After so long nobody knows which way a body has gone, nanoseconds. */
    private static final long PATH_KNOWN_NANOS = 1_000_000_000L;

    /** So long after a push a body may fly; the longest flight of a jump pad, nanoseconds. */
    private static final long IMPULSE_NANOS = 3_000_000_000L;

    /** The fastest that pushes move a body for long. */
    private static final double PUSHED = 60;

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
    private boolean begun;
    private Vec3 position = Vec3.ZERO;

    /** How high the ground is that it could have jumped from last. */
    private double ground;

    private double budget;
    private long movedAt;
    private long judgedAt;
    private long silence;
    private long silenceEnd = Long.MIN_VALUE / 2;
    private long pushedUntil = Long.MIN_VALUE;
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

    /** Forgets the past: after a spawn or teleport any place is plausible. */
    public void reset() {
        begun = false;
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

    /** Something pushes it: a jump pad, a shot, a hit. For a while it may be fast and high. */
    public void allowImpulse(long now) {
        pushedUntil = now + IMPULSE_NANOS + MAX_LAG_NANOS;
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
        if (!begun) {
            accept(now, first(at));
        }
        pause(now);
        boolean pushed = now < pushedUntil;
        double speed = pushed ? PUSHED : limits.speed();
        double most = limits.slack() + speed * (known ? seconds : (MAX_LAG_NANOS + silence) / 1e9);
        double reach = Math.min(budget + speed * seconds, most);
        double step = Math.hypot(at.x() - position.x(), at.y() - position.y());
        if (step > reach) {
            double allowance = Math.max(0, reach - speed * seconds);
            boolean nowhere = outside(at) != null || !isIn(at);
            return new Violation("metres at once", step, reach, allowance, position, nowhere);
        }
        Violation violation = outside(at);
        if (violation == null) {
            violation = solid(now, at, step, reach);
        }
        if (violation == null && !space.equals(CollisionSpace.OPEN)) {
            violation = up(now, at, pushed, known ? seconds : 0);
        }
        if (violation == null) {
            budget = reach - step;
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

    /** Where a body can have come from that is there first. */
    private Vec3 first(Vec3 at) {
        Vec3 inside = bounds.clamp(at);
        return isIn(inside) || spawns.isEmpty() ? inside : spawns.getFirst().position();
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
            return new Violation("metres outside", outside, OUTSIDE, OUTSIDE, inside, true);
        }
        double under = bounds.min().z() - at.z();
        return under > UNDERGROUND
                ? new Violation(
                        "metres underground", under, UNDERGROUND, UNDERGROUND, below(inside), true)
                : null;
    }

    private @Nullable Violation solid(long now, Vec3 at, double step, double reach) {
        if (!isIn(at)) {
            return new Violation("metres into something solid", step, 0, 0, position, true);
        }
        boolean through =
                position.distance(at) > KNEE
                        && now - movedAt < PATH_KNOWN_NANOS
                        && !around(position.plus(up(KNEE)), at.plus(up(KNEE)), reach);
        return through
                ? new Violation(
                        "metres through something solid",
                        position.distance(at),
                        0,
                        0,
                        position,
                        false)
                : null;
    }

    /** Whether a body can have gone there on two straight ways no longer than this. */
    private boolean around(Vec3 from, Vec3 to, double reach) {
        if (isClear(from, to)
                || isClear(from, to, new Vec3(to.x(), from.y(), from.z()))
                || isClear(from, to, new Vec3(from.x(), to.y(), from.z()))) {
            return true;
        }
        Vec3 way = to.minus(from);
        double length = Math.max(1e-3, way.horizontal());
        Vec3 aside = new Vec3(-way.y() / length, way.x() / length, 0);
        Vec3 middle = from.plus(way.times(0.5));
        for (double far = 0.75; 2 * far <= reach; far *= 1.5) {
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
    private @Nullable Violation up(long now, Vec3 at, boolean pushed, double known) {
        if (pushed || stands(at) || isHeld(at)) {
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
        // Of a body whose way is told now and then, one landing higher up may not be told.
        double unseen = known > 0 ? 0 : limits.rise();
        double tallest = limits.rise() + unseen;
        if (risen > tallest) {
            boolean above = at.z() > bounds.max().z();
            return new Violation("metres high", risen, tallest, unseen, below(at), above);
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
        hung += position.z() - at.z() < MovementLimits.FALLS * known ? known : 0;
        // Of the first and of the last movement it may have hung for a part alone.
        double parts = 2 * known;
        if (hung > limits.hang() + parts) {
            double most = limits.hang() + parts;
            return new Violation("seconds in the air", hung, most, parts, below(at), false);
        }
        double lag = MAX_LAG_NANOS / 1e9;
        double seconds = (now - airborneSince) / 1e9;
        return seconds > limits.hang() + lag
                ? new Violation(
                        "seconds in the air", seconds, limits.hang() + lag, lag, below(at), false)
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
