package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.Level;
import dev.wishdir.arena.MovementLimits;
import dev.wishdir.arena.MovementValidator;
import dev.wishdir.net.TokenBucket;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;

/** The movement of one client's body: its validator, its rate, and a teleport that was reported. */
final class MovementState {
    /**
     * A body runs at 12.5 m/s, 1.3 times as fast straight ahead and 1.3 times as fast in the air,
     * for longer than a jump; it jumps 2.45 m high, and is up for 0.72 s. It is round, so its
     * corners may be in a wall. It climbs a step through its edge.
     */
    private static final MovementLimits PHYSICS =
            new MovementLimits(
                    SauerbratenMotion.BODY, 0.6, SauerbratenMotion.BODY.step(), 22, 2, 3, 0.72);

    /** Positions at once, after the network has delayed them for 10 s. */
    static final int MAX_POSITION_BURST = 400;

    private static final double MAX_POSITIONS_PER_SECOND = 40;

    private final MovementValidator validator;
    private final TokenBucket positions =
            new TokenBucket(MAX_POSITION_BURST, MAX_POSITIONS_PER_SECOND);
    private boolean teleported;

    MovementState(Level level) {
        validator = new MovementValidator(PHYSICS, level);
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
