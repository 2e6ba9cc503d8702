package dev.wishdir.arena.event;

import java.util.Locale;

/** A change of a flag. */
public enum FlagChange {
    /** A player of the other team carries it. */
    TAKEN,
    /** Its carrier lost it: it lies there. */
    DROPPED,
    /** A player of its own team touched it where it lay: it is at home. */
    RETURNED,
    /** It is at home again without a player's touch. */
    RESET,
    /** Its carrier brought it to the carrier's own flag: it is at home, and the team scored. */
    CAPTURED;

    /** As in events and recordings: {@code taken}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
