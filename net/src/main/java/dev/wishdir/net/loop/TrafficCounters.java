package dev.wishdir.net.loop;

/**
 * Counts of one connection's traffic and losses, as its transport sees them. Used only by the
 * connection's thread.
 */
public final class TrafficCounters {
    private long datagramsIn;
    private long bytesIn;
    private long sequencedIn;
    private long lostIn;
    private long datagramsOut;
    private long bytesOut;
    private long lostOut;

    /** Counts a received datagram. */
    public void in(int bytes) {
        datagramsIn++;
        bytesIn += bytes;
    }

    /** Counts a sent datagram. */
    public void out(int bytes) {
        datagramsOut++;
        bytesOut += bytes;
    }

    /**
     * Counts a received unit with a sequence number, and the numbers that are missing before it.
     */
    public void sequencedIn(int missing) {
        sequencedIn++;
        lostIn(missing);
    }

    /** Counts missing sequence numbers. */
    public void lostIn(int count) {
        lostIn += count;
    }

    /** Counts units that were not acknowledged in time. */
    public void lostOut(int count) {
        lostOut += count;
    }

    public long datagramsIn() {
        return datagramsIn;
    }

    /** Bytes of payloads, without the headers of UDP and IP. */
    public long bytesIn() {
        return bytesIn;
    }

    /**
     * Received units with a sequence number, which show losses: datagrams, ENet's unreliable
     * messages or SCTP chunks.
     */
    public long sequencedIn() {
        return sequencedIn;
    }

    /** Units with a sequence number that were lost or came late. */
    public long lostIn() {
        return lostIn;
    }

    public long datagramsOut() {
        return datagramsOut;
    }

    /** Bytes of payloads, without the headers of UDP and IP. */
    public long bytesOut() {
        return bytesOut;
    }

    /**
     * Units that were not acknowledged in time and so are probably lost: what the transport
     * retransmits. 0 where it can't know.
     */
    public long lostOut() {
        return lostOut;
    }
}
