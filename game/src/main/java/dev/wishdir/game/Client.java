package dev.wishdir.game;

import dev.wishdir.arena.PlayerAction;
import dev.wishdir.motion.Movement;

import java.util.Collection;

/**
 * A headless client of one game: it joins a server, walks where its {@link BotController} steers,
 * and sees the others. Used on the thread of its duty cycle alone.
 */
public interface Client extends AutoCloseable {
    /** Another player as this client sees it; a snapshot. */
    record RemotePlayer(int id, String name, Movement movement) {}

    /** Whether the server has let this client in and it has a body. */
    boolean joined();

    /** This client's own id on the server; -1 before it has joined. */
    int id();

    /** Where this client is, as it knows it. */
    Movement movement();

    /** Everyone else with a body, as last seen. */
    Collection<RemotePlayer> others();

    /** Says something to all. */
    void say(String text);

    /**
     * Attacks once, or taunts, for others to see; nobody is hit.
     *
     * @return false where players of this game can't do it; nothing is done
     */
    default boolean act(PlayerAction action) {
        return false;
    }

    /**
     * Wishes for another name.
     *
     * @return false where players of this game can't change it while they play; nothing is done
     */
    default boolean rename(String name) {
        return false;
    }

    /** Leaves cleanly: the server is told. Then {@link ClientListener#onEnded} comes. */
    @Override
    void close();
}
