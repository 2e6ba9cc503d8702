package dev.wishdir.game.proxy;

import dev.wishdir.net.loop.Counters;

import java.net.InetSocketAddress;

/** A running proxy between clients and one server. Used only by the thread of its cycle. */
public interface Proxy {
    /** The address for clients, on the game's port. */
    InetSocketAddress address();

    /** Number of clients that have proved their address. */
    int clients();

    /** Number of half-open sessions. */
    int halfOpen();

    /** Counts of what was not passed on. */
    Counters counters();

    /** Notifies the clients that the proxy stops, if the game has a notice. */
    default void stop(long now) {}
}
