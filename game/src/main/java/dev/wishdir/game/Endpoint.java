package dev.wishdir.game;

import java.net.InetSocketAddress;

/** The server side of one game: real clients join the arena through it. */
public interface Endpoint extends AutoCloseable {
    /** Where players connect, with the real port. */
    InetSocketAddress address();

    /**
     * Sends every player away with a reason in the game's own disconnect text, then closes the
     * sockets. Must be called on the thread of the duty cycle.
     */
    void close(String reason);

    @Override
    default void close() {
        close("server is shutting down");
    }
}
