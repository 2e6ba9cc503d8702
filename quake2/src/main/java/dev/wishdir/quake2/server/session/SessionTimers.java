package dev.wishdir.quake2.server.session;

/** Timers of one session: its last packets each way, and the time-outs that follow from them. */
final class SessionTimers {
    private static final long KEEP_ALIVE_INTERVAL_NANOS = 1_000_000_000;
    private static final long IDLE_TIMEOUT_NANOS = 90_000_000_000L;
    private static final long ENTER_TIMEOUT_NANOS = 300_000_000_000L;
    private static final long FIRST_PACKET_TIMEOUT_NANOS = 10_000_000_000L;
    private static final long ZOMBIE_NANOS = 2_000_000_000;

    /** Time for which a disconnected client with a bad connection is sent the reason. */
    private static final long UNACKED_ZOMBIE_NANOS = 10_000_000_000L;

    /** Time to return the number of the map, which proves the address. */
    private static final long PROOF_TIMEOUT_NANOS = 30_000_000_000L;

    /** A client that acknowledges no packet for this long is slow. */
    private static final long SLOW_AFTER_NANOS = 2_000_000_000;

    /** Time at which the sign-on of the current map had to start. */
    private long signOnStart;

    private long lastReceived;
    private long lastAcknowledged;
    private long lastSent;

    /** Starts as the session is accepted. */
    SessionTimers(long now) {
        signOnStart = now;
        lastReceived = now;
        lastAcknowledged = now;
        lastSent = now;
    }

    /** Records that the sign-on of another map must start. */
    void onMapChange(long now) {
        signOnStart = now;
    }

    /** Records a new packet, or the disconnection, from which the time-out of a zombie counts. */
    void onReceived(long now) {
        lastReceived = now;
    }

    void onAcknowledged(long now) {
        lastAcknowledged = now;
    }

    void onSent(long now) {
        lastSent = now;
    }

    /** Nanoseconds since the last new packet. */
    long idleNanos(long now) {
        return now - lastReceived;
    }

    /**
     * Whether the time-out of a state has passed.
     *
     * @param proven whether the client has proven its address
     * @param quiet whether it has acknowledged everything
     */
    boolean isExpired(long now, SessionState state, boolean proven, boolean quiet) {
        long idle = idleNanos(now);
        return switch (state) {
            case ACCEPTED -> idle > FIRST_PACKET_TIMEOUT_NANOS;
            case CONNECTED, LOADING ->
                    idle > IDLE_TIMEOUT_NANOS
                            || now - signOnStart
                                    > (proven ? ENTER_TIMEOUT_NANOS : PROOF_TIMEOUT_NANOS);
            case SPAWNED -> idle > IDLE_TIMEOUT_NANOS;
            case ZOMBIE -> idle > (quiet ? ZOMBIE_NANOS : UNACKED_ZOMBIE_NANOS);
        };
    }

    /** Whether the client has acknowledged nothing for long. */
    boolean isSlow(long now) {
        return now - lastAcknowledged >= SLOW_AFTER_NANOS;
    }

    /** Whether a packet is due so that the client does not time out. */
    boolean isKeepAliveDue(long now) {
        return now - lastSent >= KEEP_ALIVE_INTERVAL_NANOS;
    }
}
