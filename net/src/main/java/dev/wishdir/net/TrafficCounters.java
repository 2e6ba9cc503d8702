package dev.wishdir.net;

/**
 * What has come and gone over one connection, as its transport counts it. For the thread of the
 * connection.
 */
public final class TrafficCounters {
    private long datagramsIn;
    private long bytesIn;
    private long numberedIn;
    private long lostIn;
    private long datagramsOut;
    private long bytesOut;
    private long lostOut;

    /** A datagram of the other side came in, of so many bytes. */
    public void in(int bytes) {
        datagramsIn++;
        bytesIn += bytes;
    }

    /** A datagram went to the other side, of so many bytes. */
    public void out(int bytes) {
        datagramsOut++;
        bytesOut += bytes;
    }

    /** Something came in that has a number, after so many that are missing. */
    public void sequencedIn(int missing) {
        numberedIn++;
        lostIn(missing);
    }

    /** So many of what has numbers are missing. */
    public void lostIn(int count) {
        lostIn += count;
    }

    /** So much that went out was not acknowledged in time. */
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
     * What came that the other side numbers, so that a missing one is noticed: datagrams, or of
     * ENet unreliable messages and of SCTP chunks.
     */
    public long sequencedIn() {
        return numberedIn;
    }

    /** What did not come of that, or came after what follows it. */
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
     * What was not acknowledged in time, and so most likely lost: whatever it is that a transport
     * sends again. 0 where a transport can't tell.
     */
    public long lostOut() {
        return lostOut;
    }
}
