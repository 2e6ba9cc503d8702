package dev.wishdir.arena;

import java.util.List;

/**
 * Through whom a player sees the others: each game's endpoint makes one for each of its players. It
 * is told of every other player what happens to it, except how it moves, which comes in relays; of
 * its own player it is told {@link ArenaEvent.ToPlayer} alone.
 */
public interface Viewer extends ArenaListener {
    /**
     * Whether so much waits for an acknowledgement on this player's line that news must wait. What
     * others are is then told later, as it is by then, and what they do is missed; so a slow line
     * costs a player some news, and never its place.
     */
    default boolean isBehind() {
        return false;
    }

    /**
     * These players moved; called once a relay. The list holds players with a body alone; it may
     * hold the viewer's own player and ones whose bodies it has not been told of, which the viewer
     * passes over. It is valid during the call only, and the same object for all viewers of one
     * relay, so that a game may encode it once.
     */
    void moved(List<Player> movers);
}
