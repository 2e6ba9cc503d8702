package dev.wishdir.enet;

import dev.wishdir.wire.Bytes;

/**
 * Callbacks of an {@link EnetHost}. Called inside {@link EnetHost#receive} and {@link
 * EnetHost#advance}; a callback may use any peer, also its own.
 */
public interface EnetListener {
    /** A connection is up. */
    default void onConnected(EnetPeer peer) {}

    /**
     * A message came in.
     *
     * @param reliable whether the sender wanted it to arrive
     */
    default void onReceived(EnetPeer peer, int channel, Bytes payload, boolean reliable) {}

    /**
     * A connection, or the attempt at one, has ended; nothing follows. Not called for a peer that
     * this side {@link EnetPeer#reset reset} or {@link EnetPeer#disconnectNow disconnected at
     * once}.
     *
     * @param data the reason that the other side gave, 0..2^32-1; 0 where it gave none
     */
    default void onDisconnected(EnetPeer peer, long data, EnetDisconnectReason reason) {}
}
