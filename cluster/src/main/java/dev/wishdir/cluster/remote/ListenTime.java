package dev.wishdir.cluster.remote;

/**
 * Since when the node has been able to hear others. What others did not say before, while the own
 * thread stood still or the bus was away, does not count as their silence.
 */
public final class ListenTime {
    /** A longer time between two turns is a stall of the own thread or process. */
    static final long STALL_NANOS = 150_000_000;

    /** After a connect, as the others connect again at about the same time. */
    private static final long GRACE_NANOS = 700_000_000;

    private boolean connected;
    private long connectedSince;
    private long since;
    private long lastTurn;

    public ListenTime(long nanos) {
        since = nanos;
        lastTurn = nanos;
    }

    /** A turn begins. */
    public void turn(long nanos) {
        if (nanos - lastTurn > STALL_NANOS) {
            since = Math.max(since, nanos);
        }
        lastTurn = nanos;
    }

    public void connect(long nanos) {
        connected = true;
        connectedSince = nanos;
        since = nanos + GRACE_NANOS;
    }

    public void disconnect() {
        connected = false;
    }

    public boolean isConnected() {
        return connected;
    }

    /** Whether the bus has been connected for a time. */
    public boolean isConnectedFor(long nanos, long duration) {
        return connected && nanos - connectedSince >= duration;
    }

    /** Silence of a node that was last heard at a time. */
    long silence(long nanos, long heard) {
        return Math.max(0, nanos - Math.max(heard, since));
    }
}
