package dev.wishdir.enet;

import java.net.InetSocketAddress;

/**
 * Destination of a connection's datagrams, and the peer ID and session in their headers.
 *
 * @param peerID this side's slot at the peer
 * @param session of that slot
 */
record PeerAddress(InetSocketAddress to, int peerID, int session) {
    /** The destination before the peer has answered. */
    static PeerAddress unanswered(InetSocketAddress to) {
        return new PeerAddress(to, EnetHeader.NO_PEER, 0);
    }

    EnetHeader header(int sentTime) {
        return new EnetHeader(peerID, session, false, sentTime);
    }
}
