package dev.wishdir.raknet;

/**
 * How much may be on its way at once, and how long it may be on its way:
 * docs/protocols/raknet.md#retransmission-and-congestion. The window opens as TCP's does: by a
 * datagram an acknowledgement until the threshold, then by one a round trip; it closes at most once
 * a round trip.
 */
final class CongestionControl {
    private static final long INITIAL_RTO_NANOS = 500_000_000;
    private static final long MAX_RTO_NANOS = 2_000_000_000;
    private static final long ACK_TICK_NANOS = 30_000_000;
    private static final double GAIN = 0.05;

    private final int capacity;
    private double roundTrip;
    private double deviation;
    private boolean measured;
    private int backoff;
    private double window;
    private double threshold = Double.MAX_VALUE;
    private long reducedAt;

    /**
     * @param capacity the bytes of the largest datagram
     */
    CongestionControl(int capacity) {
        this.capacity = capacity;
        window = 4.0 * capacity;
    }

    /** The smoothed round trip, nanoseconds; 0 while none was measured. */
    long roundTrip() {
        return (long) roundTrip;
    }

    /** Whether more may be sent while the given number of bytes is in flight. */
    boolean hasRoom(int inFlight) {
        return inFlight < window;
    }

    /** A datagram was acknowledged that was sent so long ago. */
    void acknowledged(long rtt) {
        if (!measured) {
            measured = true;
            roundTrip = rtt;
            deviation = rtt;
        } else {
            double off = rtt - roundTrip;
            roundTrip += GAIN * off;
            deviation += GAIN * (Math.abs(off) - deviation);
        }
        backoff = 0;
        window += window < threshold ? capacity : (double) capacity * capacity / window;
        window = Math.min(window, (double) RakNetSender.WINDOW * capacity);
    }

    /**
     * The other side misses a datagram.
     *
     * @param next the number of the next that is sent
     */
    void missed(long number, long next) {
        reduce(number, next, 0.75, 0.75);
    }

    /** A datagram was not acknowledged in time. */
    void expired(long number, long next) {
        reduce(number, next, 0.5, 0);
    }

    /** Some datagrams were: the next have longer. */
    void backOff() {
        backoff++;
    }

    /** Closes the window, but only once for all that was on its way when it was closed last. */
    private void reduce(long number, long next, double thresholdFactor, double windowFactor) {
        if (number >= reducedAt) {
            reducedAt = next;
            threshold = Math.max(window * thresholdFactor, 2.0 * capacity);
            window = Math.max(window * windowFactor, 2.0 * capacity);
        }
    }

    /** How long a datagram may go unacknowledged, nanoseconds. */
    long timeout() {
        double base = measured ? 2 * roundTrip + 4 * deviation + ACK_TICK_NANOS : INITIAL_RTO_NANOS;
        return (long) Math.min(base * (1 << Math.min(backoff, 6)), MAX_RTO_NANOS);
    }
}
