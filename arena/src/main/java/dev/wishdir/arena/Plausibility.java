package dev.wishdir.arena;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.world.Medium;
import dev.wishdir.world.Space;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Judges where a player's client says that it is, the same for every game whose clients say so: how
 * a body walks, jumps and falls in the level that is played. Metres; not thread-safe, one a player.
 *
 * <p>A body gets ahead by what its physics allows in the time that has passed, or in the time that
 * a movement is said to cover, and may be a {@linkplain Physics#slack slack} ahead of that. Of
 * movements that were held up on the way, those of {@link #LAG} count at once, and after a silence
 * those of the silence too, up to {@link #MAX_SILENCE}. So others never see more than that much too
 * much.
 *
 * <p>The believed place survives each pause. Clients report where they are now and then: a body
 * that was on one side of a pillar and next on the other may have gone around it. Where two
 * straight ways don't lead, or it is higher than it jumps, there must be a {@linkplain PathSearch
 * way} that it can have gone in the time. A body that jumps on and on may never be reported as
 * landing; so too long in the air is a body that stays at one height there. In water and at ladders
 * bodies rise and stay as they like, no faster than they run.
 *
 * <p>What pushes a body is an allowance of metres, beyond what it runs and jumps, and is spent
 * once.
 *
 * <p>Times are those of the peers: a server that slept adds {@code DutyCycle.sleptNanos()} to its
 * own.
 *
 * <p>Longer than others, as all rules share the state of one body.
 */
public final class Plausibility {
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
    public record Breach(
            String rule,
            double measured,
            double allowed,
            double allowance,
            Vec3 place,
            boolean outside) {}

    /** So long what a client sends may be held up, and then come at once, nanoseconds: 2 s. */
    public static final long LAG = 2_000_000_000L;

    /** The longest silence of a client in which its body may have gone on, nanoseconds: 10 s. */
    public static final long MAX_SILENCE = 10_000_000_000L;

    /** So long what was held up by a silence may take to come after it, nanoseconds. */
    private static final long BURST_NANOS = 2_000_000_000L;

    /** The most that one pause counts as time in the air, nanoseconds. */
    private static final long MAX_AIR_GAP_NANOS = 1_000_000_000L;

    /** So long after a push a body may fly; the longest flight of a jump pad, nanoseconds. */
    private static final long PUSH = 3_000_000_000L;

    /** What a player's own shots push its body at most, metres, and a second in the long run. */
    private static final double MAX_RECOIL_METRES = 30;

    private static final double RECOIL_METRES_A_SECOND = 5;

    /** How far from a place where bodies appear a game puts them that find it taken, metres. */
    private static final double SPAWN_METRES = 4;

    /** What may have been held up of the first positions of a body, nanoseconds. */
    private static final long FIRST_LAG_NANOS = 200_000_000L;

    /** Places that searches of ways look at, at once and a second. */
    private static final int MAX_SEARCHED = 2 * PathSearch.MAX_PLACES;

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

    private final Physics physics;
    private Bounds bounds;
    private Space space;
    private List<Movement> spawns;
    private PathSearch paths;
    private final TokenBucket searches = new TokenBucket(MAX_SEARCHED, MAX_SEARCHED / 4.0);
    private final TokenBucket recoil = new TokenBucket(MAX_RECOIL_METRES, RECOIL_METRES_A_SECOND);
    private boolean begun;

    /** Since when it may be in a place where bodies appear; none where any place is plausible. */
    private OptionalLong appears = OptionalLong.empty();

    private Vec3 position = Vec3.ZERO;

    /** How high the ground is that it could have jumped from last. */
    private double ground;

    private double budget;
    private long movedAt;
    private long silence;
    private long silenceEnd = Long.MIN_VALUE / 2;
    private long pushedUntil = Long.MIN_VALUE;
    private double thrown;
    private boolean airborne;
    private long aloft;
    private double hung;
    private double lowest;
    private double highest;

    /**
     * @param level in which it moves
     */
    public Plausibility(Physics physics, Level level) {
        this.physics = physics;
        bounds = level.bounds();
        space = level.space();
        spawns = level.spawns();
        paths = new PathSearch(space);
    }

    /** Another level is played, in which any place is plausible at first. */
    public void enter(Level level) {
        if (!space.equals(level.space())) {
            bounds = level.bounds();
            space = level.space();
            spawns = level.spawns();
            paths = new PathSearch(space);
            forget();
        }
    }

    /** Forgets the past: any place is plausible. */
    public void forget() {
        begun = false;
        appears = OptionalLong.empty();
    }

    /**
     * It gets a new body, where the level has places for that, and walks on from there; elsewhere
     * any place is plausible.
     *
     * @param since when its client may have had it first
     */
    public void appear(long since) {
        begun = false;
        appears = OptionalLong.of(since);
    }

    /** Whether it could be there at all: in the level, and in nothing solid. */
    public boolean fits(Vec3 at) {
        return outside(at) == null && isIn(at);
    }

    /** The feet, where they were last believed to be or were put. */
    public Vec3 position() {
        return position;
    }

    /** Believes that it is there: the client decides. */
    public void believe(long now, Vec3 at) {
        put(now, at);
        budget = physics.slack();
    }

    /** It was put there, and has no more to be ahead by than before. */
    public void put(long now, Vec3 at) {
        begun = true;
        position = at;
        ground = at.z();
        movedAt = now;
        airborne = false;
    }

    /** It went on from where it was put; meanwhile it could have walked, and stood. */
    public void rested(long now) {
        budget = Math.min(physics.slack(), budget + physics.speed() * (now - movedAt) / 1e9);
        movedAt = now;
    }

    /**
     * A shot of its own may push it. For a while it may be fast and high, by metres that it has.
     */
    public void pushed(long now) {
        pushedUntil = now + PUSH + LAG;
    }

    /**
     * The level throws it.
     *
     * @param metres how much further and higher it gets by that
     */
    public void thrown(long now, double metres) {
        pushed(now);
        thrown = Math.max(thrown, metres);
    }

    /** Takes metres from what pushes it; whether there were so many. */
    private boolean isPushed(long now, double metres) {
        if (metres <= 0) {
            return true;
        }
        if (now >= pushedUntil) {
            thrown = 0;
            return false;
        }
        double rest = Math.max(0, metres - thrown);
        if (rest > 0 && !recoil.take(now, rest)) {
            return false;
        }
        thrown = Math.max(0, thrown - metres);
        return true;
    }

    /** How many metres it has by what pushes it. */
    private double push(long now) {
        return now < pushedUntil ? thrown + recoil.left(now) : 0;
    }

    /**
     * Judges where a client says that it is now; where nothing is broken, it is believed.
     *
     * @return what it broke, or null
     */
    public @Nullable Breach judge(long now, Vec3 at) {
        return judge(now, at, begun ? Math.max(0, now - movedAt) / 1e9 : 0, false);
    }

    /**
     * Judges a movement that covers a known time.
     *
     * @param seconds the time
     * @return what it broke, or null
     */
    public @Nullable Breach judge(long now, Vec3 at, double seconds) {
        return judge(now, at, seconds, true);
    }

    private @Nullable Breach judge(long now, Vec3 at, double seconds, boolean known) {
        if (!begun) {
            begin(now, at);
        }
        long gap = Math.clamp(now - movedAt, 0, MAX_SILENCE);
        if (gap > LAG || now - silenceEnd > BURST_NANOS) {
            silence = gap > LAG ? gap : 0;
            silenceEnd = now;
        }
        double speed = physics.speed();
        double most = physics.slack() + speed * (known ? seconds : (LAG + silence) / 1e9);
        double reach = Math.min(budget + speed * seconds, most);
        double step = Math.hypot(at.x() - position.x(), at.y() - position.y());
        if (step > reach + push(now)) {
            double allowance = Math.max(0, reach - speed * seconds);
            boolean nowhere = outside(at) != null || !isIn(at);
            return new Breach("metres at once", step, reach, allowance, position, nowhere);
        }
        Breach breach = outside(at);
        if (breach == null && !isIn(at)) {
            breach = new Breach("metres into something solid", step, 0, 0, position, true);
        }
        double way = step;
        if (breach == null && isHidden(at, reach)) {
            double unseen = known ? 0 : physics.rise();
            way = way(now, at, reach, unseen);
            breach = Double.isNaN(way) ? unreachable(at, unseen) : null;
        }
        if (breach == null && !space.equals(Space.OPEN)) {
            breach = up(now, at, gap, known ? seconds : 0);
        }
        if (breach == null && isPushed(now, way - reach)) {
            budget = Math.max(0, reach - way);
            position = at;
            movedAt = now;
        }
        return breach;
    }

    /** Where it can have come from that is there first. */
    private void begin(long now, Vec3 at) {
        Vec3 inside = bounds.clamp(at);
        Optional<Vec3> nearest =
                spawns.stream()
                        .map(Movement::position)
                        .min(Comparator.comparingDouble(spawn -> spawn.distance(inside)));
        if (appears.isEmpty() || nearest.isEmpty()) {
            believe(now, isIn(inside) ? inside : nearest.orElse(inside));
            return;
        }
        Vec3 spawn = nearest.get();
        boolean beside = spawn.distance(at) <= SPAWN_METRES && isIn(at);
        believe(now, beside ? at : spawn);
        long walks = beside ? FIRST_LAG_NANOS : MAX_SILENCE;
        long since = Math.clamp(now - appears.getAsLong(), 0, walks);
        silence = since;
        silenceEnd = now;
        budget = physics.slack() + physics.speed() * since / 1e9;
        appears = OptionalLong.empty();
    }

    /** Whether no straight way that could be seen leads there. */
    private boolean isHidden(Vec3 at, double reach) {
        if (space.equals(Space.OPEN) || position.distance(at) <= KNEE) {
            return false;
        }
        return at.z() - Math.max(ground, position.z()) > physics.rise()
                || !around(position.plus(up(KNEE)), at.plus(up(KNEE)), reach);
    }

    /**
     * How far it is to a place that is out of sight; NaN where it can't get there.
     *
     * @param unseen how high it may have stood meanwhile, though nothing says so
     */
    private double way(long now, Vec3 at, double reach, double unseen) {
        if (searches.left(now) < PathSearch.MAX_PLACES) {
            return Double.NaN;
        }
        double most = reach + push(now);
        double climb = Math.max(physics.rise(), unseen) + push(now);
        OptionalDouble length = paths.length(position, at, position.z() - ground, climb, most);
        searches.take(now, paths.places());
        if (length.isEmpty()) {
            return Double.NaN;
        }
        // It may have come down from as high as this.
        ground = Math.max(ground, at.z());
        airborne = false;
        return length.getAsDouble();
    }

    private Breach unreachable(Vec3 at, double unseen) {
        double risen = at.z() - ground;
        double tallest = physics.rise() + unseen;
        return risen > tallest
                ? new Breach("metres high", risen, tallest, unseen, below(at), false)
                : new Breach(
                        "metres through something solid",
                        position.distance(at),
                        0,
                        0,
                        position,
                        false);
    }

    private boolean isIn(Vec3 at) {
        boolean lies = space.medium(at.plus(up(LYING / 2))) == Medium.WATER;
        double tall = lies ? LYING : physics.body().height() - CROUCH;
        double height = tall - physics.sunk();
        return space.fits(at.plus(up(physics.sunk())), physics.core(), height);
    }

    private @Nullable Breach outside(Vec3 at) {
        Vec3 inside = bounds.clamp(at);
        double outside = Math.hypot(at.x() - inside.x(), at.y() - inside.y());
        if (outside > OUTSIDE) {
            return new Breach("metres outside", outside, OUTSIDE, OUTSIDE, inside, true);
        }
        double under = bounds.min().z() - at.z();
        return under > UNDERGROUND
                ? new Breach(
                        "metres underground", under, UNDERGROUND, UNDERGROUND, below(inside), true)
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

    /**
     * Whether it flies: a body that jumps comes down.
     *
     * @param gap since it was heard of last
     * @param known the time that the movement covers; 0 where that is not known
     */
    private @Nullable Breach up(long now, Vec3 at, long gap, double known) {
        if (stands(at) || isHeld(at)) {
            airborne = false;
            ground = at.z();
            return null;
        }
        ground = Math.min(ground, at.z());
        double under = below(at).z();
        if (at.z() - under <= physics.rise()) {
            ground = Math.max(ground, under);
        }
        double risen = at.z() - ground;
        // Of a body whose way is reported now and then, one landing higher up may be missing.
        double unseen = known > 0 ? 0 : physics.rise();
        double tallest = physics.rise() + unseen;
        if (risen > tallest) {
            if (!isPushed(now, risen - tallest)) {
                boolean above = at.z() > bounds.max().z();
                return new Breach("metres high", risen, tallest, unseen, below(at), above);
            }
            ground += risen - tallest;
        }
        if (!airborne || Math.max(at.z(), highest) - Math.min(at.z(), lowest) > HOVER) {
            hung = airborne ? hung : 0;
            airborne = true;
            aloft = 0;
            lowest = at.z();
            highest = at.z();
        } else {
            // A line that stood still says nothing of what the body did.
            aloft += Math.min(gap, MAX_AIR_GAP_NANOS);
        }
        lowest = Math.min(lowest, at.z());
        highest = Math.max(highest, at.z());
        double falls = position.z() - at.z();
        double slow = Physics.FALLS * known;
        // What is thrown rises for long, and is slow only where it turns.
        boolean hangs = falls < slow && (now >= pushedUntil || falls > -slow);
        hung += hangs ? known : 0;
        // Of the first and of the last movement it may have hung for a part only.
        double parts = 2 * known;
        if (hung > physics.hang() + parts) {
            double most = physics.hang() + parts;
            return new Breach("seconds in the air", hung, most, parts, below(at), false);
        }
        double lag = (known > 0 ? 2 : 1) * LAG / 1e9;
        double seconds = aloft / 1e9;
        return seconds > physics.hang() + lag
                ? new Breach(
                        "seconds in the air", seconds, physics.hang() + lag, lag, below(at), false)
                : null;
    }

    /**
     * Whether there is ground under it, be it the edge of some, of which a body that is told with
     * little precision may be a little beside. A wall at its side is no ground, and does not hide
     * that at another.
     */
    private boolean stands(Vec3 at) {
        Vec3 under = at.minus(up(CONTACT));
        double width = physics.body().width() - QUANTUM;
        double height = physics.body().height() / 2;
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
        double half = physics.body().width() / 2;
        for (double up = CONTACT; up < physics.body().height(); up += Space.HALF) {
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
                        Math.min(physics.core(), physics.body().width() - QUANTUM),
                        physics.body().height() - CROUCH);
        return from.minus(up(DEEP * free));
    }

    private static Vec3 up(double metres) {
        return new Vec3(0, 0, metres);
    }
}
