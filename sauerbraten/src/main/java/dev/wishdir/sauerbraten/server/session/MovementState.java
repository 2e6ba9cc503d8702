package dev.wishdir.sauerbraten.server.session;

import dev.wishdir.arena.combat.PlaceClaims;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.validation.MovementValidator;
import dev.wishdir.net.limit.TokenBucket;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;

/** The movement of one client's body: its validator, its rate, its claims, a reported teleport. */
public final class MovementState {
    /** Positions at once, after the network has delayed them for 10 s. */
    public static final int MAX_POSITION_BURST = 400;

    private static final double MAX_POSITIONS_PER_SECOND = 40;

    private final MovementValidator validator;
    private final TokenBucket positions =
            new TokenBucket(MAX_POSITION_BURST, MAX_POSITIONS_PER_SECOND);
    private final PlaceClaims claims = new PlaceClaims();
    private boolean teleported;

    MovementState(Level level) {
        validator = new MovementValidator(SauerbratenMotion.LIMITS, level);
    }

    public MovementValidator validator() {
        return validator;
    }

    /** The places that the client claims besides its positions. */
    public PlaceClaims claims() {
        return claims;
    }

    /**
     * Counts a position.
     *
     * @param now in the time of the clients, nanoseconds
     * @return 0, or the number of refused positions in a row
     */
    public int countPosition(long now) {
        return positions.tryAcquire(now) ? 0 : positions.refused();
    }

    /** Marks the next position as the target of a teleport. */
    public void setTeleported() {
        teleported = true;
    }

    /** Whether the client has teleported since the last call. */
    public boolean takeTeleported() {
        boolean was = teleported;
        teleported = false;
        return was;
    }
}
