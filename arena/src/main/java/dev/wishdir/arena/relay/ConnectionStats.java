package dev.wishdir.arena.relay;

/**
 * Traffic of one player's connection since it connected, as its transport counts it.
 *
 * @param datagramsIn received
 * @param bytesIn payload bytes received
 * @param sequencedIn received with a sequence number, so that a loss is noticed: datagrams, or
 *     messages if the transport numbers only those
 * @param lostIn of the sequenced ones, not received or too late
 * @param datagramsOut sent
 * @param bytesOut payload bytes sent
 * @param lostOut sent and not acknowledged in time, in the unit that the transport retransmits; 0
 *     if it can't know
 */
public record ConnectionStats(
        long datagramsIn,
        long bytesIn,
        long sequencedIn,
        long lostIn,
        long datagramsOut,
        long bytesOut,
        long lostOut) {
    /** No traffic is known. */
    public static final ConnectionStats UNKNOWN = new ConnectionStats(0, 0, 0, 0, 0, 0, 0);

    /** The traffic since an earlier state of the same connection. */
    public ConnectionStats since(ConnectionStats before) {
        return new ConnectionStats(
                datagramsIn - before.datagramsIn,
                bytesIn - before.bytesIn,
                sequencedIn - before.sequencedIn,
                lostIn - before.lostIn,
                datagramsOut - before.datagramsOut,
                bytesOut - before.bytesOut,
                lostOut - before.lostOut);
    }

    /** Inbound loss, 0 to 1; 0 if nothing was received. */
    public double loss() {
        long sent = sequencedIn + lostIn;
        return sent == 0 ? 0 : (double) lostIn / sent;
    }
}
