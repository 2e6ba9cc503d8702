package dev.wishdir.game;

import dev.wishdir.arena.PlayerAction;

/** Whom a {@link Client} tells what happens; called on the thread of its duty cycle. */
public interface ClientListener {
    /** Why a client is no longer connected. */
    enum Ending {
        /** The client closed. */
        LEFT,
        /** The server did not let it in: full, password, ban, wrong version. */
        REFUSED,
        /** The server sent it away after it had joined. */
        KICKED,
        /** The server did not answer, or fell silent. */
        TIMED_OUT,
        /** The server sent what its protocol does not allow. */
        PROTOCOL_ERROR
    }

    /** The server let the client in and it has a body. */
    default void onJoined(Client self) {}

    /** Somebody else has a body, at their movement. */
    default void onAppeared(Client self, Client.RemotePlayer other) {}

    /**
     * Somebody else moved.
     *
     * @param now when the datagram came in, nanoseconds
     */
    default void onMoved(Client self, long now, Client.RemotePlayer other) {}

    /** Somebody else's body is gone. */
    default void onVanished(Client self, Client.RemotePlayer other) {}

    /** Somebody else was seen to attack or to taunt. */
    default void onAction(Client self, Client.RemotePlayer other, PlayerAction action) {}

    /**
     * Somebody said something.
     *
     * @param name who, empty for the server
     */
    default void onChat(Client self, String name, String text) {}

    /**
     * The client is no longer connected; nothing follows.
     *
     * @param reason one clear sentence, with what the server said
     */
    default void onEnded(Client self, Ending ending, String reason) {}
}
