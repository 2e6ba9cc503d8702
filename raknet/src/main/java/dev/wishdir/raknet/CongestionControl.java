package dev.wishdir.raknet;

/**
 * Congestion window and retransmission time-out:
 * docs/protocols/raknet.md#retransmission-and-congestion.
 *
 * <p>The window opens like TCP's: by a datagram per acknowledgement up to the threshold, then by
 * one per round trip. It closes at most once per round trip.
 */
final class CongestionControl {
    private static final long INITIAL_RTO_NANOS = 500_000_000;
    private static final long MAX_RTO_NANOS = 2_000_000_000;
    private static final long ACK_TICK_NANOS = 30_000_000;
    private static final double GAIN = 0.05;

    private final int capacity;
    private final double maxWindow;
    private double roundTrip;
    private double deviation;
    private boolean measured;
    private int backoff;
    private double window;
    private double threshold = Double.MAX_VALUE;
    private long reducedAt;

    /**
     * @param capacity maximum length of a datagram, bytes
     * @param maxDatagrams maximum window, datagrams
     */
    CongestionControl(int capacity, int maxDatagrams) {
        this.capacity = capacity;
        maxWindow = (double) maxDatagrams * capacity;
        window = 4.0 * capacity;
    }

    /** The smoothed round-trip time, nanoseconds; 0 before the first measurement. */
    long roundTrip() {
        return (long) roundTrip;
    }

    /** Whether more may be sent while the given number of bytes is in flight. */
    boolean hasRoom(int inFlight) {
        return inFlight < window;
    }

    /**
     * Handles the acknowledgement of a datagram.
     *
     * @param rtt time since it was sent, nanoseconds
     */
    void onAck(long rtt) {
        if (!measured) {
            measured = true;
            roundTrip = rtt;
            deviation = rtt;
        } else {
            double difference = rtt - roundTrip;
            roundTrip += GAIN * difference;
            deviation += GAIN * (Math.abs(difference) - deviation);
        }
        backoff = 0;
        window += window < threshold ? capacity : (double) capacity * capacity / window;
        window = Math.min(window, maxWindow);
    }

    /**
     * Handles a NACK of a datagram.
     *
     * @param next the number of the next datagram to be sent
     */
    void onNack(long number, long next) {
        reduce(number, next, 0.75, 0.75);
    }

    /** Handles a datagram that was not acknowledged in time. */
    void onTimeout(long number, long next) {
        reduce(number, next, 0.5, 0);
    }

    /** Doubles the time-out after some datagrams were not acknowledged in time. */
    void backOff() {
        backoff++;
    }

    /** Closes the window, once for everything in flight when it was closed last. */
    private void reduce(long number, long next, double thresholdFactor, double windowFactor) {
        if (number >= reducedAt) {
            reducedAt = next;
            threshold = Math.max(window * thresholdFactor, 2.0 * capacity);
            window = Math.max(window * windowFactor, 2.0 * capacity);
        }
    }

    /** The retransmission time-out, nanoseconds. */
    long timeout() {
        double base = measured ? 2 * roundTrip + 4 * deviation + ACK_TICK_NANOS : INITIAL_RTO_NANOS;
        return (long) Math.min(base * (1 << Math.min(backoff, 6)), MAX_RTO_NANOS);
    }
}
