package dev.wishdir.game;

import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Direction;

import java.util.Optional;

/** Receives the events of a {@link Client}, on the thread of its duty cycle. */
public interface ClientListener {
    /** Stands for a player that the game's server does not name. */
    long UNKNOWN_PLAYER = -1;

    /** Reason for which a client is no longer connected. */
    enum EndReason {
        /** The client closed. */
        LEFT,
        /** The server refused it: full, password, ban, wrong version. */
        REFUSED,
        /** The server disconnected it after it had joined. */
        KICKED,
        /** The server ended after the client had joined. */
        SERVER_CLOSED,
        /** The server did not let it in within {@link ClientConfig#joinTimeout}, or fell silent. */
        TIMED_OUT,
        /** The server violated its protocol. */
        PROTOCOL_ERROR
    }

    /** Takes datagrams in the clear. */
    @FunctionalInterface
    interface Plaintext {
        /**
         * A datagram that the client received, before it handles it, or sends.
         *
         * @param datagram as {@link Game#dissector} reads it without keys
         */
        void onDatagram(Direction direction, Bytes datagram);
    }

    /** The server accepted the client and gave it a body. */
    default void onJoined(Client self) {}

    /** Another player's body appeared, where its movement says. */
    default void onAppeared(Client self, Client.RemotePlayer other) {}

    /**
     * Another player moved.
     *
     * @param now when the datagram was received, nanoseconds
     */
    default void onMoved(Client self, long now, Client.RemotePlayer other) {}

    /** Another player's body is gone. */
    default void onVanished(Client self, Client.RemotePlayer other) {}

    /** Another player performed an action. */
    default void onAction(Client self, Client.RemotePlayer other, PlayerAction action) {}

    /**
     * A player was hit, of which this client was notified; it may be this client.
     *
     * @param victim id of the player, {@link Client#id} for this client
     * @param attacker id of the player that hit it, maybe itself; or {@link #UNKNOWN_PLAYER}
     * @param damage before armour
     * @param health that the victim has left; not above 0 if it is dead
     */
    default void onHit(Client self, long victim, long attacker, double damage, double health) {}

    /**
     * A player died; it may be this client.
     *
     * @param killer the victim itself if it ended its own life; or {@link #UNKNOWN_PLAYER}
     */
    default void onDeath(Client self, long victim, long killer) {}

    /**
     * A chat line or a message of the server.
     *
     * @param name of the player, empty for the server
     * @param text one line; the lines of a longer text are joined by a space
     */
    default void onChat(Client self, String name, String text) {}

    /**
     * The session is encrypted from now on.
     *
     * @param key a line with which {@link Game#dissector} decrypts a capture of it: a secret
     */
    default void onSessionKey(Client self, String key) {}

    /**
     * Listener to the content of a transport whose datagrams {@link Game#dissector} cannot decrypt;
     * asked when the client connects. Default: nowhere.
     */
    default Optional<Plaintext> plaintext() {
        return Optional.empty();
    }

    /**
     * The client is disconnected; no event follows.
     *
     * @param reason the reason as a sentence, with the server's text
     */
    default void onEnded(Client self, EndReason ending, String reason) {}
}
