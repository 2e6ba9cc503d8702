package dev.wishdir.app.proxy;

import java.net.InetSocketAddress;

/** Observes a proxy, on its thread. Must neither block nor throw. */
public interface ProxyListener {
    /** Observes nothing. */
    ProxyListener NONE = _ -> {};

    /** A datagram was passed on. */
    void onDatagram(ProxiedDatagram datagram);

    /** A client has proved its address. */
    default void onConnected(InetSocketAddress client, InetSocketAddress proxy) {}

    /** Something went wrong with what is changed in a client's session. */
    default void onProblem(InetSocketAddress client, String problem) {}

    /** A client continues from another port. */
    default void onPortChanged(InetSocketAddress before, InetSocketAddress after) {}

    /**
     * The session of a client that had proved its address has ended.
     *
     * @param reason in a few words
     */
    default void onClosed(InetSocketAddress client, String reason) {}
}
