package dev.wishdir.quake3.server.session;

import dev.wishdir.net.limit.TokenBucket;

/**
 * Times at which one client connected and last sent a packet, and the rate limit of its packets.
 */
public final class ClientActivity {
    /** Packets at once: far more than a genuine client sends at 1000 frames a second. */
    private static final double MAX_PACKET_BURST = 1_000;

    private final TokenBucket packetLimit = new TokenBucket(MAX_PACKET_BURST, MAX_PACKET_BURST / 2);
    private final long connectedAt;
    private long lastReceived;

    ClientActivity(long now) {
        connectedAt = now;
        lastReceived = now;
    }

    public long connectedAt() {
        return connectedAt;
    }

    /** Whether the rate limit allows another packet of the client. */
    public boolean maySend(long now) {
        return packetLimit.canAcquire(now, 1);
    }

    /** Records a received message. */
    public void record(long now) {
        packetLimit.tryAcquire(now);
        lastReceived = now;
    }

    /** Time since the client's last message, nanoseconds. */
    public long idleNanos(long now) {
        return now - lastReceived;
    }
}
