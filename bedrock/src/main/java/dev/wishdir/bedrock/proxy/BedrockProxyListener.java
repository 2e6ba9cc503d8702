package dev.wishdir.bedrock.proxy;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Direction;

import java.net.InetSocketAddress;

/** Observes a {@link BedrockProxy}, on its thread. Must neither block nor throw. */
public interface BedrockProxyListener {
    /** Observes nothing. */
    BedrockProxyListener NONE = new BedrockProxyListener() {};

    /** Whether {@link #onDatagram} is used; queried once for each session. */
    default boolean isObserving() {
        return false;
    }

    /**
     * A part of a session in the clear: a RakNet datagram without encryption and compression, as
     * between this client and the server. It has what the client sent and received.
     *
     * @param now nanoseconds
     */
    default void onDatagram(
            long now, InetSocketAddress client, Direction direction, Bytes datagram) {}

    /**
     * The proxy has connected to the server for a client.
     *
     * @param proxy the address towards the server
     */
    default void onConnected(InetSocketAddress client, InetSocketAddress proxy) {}

    /**
     * Something went wrong in a client's session, which goes on.
     *
     * @param problem in a few words
     */
    default void onProblem(InetSocketAddress client, String problem) {}

    /**
     * The session of a client has ended.
     *
     * @param reason in a few words
     */
    default void onClosed(InetSocketAddress client, String reason) {}
}
