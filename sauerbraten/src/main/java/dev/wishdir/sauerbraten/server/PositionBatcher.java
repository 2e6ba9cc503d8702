package dev.wishdir.sauerbraten.server;

import dev.wishdir.enet.EnetPeer;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;
import dev.wishdir.wire.Bytes;

/** Puts positions of many into few packets for one client. */
final class PositionBatcher {
    /** Room that the original leaves in a datagram beside positions. */
    private static final int MAX_BYTES = SauerbratenTransport.MTU_BYTES - 100;

    private final byte[] packet;
    private final EnetPeer to;
    private int length;

    /**
     * @param packet room for a datagram; others may use it between two packets
     */
    PositionBatcher(byte[] packet, EnetPeer to) {
        this.packet = packet;
        this.to = to;
    }

    /**
     * Adds a position, with a number for whose it is.
     *
     * @param cn less than 128, so that it is one byte
     * @param position of a client with such a number; empty to add nothing
     */
    void add(int cn, Bytes position) {
        if (position.length() == 0) {
            return;
        }
        if (length + position.length() > MAX_BYTES) {
            send();
        }
        position.copyTo(packet, length);
        packet[length + 1] = (byte) cn;
        length += position.length();
    }

    /** Sends what there is. */
    void send() {
        if (length > 0) {
            to.send(SauerbratenTransport.POSITIONS, Bytes.copyOf(packet, 0, length), false);
            length = 0;
        }
    }
}
