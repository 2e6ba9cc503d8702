package dev.wishdir.arena.event;

import java.util.Locale;

/** The cause of a change of a flag. */
public enum FlagCause {
    /** A player touched it. */
    TOUCH,
    /** It lay for as long as it may. */
    TIME,
    /** Its carrier died. */
    DEATH,
    /** Its carrier dropped it by a key or a command. */
    KEY,
    /** Its carrier left, lost its body otherwise, or was silent. */
    LEAVE,
    /** Its carrier only watches. */
    WATCH,
    /** Its carrier changed its team. */
    TEAM,
    /** Its carrier stood still for too long. */
    IDLE,
    /** There is no ground where it would lie, or lava. */
    VOID,
    /** Its carrier moved as its game does not allow, again and again. */
    VIOLATION,
    /** An operator returned it. */
    OPERATOR;

    /** As in events and recordings: {@code touch}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
