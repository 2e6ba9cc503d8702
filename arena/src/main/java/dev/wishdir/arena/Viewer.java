package dev.wishdir.arena;

import java.util.List;

/**
 * Through whom a player sees the others: each game's endpoint makes one for each of its players. It
 * is told of every other player what happens to it, except how it moves, which comes in relays; of
 * its own player it is told {@link ArenaEvent.ToPlayer} alone.
 */
public interface Viewer extends ArenaListener {
    /** Where its own player comes from. */
    default ConnectionInfo connectionInfo() {
        return ConnectionInfo.UNKNOWN;
    }

    /** What came and went on its own player's line so far; asked about once a second. */
    default ConnectionStats connectionStats() {
        return ConnectionStats.UNKNOWN;
    }

    /**
     * Whether so much waits for an acknowledgement on this player's line that news must wait. What
     * others are is then told later, as it is by then, and what they do is missed; so a slow line
     * costs a player some news, and never its place.
     */
    default boolean isCongested() {
        return false;
    }

    /** How many others with a body this viewer can show at once. */
    default int maxVisiblePlayers() {
        return Integer.MAX_VALUE;
    }

    /**
     * In so many nanoseconds there is one relay to this viewer at the most. Time is cut into pieces
     * of this length, the same for all viewers who ask for it, so that theirs come together: the
     * first in a quiet piece comes at once, and of what moves after it the next piece's tells. It
     * is asked before each relay, so that it may change.
     */
    default long relayIntervalNanos() {
        return 0;
    }

    /** The least time between two showings of the same player, nanoseconds. */
    default long minUpdateIntervalNanos() {
        return 0;
    }

    /**
     * These players moved; called once a relay. They have bodies, which this viewer is shown, and
     * it is not its own player; one may be among them of whose body the viewer has not been told,
     * as it is behind. The list is valid during the call only. A player that has not changed is the
     * same object for all viewers, so that a game may encode it once.
     */
    void onMovement(List<Player> movers);
}
