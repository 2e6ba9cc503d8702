package dev.wishdir.arena;

import dev.wishdir.motion.Movement;

import org.jspecify.annotations.Nullable;

import java.util.EnumMap;
import java.util.Map;

/** A player as the arena alone knows and changes it. */
final class ActivePlayer {
    /** Verdicts are told this far apart, nanoseconds. */
    private static final long VIOLATION_INTERVAL_NANOS = 1_000_000_000;

    /** Who does not change is shown again so often, nanoseconds. */
    private static final long REFRESH_INTERVAL_NANOS = 200_000_000;

    final PlayerId id;
    final Viewer viewer;

    /** The number of the event of its joining: it is told of later ones. */
    final long since;

    private final Map<PlayerAction, Long> acted = new EnumMap<>(PlayerAction.class);
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
    private long reminded;
    private long movements;
    private long moved;
    private boolean here = true;
    private long heard;
    private long judged = Long.MIN_VALUE / 2;
    private long echoed = Long.MIN_VALUE / 2;

    ActivePlayer(
            PlayerId id, String game, Movement movement, Viewer viewer, long joined, long since) {
        this.id = id;
        this.game = game;
        this.movement = movement;
        this.viewer = viewer;
        this.joined = joined;
        this.since = since;
        heard = joined;
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

    /** Has left, with the body that it had. */
    void leave() {
        here = false;
    }

    /** When it gave its last sign of life. */
    long lastActivity() {
        return heard;
    }

    void recordActivity(long now) {
        heard = now;
    }

    /** When it made the newest movement that viewers should be shown. */
    long moved() {
        return moved;
    }

    /** Counts the movements that viewers should be shown. */
    long movements() {
        return movements;
    }

    /** Whether a verdict may be told now; it is, then. */
    boolean judge(long now) {
        if (now - judged < VIOLATION_INTERVAL_NANOS) {
            return false;
        }
        judged = now;
        return true;
    }

    /** When a line of its was last held, as it repeated others without end. */
    long echoed() {
        return echoed;
    }

    void echoed(long now) {
        echoed = now;
    }

    /** Whether an act is told now; it is, then. */
    boolean acts(long now, PlayerAction action) {
        Long last = acted.get(action);
        if (last != null && now - last < action.apart()) {
            return false;
        }
        acted.put(action, now);
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
     * Moves.
     *
     * @return whether viewers should be shown it
     */
    boolean move(long now, Movement movement, NativeMovement nativeMovement) {
        boolean same =
                movement.equals(this.movement) && nativeMovement.looksLike(this.nativeMovement);
        this.movement = movement;
        this.nativeMovement = nativeMovement;
        snapshot = null;
        if (same && now - reminded < REFRESH_INTERVAL_NANOS && now >= reminded) {
            return false;
        }
        reminded = now;
        movements++;
        moved = now;
        return true;
    }

    @Override
    public String toString() {
        return snapshot().toString();
    }
}
