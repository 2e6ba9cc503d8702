package dev.wishdir.arena.flag;

import dev.wishdir.arena.event.FlagCause;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.player.ActivePlayer;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.EvictingMap;

import org.jspecify.annotations.Nullable;

import java.util.Map;
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

    /** Time in which the server that decides hears of a loss, and answers. */
    private static final long MAX_ANSWER_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Players of this server whose reports are known; they may join and leave without end. */
    static final int MAX_CLAIMING_PLAYERS = 1_024;

    private static final FlagState.Home HOME = new FlagState.Home();

    /** Its carrier died, left or lost its body, and another server decides what becomes of it. */
    record Loss(long time, ActivePlayer player, FlagCause cause, Vec3 at) {}

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

    /** Null if its carrier has it. */
    private @Nullable Loss loss;

    /** Times at which players of this server claimed its present version. */
    private final Map<PlayerId, Long> claims = EvictingMap.leastRecentlyUsed(MAX_CLAIMING_PLAYERS);

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
        moveHome();
        countChange();
    }

    /** Brings it home without a change of its version: a server that decides counts it. */
    void moveHome() {
        state = HOME;
        dropper = null;
        keyDrops = 0;
        loss = null;
    }

    /** Counts a change, perhaps one that leaves it at home: a flag was captured there. */
    void countChange() {
        setVersion(version + 1);
    }

    /** Sets the version: that of another server, or one that no other server has used. */
    void setVersion(int next) {
        version = next;
        claims.clear();
    }

    /** Continues with versions that no other server has used. */
    void beginOwnership() {
        setVersion(version + Flags.OWNER_VERSIONS);
    }

    /**
     * Takes over what the server that decides knows of it.
     *
     * @param at where its carrier is
     */
    void adopt(long now, FlagStatus status, Vec3 at) {
        if (status.version() != version) {
            setVersion(status.version());
        }
        switch (status.state()) {
            case FlagState.Home _ -> moveHome();
            case FlagState.Carried(PlayerId by, _) when isCarriedBy(by) -> {
                if (loss != null && now - loss.time() >= MAX_ANSWER_NANOS) {
                    loss = null;
                }
            }
            case FlagState.Carried _ -> {
                state = status.state();
                hold(now, at);
            }
            case FlagState.Dropped _ -> {
                state = status.state();
                loss = null;
            }
        }
    }

    void lose(Loss lost) {
        loss = lost;
    }

    /** The cause by which its carrier lost it; null if it has it. */
    @Nullable Loss loss() {
        return loss;
    }

    /** Whether a player may claim this version now: the first claim may have been lost. */
    boolean mayClaim(long now, PlayerId by) {
        Long last = claims.get(by);
        boolean isFree = last == null || now - last >= Flags.CLAIM_INTERVAL_NANOS;
        if (isFree) {
            claims.put(by, now);
        }
        return isFree;
    }

    void take(long now, PlayerId by, Vec3 at) {
        if (!by.equals(dropper)) {
            keyDrops = 0;
        }
        state = new FlagState.Carried(by, now);
        hold(now, at);
        countChange();
    }

    private void hold(long now, Vec3 at) {
        anchor = at;
        anchoredAt = now;
        violations = 0;
        loss = null;
    }

    /**
     * @param by null if the player is not known
     * @param offered whether a key drops it next to a player of its own team
     */
    void drop(
            long now,
            @Nullable PlayerId by,
            FlagCause cause,
            Vec3 at,
            long until,
            boolean offered) {
        this.offered = offered;
        state = new FlagState.Dropped(at, until);
        dropper = by;
        dropCause = cause;
        droppedAt = now;
        loss = null;
        keyDrops += cause == FlagCause.KEY ? 1 : 0;
        countChange();
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
