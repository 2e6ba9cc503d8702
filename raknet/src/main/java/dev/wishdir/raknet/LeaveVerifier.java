package dev.wishdir.raknet;

/**
 * Verification of a disconnection notification that anyone may have forged.
 *
 * <p>The peer is pinged a little later, when a peer that left has received the acknowledgement and
 * is gone. It has left if no datagram of it arrives after that (compare RFC 5961, section 3).
 */
final class LeaveVerifier {
    private static final long PING_DELAY_NANOS = 250_000_000;
    private static final long ANSWER_TIMEOUT_NANOS = 1_000_000_000;

    /** Step after time has passed. */
    enum Step {
        NONE,
        PING,
        LEFT
    }

    private long pingDue = Long.MAX_VALUE;
    private long pinged = Long.MAX_VALUE;

    /** A notification was received; repeated ones change nothing. */
    void onNotification(long now) {
        if (due() == Long.MAX_VALUE) {
            pingDue = now + PING_DELAY_NANOS;
        }
    }

    /** Latest time of the next {@link #advance}, nanoseconds. */
    long due() {
        return pinged == Long.MAX_VALUE ? pingDue : pinged + ANSWER_TIMEOUT_NANOS;
    }

    /**
     * @param lastReceived time of the peer's last sign of life
     */
    Step advance(long now, long lastReceived) {
        if (now < due()) {
            return Step.NONE;
        }
        if (pinged == Long.MAX_VALUE) {
            pinged = now;
            return Step.PING;
        }
        boolean left = lastReceived <= pinged;
        pingDue = Long.MAX_VALUE;
        pinged = Long.MAX_VALUE;
        return left ? Step.LEFT : Step.NONE;
    }
}
