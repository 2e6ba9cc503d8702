package dev.wishdir.net;

/**
 * Tells when a peer that goes on sending leaves unacknowledged what it was sent. Only the time in
 * which it sends is counted: a player whose game loads a map says nothing for a minute and has
 * acknowledged nothing when he is back, which is no fault of his. Who is silent altogether is
 * another deadline's matter.
 */
public final class AckProgressTimeout {
    /** What a pause between two packets counts at most, nanoseconds. */
    private static final long MAX_PAUSE_NANOS = 1_000_000_000;

    private final long limit;
    private long mark;
    private long last;
    private long counted;
    private boolean waited;

    /**
     * @param limit how long a peer may send without any progress, nanoseconds
     */
    public AckProgressTimeout(long limit) {
        this.limit = limit;
    }

    /**
     * A packet of the peer came in.
     *
     * @param waits whether anything waits to be acknowledged
     * @param progress a number that is another one after each acknowledgement
     * @return whether the peer has gone on like this for too long
     */
    public boolean onPacket(long now, boolean waits, long progress) {
        counted =
                waits && waited && progress == mark
                        ? counted + Math.clamp(now - last, 0, MAX_PAUSE_NANOS)
                        : 0;
        waited = waits;
        mark = progress;
        last = now;
        return counted >= limit;
    }

    /** How long the peer has sent without any progress, nanoseconds. */
    public long withoutProgressNanos() {
        return counted;
    }
}
