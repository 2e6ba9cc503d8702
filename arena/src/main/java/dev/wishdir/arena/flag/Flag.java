package dev.wishdir.arena.flag;

import dev.wishdir.arena.event.FlagCause;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Team;
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** One flag of a match. Only {@link Flags} changes it. Times are nanoseconds. */
public final class Flag {
    /** For how long the player that dropped it by a key can't take it again. */
    static final long KEY_DROP_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** A player that has dropped it by a key so often can't take it until it was at home. */
    static final int MAX_KEY_DROPS = 3;

    /** A carrier that stays within this distance for {@link Flags#MAX_IDLE_NANOS} is idle. */
    private static final double IDLE_METRES = 1;

    private static final FlagState.Home HOME = new FlagState.Home();

    private final Team team;
    private Vec3 home;
    private FlagState state = HOME;
    private int version;

    /** Of the carrier: where it was when it last moved away, and when that was. */
    private Vec3 anchor;

    private long anchoredAt;

    /** Violations of the carrier's movement since it took the flag. */
    private int violations;

    /** The player that dropped it last; null at home. */
    private @Nullable PlayerId dropper;

    private long droppedAt;
    private FlagCause dropCause = FlagCause.DEATH;

    /** Whether a key dropped it next to a player of its own team. */
    private boolean offered;

    /** Drops of its dropper by a key, without another carrier since. */
    private int keyDrops;

    Flag(Team team, Vec3 home) {
        this.team = team;
        this.home = home;
        anchor = home;
    }

    /** A flag as another source has it. */
    Flag(FlagStatus status) {
        this(status.team(), status.home());
        state = status.state();
        version = status.version();
    }

    /** The team that it belongs to. */
    public Team team() {
        return team;
    }

    /** Its foot at its base, metres. */
    public Vec3 home() {
        return home;
    }

    public FlagState state() {
        return state;
    }

    /** A number that grows with each change of this flag, over all rounds. */
    public int version() {
        return version;
    }

    /** The player that has it; empty if it stands or lies. */
    public Optional<PlayerId> carrier() {
        return state instanceof FlagState.Carried carried
                ? Optional.of(carried.by())
                : Optional.empty();
    }

    public boolean isHome() {
        return state instanceof FlagState.Home;
    }

    boolean isCarriedBy(PlayerId id) {
        return state instanceof FlagState.Carried carried && carried.by().equals(id);
    }

    /** Since when its carrier has it; the time itself if no player carries it. */
    long carriedSince(long now) {
        return state instanceof FlagState.Carried carried ? carried.since() : now;
    }

    /** Whether a player of the other team may take it, which touches it. */
    boolean isFree(long now, PlayerId id) {
        return switch (state) {
            case FlagState.Home _ -> true;
            case FlagState.Carried _ -> false;
            case FlagState.Dropped _ -> !id.equals(dropper) || isFreeForDropper(now);
        };
    }

    private boolean isFreeForDropper(long now) {
        return switch (dropCause) {
            case KEY -> keyDrops < MAX_KEY_DROPS && now - droppedAt >= KEY_DROP_NANOS;
            // It still stands there.
            case IDLE -> false;
            default -> true;
        };
    }

    /** Time at which its dropper may take it again; {@link Long#MAX_VALUE} for none. */
    long freeAgainAt(long now) {
        long at = droppedAt + KEY_DROP_NANOS;
        return state instanceof FlagState.Dropped && dropCause == FlagCause.KEY && at > now
                ? at
                : Long.MAX_VALUE;
    }

    void setHome(Vec3 place) {
        home = place;
        goHome();
    }

    void goHome() {
        state = HOME;
        dropper = null;
        keyDrops = 0;
        version++;
    }

    /** Counts a change that leaves it at home: a flag was captured there. */
    void countChange() {
        version++;
    }

    void take(long now, PlayerId by, Vec3 at) {
        if (!by.equals(dropper)) {
            keyDrops = 0;
        }
        state = new FlagState.Carried(by, now);
        anchor = at;
        anchoredAt = now;
        violations = 0;
        version++;
    }

    /**
     * @param offered whether a key drops it next to a player of its own team
     */
    void drop(long now, PlayerId by, FlagCause cause, Vec3 at, long until, boolean offered) {
        this.offered = offered;
        state = new FlagState.Dropped(at, until);
        dropper = by;
        dropCause = cause;
        droppedAt = now;
        keyDrops += cause == FlagCause.KEY ? 1 : 0;
        version++;
    }

    /** Whether its own team returns it at once, next to which a key dropped it. */
    boolean isHandedOver(long now) {
        return offered && now - droppedAt <= KEY_DROP_NANOS;
    }

    /** The player that dropped it; empty at home. */
    Optional<PlayerId> dropper() {
        return Optional.ofNullable(dropper);
    }

    /** Records where its carrier is. */
    void follow(long now, Vec3 at) {
        if (at.distance(anchor) > IDLE_METRES) {
            anchor = at;
            anchoredAt = now;
        }
    }

    /** Time at which its carrier last moved away from a place. */
    long anchoredAt() {
        return anchoredAt;
    }

    /** Counts a violation of its carrier, and returns how many there are. */
    int countViolation() {
        return ++violations;
    }

    /** Lets all its times begin later: the match stood still. */
    void delay(long now, long nanos, long returnNanos) {
        anchoredAt += nanos;
        if (state instanceof FlagState.Dropped(Vec3 at, long until)) {
            state = new FlagState.Dropped(at, Math.min(until + nanos, now + returnNanos));
        }
    }

    @Override
    public String toString() {
        return team + " flag";
    }
}
