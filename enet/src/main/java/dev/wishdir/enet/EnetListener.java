package dev.wishdir.enet;

import dev.wishdir.wire.Bytes;

/**
 * Callbacks of an {@link EnetHost}; a callback may use any peer, also its own. Called inside {@link
 * EnetHost#receive} and {@link EnetHost#advance} with the time of that call, nanoseconds, and
 * inside {@link EnetPeer#disconnect} with the time of the last one.
 */
public interface EnetListener {
    /** A connection is up. */
    default void onConnected(long now, EnetPeer peer) {}

    /**
     * A message was received.
     *
     * @param reliable whether the message was sent reliably
     */
    default void onReceived(
            long now, EnetPeer peer, int channel, Bytes payload, boolean reliable) {}

    /**
     * A connection, or an attempt to connect, has ended; the last callback of this peer. Not called
     * after {@link EnetPeer#reset} or {@link EnetPeer#disconnectNow}.
     *
     * @param data the peer's application-defined reason, 0..2^32-1; 0 if it gave none
     */
    default void onDisconnected(long now, EnetPeer peer, long data, EnetDisconnectReason reason) {}
}
