package dev.wishdir.arena.player;

import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.motion.Movement;

import org.jspecify.annotations.Nullable;

/** The state of a player: name, body and newest movement. Only the arena changes it. */
public final class ActivePlayer {
    /** A player that moves without a change is relayed again at this interval. */
    private static final long REFRESH_INTERVAL_NANOS = 200_000_000;

    public final PlayerId id;
    private final String game;
    private final long joined;
    private String name = "";
    private int ping;
    private Proof proof = Proof.UNKNOWN;
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

    public ActivePlayer(PlayerId id, String game, Movement movement, long joined) {
        this.id = id;
        this.game = game;
        this.movement = movement;
        this.joined = joined;
        lastActivity = joined;
    }

    /** The player as it is now. */
    public Player snapshot() {
        Player now = snapshot;
        if (now == null) {
            now =
                    new Player(
                            id,
                            game,
                            name,
                            joined,
                            ping,
                            proof,
                            spawned(),
                            movement,
                            nativeMovement);
            snapshot = now;
        }
        return now;
    }

    public boolean spawned() {
        return embodied && !silent;
    }

    public boolean embodied() {
        return embodied;
    }

    public boolean silent() {
        return silent;
    }

    public boolean isHere() {
        return here;
    }

    /** Marks the player as gone; its body is still as it was. */
    public void leave() {
        here = false;
    }

    /** Time of the client's last activity. */
    public long lastActivity() {
        return lastActivity;
    }

    public void recordActivity(long now) {
        lastActivity = now;
    }

    /** Counts a viewer that is shown this player from now on. */
    public void addViewer() {
        viewers++;
    }

    /** Counts a viewer that is not shown this player any more. */
    public void removeViewer() {
        viewers--;
    }

    /** Whether any viewer is shown this player. */
    public boolean isShown() {
        return viewers > 0;
    }

    /** Time of the newest movement that is to be relayed. */
    public long moved() {
        return moved;
    }

    /** Number of movements to relay so far. */
    public long movements() {
        return movements;
    }

    public String name() {
        return name;
    }

    public String game() {
        return game;
    }

    public Movement movement() {
        return movement;
    }

    void rename(String name) {
        this.name = name;
        snapshot = null;
    }

    public void ping(int millis) {
        if (ping != millis) {
            ping = millis;
            snapshot = null;
        }
    }

    /**
     * Adds a proof of who the player is.
     *
     * @return whether it says more than what was proved before
     */
    public boolean prove(Proof added) {
        Proof before = proof;
        proof = before.orBetter(added);
        snapshot = null;
        return !proof.equals(before);
    }

    public void embody(boolean embodied) {
        this.embodied = embodied;
        snapshot = null;
    }

    public void silence(boolean silent) {
        this.silent = silent;
        snapshot = null;
    }

    public void place(Movement movement) {
        this.movement = movement;
        nativeMovement = NativeMovement.Stored.NONE;
        snapshot = null;
    }

    /**
     * Moves the player.
     *
     * @return whether the movement is to be relayed
     */
    public boolean move(long now, Movement movement, NativeMovement nativeMovement) {
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
