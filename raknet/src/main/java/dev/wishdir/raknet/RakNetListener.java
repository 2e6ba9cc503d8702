package dev.wishdir.raknet;

import dev.wishdir.wire.Bytes;

/**
 * Receives the events of connections, inside calls of the state machine's own methods and on their
 * thread.
 */
public interface RakNetListener {
    /** How a connection ended. */
    enum EndReason {
        /** {@link RakNetPeer#close} ended it. */
        CLOSED,
        /** The other side ended it. */
        LEFT,
        /** The other side did not let us in. */
        REFUSED,
        /** The other side fell silent. */
        TIMED_OUT,
        /** The other side goes on sending and does not acknowledge what it is sent. */
        NOT_ACKNOWLEDGING,
        /** {@link RakNetPeer#abort} ended it. */
        SENT_AWAY,
        /** The other side broke the protocol or a limit. */
        VIOLATION
    }

    /** The connection is open: messages may be sent. */
    void onConnected(long now, RakNetPeer peer);

    /**
     * An application's message came in.
     *
     * @param message whole, its id first; a view that keeps the datagram it came in alive, so copy
     *     what is to be kept
     */
    void onReceived(long now, RakNetPeer peer, Bytes message);

    /**
     * The connection is gone; nothing follows. It may never have been open.
     *
     * @param reason in words, for a log or a person
     */
    void onEnded(long now, RakNetPeer peer, EndReason ending, String reason);
}
