package dev.wishdir.sauerbraten.server;

import dev.wishdir.enet.EnetPeer;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;
import dev.wishdir.wire.Bytes;

/** Batches the positions of many players into few packets for one client. */
final class PositionBatcher {
    /** Leaves the same room for other data in a datagram as the original does. */
    private static final int MAX_BYTES = SauerbratenTransport.MTU_BYTES - 100;

    private final byte[] packet;
    private final EnetPeer to;
    private int length;

    /**
     * @param packet buffer for a datagram; shared with others between packets
     */
    PositionBatcher(byte[] packet, EnetPeer to) {
        this.packet = packet;
        this.to = to;
    }

    /**
     * Adds a position with another number.
     *
     * @param cn below 128, so that it is one byte
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

    /** Sends the rest. */
    void send() {
        if (length > 0) {
            to.send(SauerbratenTransport.POSITIONS, Bytes.copyOf(packet, 0, length), false);
            length = 0;
        }
    }
}
