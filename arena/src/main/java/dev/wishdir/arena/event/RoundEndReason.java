package dev.wishdir.arena.event;

import java.util.Locale;

/** Reason for the end of a round. */
public enum RoundEndReason {
    TIME_LIMIT,
    SCORE_LIMIT,
    /** An operator began another one. */
    RESTARTED,
    /** An operator went on to the next arena. */
    SKIPPED,
    /** All players left. */
    ABANDONED;

    /** As in events and recordings: {@code time-limit}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
