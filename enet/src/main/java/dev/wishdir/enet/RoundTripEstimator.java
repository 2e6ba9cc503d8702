package dev.wishdir.enet;

/**
 * The round trip to a peer as its acknowledgements show it, and the throttle of unreliable messages
 * that follows from it: docs/protocols/enet.md#timers, and docs/protocols/enet.md#flow-control.
 * Milliseconds, in ENet's own integer arithmetic.
 */
final class RoundTripEstimator {
    /** The throttle at which nothing is dropped. */
    static final int FULL_THROTTLE = 32;

    private static final int THROTTLE_STEP = 7;

    private int mean = 500;
    private int variance;
    private boolean measured;

    private int lowest = mean;
    private int highestVariance;
    private int lastLowest = mean;
    private int lastVariance;
    private long epoch;

    private long interval = 5000;
    private long accel = 2;
    private long decel = 2;
    private int throttle = FULL_THROTTLE;
    private int limit = FULL_THROTTLE;
    private int counter;

    int mean() {
        return mean;
    }

    int variance() {
        return variance;
    }

    int throttle() {
        return throttle;
    }

    /** How long to wait for an acknowledgement before the first repetition. */
    int timeout() {
        return mean + 4 * variance;
    }

    void sample(long now, long elapsed) {
        int sample = (int) Math.max(1, elapsed);
        if (measured) {
            moveThrottle(sample);
            variance -= variance / 4;
            int difference = Math.abs(sample - mean);
            variance += difference / 4;
            mean += sample >= mean ? difference / 8 : -(difference / 8);
        } else {
            mean = sample;
            variance = (sample + 1) / 2;
        }
        lowest = Math.min(lowest, mean);
        highestVariance = Math.max(highestVariance, variance);
        if (!measured || now - epoch >= interval) {
            lastLowest = lowest;
            lastVariance = Math.max(1, highestVariance);
            lowest = mean;
            highestVariance = variance;
            epoch = now;
        }
        measured = true;
    }

    private void moveThrottle(int sample) {
        if (lastLowest <= lastVariance) {
            throttle = limit;
        } else if (sample <= lastLowest) {
            throttle = (int) Math.min(limit, throttle + accel);
        } else if (sample > lastLowest + 2 * lastVariance) {
            throttle = (int) Math.max(0, throttle - decel);
        }
    }

    void configure(long interval, long accel, long decel) {
        this.interval = interval;
        this.accel = accel;
        this.decel = decel;
    }

    /** Caps the throttle, 1..{@link #FULL_THROTTLE}. */
    void limit(int limit) {
        this.limit = limit;
        throttle = Math.min(throttle, limit);
    }

    /** Whether the next unreliable message has to be dropped. */
    boolean drops() {
        counter = (counter + THROTTLE_STEP) % FULL_THROTTLE;
        return counter > throttle;
    }
}
