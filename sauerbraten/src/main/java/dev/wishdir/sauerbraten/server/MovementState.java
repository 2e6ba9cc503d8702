package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.Level;
import dev.wishdir.arena.MovementValidator;
import dev.wishdir.net.TokenBucket;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;

/** The movement of one client's body: its validator, its rate, and a teleport that was reported. */
final class MovementState {
    /** Positions at once, after the network has delayed them for 10 s. */
    static final int MAX_POSITION_BURST = 400;

    private static final double MAX_POSITIONS_PER_SECOND = 40;

    private final MovementValidator validator;
    private final TokenBucket positions =
            new TokenBucket(MAX_POSITION_BURST, MAX_POSITIONS_PER_SECOND);
    private boolean teleported;

    MovementState(Level level) {
        validator = new MovementValidator(SauerbratenMotion.LIMITS, level);
    }

    MovementValidator validator() {
        return validator;
    }

    /**
     * Counts a position.
     *
     * @param now in the time of the clients, nanoseconds
     * @return 0, or the number of refused positions in a row
     */
    int countPosition(long now) {
        return positions.tryAcquire(now) ? 0 : positions.refused();
    }

    /** Marks the next position as the target of a teleport. */
    void setTeleported() {
        teleported = true;
    }

    /** Whether the client has teleported since the last call. */
    boolean takeTeleported() {
        boolean was = teleported;
        teleported = false;
        return was;
    }
}
