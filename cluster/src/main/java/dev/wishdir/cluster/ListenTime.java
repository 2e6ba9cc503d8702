package dev.wishdir.cluster;

/**
 * Since when the node has been able to hear others. What others did not say before, while the own
 * thread stood still or the bus was away, does not count as their silence.
 */
final class ListenTime {
    /** A longer time between two turns is a stall of the own thread or process. */
    static final long STALL_NANOS = 150_000_000;

    /** After a connect, as the others connect again at about the same time. */
    private static final long GRACE_NANOS = 700_000_000;

    private boolean connected;
    private long connectedSince;
    private long since;
    private long lastTurn;

    ListenTime(long nanos) {
        since = nanos;
        lastTurn = nanos;
    }

    /** A turn begins. */
    void turn(long nanos) {
        if (nanos - lastTurn > STALL_NANOS) {
            since = Math.max(since, nanos);
        }
        lastTurn = nanos;
    }

    void connect(long nanos) {
        connected = true;
        connectedSince = nanos;
        since = nanos + GRACE_NANOS;
    }

    void disconnect() {
        connected = false;
    }

    boolean isConnected() {
        return connected;
    }

    /** Whether the bus has been connected for a time. */
    boolean isConnectedFor(long nanos, long duration) {
        return connected && nanos - connectedSince >= duration;
    }

    /** How long a node has been silent that was last heard at a time. */
    long silence(long nanos, long heard) {
        return Math.max(0, nanos - Math.max(heard, since));
    }
}
