package dev.wishdir.arena;

import dev.wishdir.motion.Movement;

import org.jspecify.annotations.Nullable;

/** The state of a player: name, body and newest movement. Only the arena changes it. */
final class ActivePlayer {
    /** A player that moves without a change is relayed again at this interval. */
    private static final long REFRESH_INTERVAL_NANOS = 200_000_000;

    final PlayerId id;
    private final String game;
    private final long joined;
    private String name = "";
    private int ping;
    private Movement movement;
    private NativeMovement nativeMovement = NativeMovement.Stored.NONE;
    private boolean embodied;
    private boolean silent;
    private @Nullable Player snapshot;
    private long movements;
    private long moved;
    private boolean here = true;
    private long lastActivity;
    private int viewers;

    ActivePlayer(PlayerId id, String game, Movement movement, long joined) {
        this.id = id;
        this.game = game;
        this.movement = movement;
        this.joined = joined;
        lastActivity = joined;
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

    /** Counts a viewer that is shown this player from now on. */
    void addViewer() {
        viewers++;
    }

    /** Counts a viewer that is not shown this player any more. */
    void removeViewer() {
        viewers--;
    }

    /** Whether any viewer is shown this player. */
    boolean isShown() {
        return viewers > 0;
    }

    /** When the newest movement was made that is to be relayed. */
    long moved() {
        return moved;
    }

    /** Number of movements to relay so far. */
    long movements() {
        return movements;
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
        if (same && now - moved < REFRESH_INTERVAL_NANOS && now >= moved) {
            return false;
        }
        movements++;
        moved = now;
        return true;
    }

    @Override
    public String toString() {
        return snapshot().toString();
    }
}
