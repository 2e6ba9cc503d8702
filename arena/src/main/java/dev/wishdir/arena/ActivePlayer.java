package dev.wishdir.arena;

import dev.wishdir.motion.Movement;

import org.jspecify.annotations.Nullable;

import java.util.EnumMap;
import java.util.Map;

/** A player with its mutable state, which only the arena reads and changes. */
final class ActivePlayer {
    /** Minimum interval between two reported violations of one player. */
    private static final long VIOLATION_INTERVAL_NANOS = 1_000_000_000;

    /** A player that moves without a change is relayed again at this interval. */
    private static final long REFRESH_INTERVAL_NANOS = 200_000_000;

    final PlayerId id;
    final Viewer viewer;

    /** Number of the join event: this player's viewer receives only later events. */
    final long since;

    private final Map<PlayerAction, Long> lastActions = new EnumMap<>(PlayerAction.class);
    final PlayerRateLimits rateLimits = new PlayerRateLimits();
    final DeferredEvents deferred = new DeferredEvents();
    final InterestSet interestSet;
    private final String game;
    private final long joined;
    private String name = "";
    private int ping;
    private Movement movement;
    private NativeMovement nativeMovement = NativeMovement.Stored.NONE;
    private boolean embodied;
    private boolean silent;
    private @Nullable Player snapshot;
    private long lastRelayed;
    private long movements;
    private long moved;
    private boolean here = true;
    private long lastActivity;
    private long lastViolation = Long.MIN_VALUE / 2;
    private long lastEcho = Long.MIN_VALUE / 2;

    ActivePlayer(
            PlayerId id, String game, Movement movement, Viewer viewer, long joined, long since) {
        this.id = id;
        this.game = game;
        this.movement = movement;
        this.viewer = viewer;
        this.joined = joined;
        this.since = since;
        lastActivity = joined;
        interestSet = new InterestSet(this);
    }

    /** The player as it is now. */
    Player snapshot() {
        Player now = snapshot;
        if (now == null) {
            now = new Player(id, game, name, joined, ping, spawned(), movement, nativeMovement);
            snapshot = now;
        }
        return now;
    }

    boolean spawned() {
        return embodied && !silent;
    }

    boolean embodied() {
        return embodied;
    }

    boolean silent() {
        return silent;
    }

    boolean isHere() {
        return here;
    }

    /** Marks the player as gone; its body is still as it was. */
    void leave() {
        here = false;
    }

    /** When the client last showed activity. */
    long lastActivity() {
        return lastActivity;
    }

    void recordActivity(long now) {
        lastActivity = now;
    }

    /** When the newest movement was made that is to be relayed. */
    long moved() {
        return moved;
    }

    /** Number of movements to relay so far. */
    long movements() {
        return movements;
    }

    /** Whether a violation may be reported now; if so, the interval begins again. */
    boolean tryReportViolation(long now) {
        if (now - lastViolation < VIOLATION_INTERVAL_NANOS) {
            return false;
        }
        lastViolation = now;
        return true;
    }

    /** When the echo filter last blocked a line of this player. */
    long lastEcho() {
        return lastEcho;
    }

    void lastEcho(long now) {
        lastEcho = now;
    }

    /** Whether an action may be shown now; if so, its interval begins again. */
    boolean tryAct(long now, PlayerAction action) {
        Long last = lastActions.get(action);
        if (last != null && now - last < action.minIntervalNanos()) {
            return false;
        }
        lastActions.put(action, now);
        return true;
    }

    String name() {
        return name;
    }

    String game() {
        return game;
    }

    Movement movement() {
        return movement;
    }

    void rename(String name) {
        this.name = name;
        snapshot = null;
    }

    void ping(int millis) {
        if (ping != millis) {
            ping = millis;
            snapshot = null;
        }
    }

    void embody(boolean embodied) {
        this.embodied = embodied;
        snapshot = null;
    }

    void silence(boolean silent) {
        this.silent = silent;
        snapshot = null;
    }

    void place(Movement movement) {
        this.movement = movement;
        nativeMovement = NativeMovement.Stored.NONE;
        snapshot = null;
    }

    /**
     * Moves the player.
     *
     * @return whether the movement is to be relayed
     */
    boolean move(long now, Movement movement, NativeMovement nativeMovement) {
        boolean same =
                movement.equals(this.movement) && nativeMovement.looksLike(this.nativeMovement);
        this.movement = movement;
        this.nativeMovement = nativeMovement;
        snapshot = null;
        if (same && now - lastRelayed < REFRESH_INTERVAL_NANOS && now >= lastRelayed) {
            return false;
        }
        lastRelayed = now;
        movements++;
        moved = now;
        return true;
    }

    @Override
    public String toString() {
        return snapshot().toString();
    }
}
