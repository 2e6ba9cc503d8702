package dev.wishdir.arena.event;

/** An action of a body that viewers of every game see; it has no effect on anything else. */
public enum PlayerAction {
    /** A shot or a blow, repeated while it lasts. */
    ATTACK(400_000_000),
    /** A taunt, wave or gesture. */
    TAUNT(2_000_000_000);

    private final long minIntervalNanos;

    PlayerAction(long minIntervalNanos) {
        this.minIntervalNanos = minIntervalNanos;
    }

    /**
     * Minimum interval between two of them to viewers, nanoseconds; actions within it are dropped.
     */
    public long minIntervalNanos() {
        return minIntervalNanos;
    }
}
