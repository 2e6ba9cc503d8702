package dev.wishdir.quake3.server.session;

import java.net.InetAddress;

/** The send rate of one client: limits packets to its {@code rate} setting, bytes a second. */
final class SendRate {
    private static final long SECOND_NANOS = 1_000_000_000;

    /** Bytes of the IPv4 and UDP headers of a datagram. */
    private static final int HEADER_BYTES = 28;

    private static final int MIN_BYTES_PER_SECOND = 1_000;
    private static final int MAX_BYTES_PER_SECOND = 90_000;

    private int bytesPerSecond = MAX_BYTES_PER_SECOND;
    private int uncharged;

    /** Time at which the rate allows the next packet. */
    private long nextPacket;

    void setBytesPerSecond(int rate) {
        bytesPerSecond = Math.clamp(rate, MIN_BYTES_PER_SECOND, MAX_BYTES_PER_SECOND);
    }

    /** Records a sent datagram of this length, which the next charge includes. */
    void onSent(int bytes) {
        uncharged += bytes + HEADER_BYTES;
    }

    /** Charges the sent bytes; private addresses have no limit. */
    void charge(long now, InetAddress to) {
        if (!to.isLoopbackAddress() && !to.isSiteLocalAddress() && uncharged > 0) {
            nextPacket = Math.max(nextPacket, now) + uncharged * SECOND_NANOS / bytesPerSecond;
        }
        uncharged = 0;
    }

    /** Time at which the charged bytes allow the next packet, nanoseconds; may be in the past. */
    long nextPacket() {
        return nextPacket;
    }
}
