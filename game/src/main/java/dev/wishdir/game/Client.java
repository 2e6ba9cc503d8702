package dev.wishdir.game;

import dev.wishdir.arena.PlayerAction;
import dev.wishdir.motion.Movement;

import java.util.Collection;

/**
 * A headless client of one game: joins a server, moves as its {@link BotController} steers, and
 * sees other players. Used only on the thread of its duty cycle.
 */
public interface Client extends AutoCloseable {
    /** A snapshot of another player as this client sees it. */
    record RemotePlayer(int id, String name, Movement movement) {}

    /** Whether the server has accepted this client and given it a body. */
    boolean joined();

    /** This client's id on the server; -1 before it has joined. */
    int id();

    /** This client's own movement, as far as it knows. */
    Movement movement();

    /** All other players with a body, as last seen. */
    Collection<RemotePlayer> others();

    /** Sends a chat line to all. */
    void say(String text);

    /**
     * Performs an action for others to see, without an effect on them.
     *
     * @return false if the game does not support it; then nothing is done
     */
    default boolean act(PlayerAction action) {
        return false;
    }

    /**
     * Requests another name.
     *
     * @return false if the game does not support it during play; then nothing is done
     */
    default boolean rename(String name) {
        return false;
    }

    /** Disconnects cleanly; {@link ClientListener#onEnded} follows. */
    @Override
    void close();
}
