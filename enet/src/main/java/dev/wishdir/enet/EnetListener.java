package dev.wishdir.enet;

import dev.wishdir.wire.Bytes;

/**
 * Whom an {@link EnetHost} tells what happens. Called inside {@link EnetHost#receive} and {@link
 * EnetHost#advance}; it may use any peer, the one that it is told of too.
 */
public interface EnetListener {
    /** Why a connection ended. */
    enum Cause {
        /** This side ended it, and the other side knows. */
        LOCAL,
        /** The other side ended it. */
        REMOTE,
        /** The other side is silent. */
        TIMEOUT,
        /** The other side goes on sending and does not acknowledge what it is sent. */
        NOT_ACKNOWLEDGING,
        /** The other side does not go on with a message that it has begun. */
        INCOMPLETE,
        /** The other side sent, or left unacknowledged, more than this side keeps for it. */
        OVERFLOW,
        /** The other side answered a CONNECT with terms that were not asked for. */
        PROTOCOL,
        /** The same address and port connected anew. */
        REPLACED
    }

    /** A connection is up. */
    default void connected(EnetPeer peer) {}

    /**
     * A message came in.
     *
     * @param reliable whether the sender wanted it to arrive
     */
    default void received(EnetPeer peer, int channel, Bytes payload, boolean reliable) {}

    /**
     * A connection, or the attempt at one, has ended; nothing follows. Not called for a peer that
     * this side {@link EnetPeer#reset reset} or {@link EnetPeer#disconnectNow disconnected at
     * once}.
     *
     * @param data the reason that the other side gave, 0..2^32-1; 0 where it gave none
     */
    default void disconnected(EnetPeer peer, long data, Cause cause) {}
}
