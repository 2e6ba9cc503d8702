package dev.wishdir.sauerbraten.server;

import dev.wishdir.enet.EnetPeer;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;
import dev.wishdir.wire.Bytes;

/** Packs the positions of many players into few packets for one client. */
final class PositionBatcher {
    /** The original server leaves 100 bytes of a datagram free. */
    private static final int MAX_BYTES = SauerbratenTransport.MTU_BYTES - 100;

    private final byte[] packet;
    private final EnetPeer to;
    private int length;

    /**
     * @param packet a buffer for a datagram; shared, and used only until it is sent
     */
    PositionBatcher(byte[] packet, EnetPeer to) {
        this.packet = packet;
        this.to = to;
    }

    /**
     * Adds a position with the number of its player.
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

    /** Sends the positions that were added. */
    void send() {
        if (length > 0) {
            to.send(SauerbratenTransport.POSITIONS, Bytes.copyOf(packet, 0, length), false);
            length = 0;
        }
    }
}
