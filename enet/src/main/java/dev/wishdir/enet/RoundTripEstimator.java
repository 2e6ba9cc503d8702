package dev.wishdir.enet;

/**
 * Round-trip estimate of a peer and the throttle of its unreliable messages, in milliseconds.
 *
 * <p>ENet's own integer arithmetic: docs/protocols/enet.md#timers and
 * docs/protocols/enet.md#flow-control.
 */
final class RoundTripEstimator {
    /** Throttle at which nothing is dropped. */
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

    int throttle() {
        return throttle;
    }

    /** The retransmission time-out of a first transmission. */
    int timeout() {
        return mean + 4 * variance;
    }

    void addSample(long now, long elapsed) {
        int sample = (int) Math.max(1, elapsed);
        if (measured) {
            adjustThrottle(sample);
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

    private void adjustThrottle(int sample) {
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

    /** Limits the throttle, 1..{@link #FULL_THROTTLE}. */
    void limit(int limit) {
        this.limit = limit;
        throttle = Math.min(throttle, limit);
    }

    /** Whether the throttle drops the next unreliable message. */
    boolean shouldDrop() {
        counter = (counter + THROTTLE_STEP) % FULL_THROTTLE;
        return counter > throttle;
    }
}
