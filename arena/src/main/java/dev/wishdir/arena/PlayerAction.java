package dev.wishdir.arena;

/** What a body does for all who see it, as each game can show it. It does nothing to anybody. */
public enum PlayerAction {
    /** It fires, or strikes: told again while it goes on. */
    ATTACK(400_000_000),
    /** It taunts, waves or gestures. */
    TAUNT(2_000_000_000);

    private final long apart;

    PlayerAction(long apart) {
        this.apart = apart;
    }

    /** The others are told it so far apart, nanoseconds; what comes sooner is no news to them. */
    long apart() {
        return apart;
    }
}
