package dev.wishdir.arena;

import java.util.List;

/**
 * Through whom a player sees the others: each game's endpoint makes one for each of its players.
 * Called on the arena's thread, never about the player itself.
 */
public interface Viewer {
    /** A player joined. It has no body yet. */
    void joined(Player player);

    /** A player left for good. */
    void left(Player player);

    /** A player has a body from now on, at its movement. */
    void spawned(Player player);

    /** A player has no body any more: it died or became a spectator. */
    void despawned(Player player);

    /**
     * A player is at its movement of a sudden, and was not between. A game that can't say so shows
     * it gone and back, as it is here.
     */
    default void teleported(Player player) {
        despawned(player);
        spawned(player);
    }

    /**
     * These players moved; called once a relay. The list holds spawned players alone and may hold
     * the viewer's own player, which the viewer passes over. It is valid during the call only, and
     * the same object for all viewers of one relay, so that a game may encode it once.
     */
    void moved(List<Player> movers);

    /** A player said something to all; plain text. */
    void said(Player player, String text);

    /** A player has a new name. */
    void renamed(Player player, String oldName);

    /** The server says something to all. */
    void announced(String text);
}
