package dev.wishdir.game;

import java.net.InetSocketAddress;

/** The server side of one game, through which its clients join the arena. */
public interface Endpoint extends AutoCloseable {
    /** The address that it listens on, with the actual port. */
    InetSocketAddress address();

    /**
     * Disconnects all players with a reason, in the game's own disconnect message, then closes the
     * sockets.
     *
     * @throws IllegalStateException on another thread than that of the duty cycle
     */
    void close(String reason);

    @Override
    default void close() {
        close("server is shutting down");
    }
}
