package dev.wishdir.net.limit;

/**
 * Time-out of a peer that keeps sending but acknowledges nothing that it was sent. Only time in
 * which the peer sends is counted: a client that loads a map sends nothing for a minute and has
 * acknowledged nothing afterwards, which is not a fault. A peer that sends nothing at all is found
 * by the idle time-out.
 */
public final class AckProgressTimeout {
    /** Maximum part of a pause between two packets that is counted, nanoseconds: 1 s. */
    private static final long MAX_PAUSE_NANOS = 1_000_000_000;

    private final long timeoutNanos;
    private long lastProgress;
    private long lastPacket;
    private long stalledNanos;
    private boolean wasInFlight;

    /**
     * @param timeoutNanos time that a peer may send without acknowledging, nanoseconds
     */
    public AckProgressTimeout(long timeoutNanos) {
        this.timeoutNanos = timeoutNanos;
    }

    /**
     * Records a packet of the peer.
     *
     * @param inFlight whether unacknowledged data is in flight
     * @param progress a number that changes with each acknowledgement
     * @return whether the time-out has passed
     */
    public boolean onPacket(long now, boolean inFlight, long progress) {
        stalledNanos =
                inFlight && wasInFlight && progress == lastProgress
                        ? stalledNanos + Math.clamp(now - lastPacket, 0, MAX_PAUSE_NANOS)
                        : 0;
        wasInFlight = inFlight;
        lastProgress = progress;
        lastPacket = now;
        return stalledNanos >= timeoutNanos;
    }

    /** Time for which the peer has sent without progress, nanoseconds. */
    public long withoutProgressNanos() {
        return stalledNanos;
    }
}
