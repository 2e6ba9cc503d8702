package dev.wishdir.enet;

import java.net.InetSocketAddress;

/**
 * Where the datagrams of a connection go, and what they say there of whose they are.
 *
 * @param peerID the slot that the other side has given this one
 * @param session of the slot there
 */
record PeerAddress(InetSocketAddress to, int peerID, int session) {
    /** That of a connection whose other side has not answered yet. */
    static PeerAddress unanswered(InetSocketAddress to) {
        return new PeerAddress(to, EnetHeader.NO_PEER, 0);
    }

    EnetHeader header(int sentTime) {
        return new EnetHeader(peerID, session, false, sentTime);
    }
}
