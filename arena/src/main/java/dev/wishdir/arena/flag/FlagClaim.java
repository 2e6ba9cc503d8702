package dev.wishdir.arena.flag;

import java.util.Locale;

/** The answer to a client that claims that its player touches a flag. */
public enum FlagClaim {
    /** The flag changed. */
    ACCEPTED,
    /** The player is not near enough. Its next movements decide, without another claim. */
    DISTANCE,
    /** Something solid is between them. */
    WALL,
    /** The flag has changed since the client's version of it. */
    VERSION,
    /** The player has no life, or the match stands. */
    DEAD,
    /** The flag can't be taken, returned or captured by this player now. */
    STATE,
    /** The client claims too often. */
    RATE;

    /** As in metrics: {@code distance}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
