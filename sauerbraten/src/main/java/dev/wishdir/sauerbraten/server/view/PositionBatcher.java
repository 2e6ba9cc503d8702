package dev.wishdir.sauerbraten.server.view;

import dev.wishdir.enet.EnetPeer;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;
import dev.wishdir.wire.Bytes;

/**
 * Packs the positions of many players into few packets. All clients share one, each from its first
 * {@link #add} to its {@link #send}.
 */
public final class PositionBatcher {
    /** The original server leaves 100 bytes of a datagram free. */
    private static final int MAX_BYTES = SauerbratenTransport.MTU_BYTES - 100;

    private final long relayIntervalNanos;
    private final byte[] packet = new byte[MAX_BYTES];
    private int length;

    /**
     * @param relayIntervalNanos the minimum interval between two datagrams with movement
     */
    public PositionBatcher(long relayIntervalNanos) {
        this.relayIntervalNanos = relayIntervalNanos;
    }

    public long relayIntervalNanos() {
        return relayIntervalNanos;
    }

    /**
     * Adds a position with the number of its player.
     *
     * @param cn less than 128, so that it is one byte
     * @param position of a client with such a number; empty to add nothing
     */
    public void add(EnetPeer to, int cn, Bytes position) {
        if (position.length() == 0) {
            return;
        }
        if (length + position.length() > MAX_BYTES) {
            send(to);
        }
        position.copyTo(packet, length);
        packet[length + 1] = (byte) cn;
        length += position.length();
    }

    /** Sends the positions that were added for a client. */
    public void send(EnetPeer to) {
        if (length > 0) {
            Bytes positions = Bytes.copyOf(packet, 0, length);
            length = 0;
            to.send(SauerbratenTransport.POSITIONS, positions, false);
        }
    }
}
