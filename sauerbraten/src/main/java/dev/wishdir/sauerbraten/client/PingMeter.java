package dev.wishdir.sauerbraten.client;

import dev.wishdir.net.loop.Duty;

import java.util.concurrent.TimeUnit;

/** Measures the round trip to the server as the original client does: smoothed, by pings. */
final class PingMeter {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final long startedAt;
    private long next = Duty.NEVER;
    private int roundTrip;

    /**
     * @param startedAt when the client started, nanoseconds
     */
    PingMeter(long startedAt) {
        this.startedAt = startedAt;
    }

    /** The time that is sent in messages: since the start, milliseconds. */
    int millis(long now) {
        return (int) TimeUnit.NANOSECONDS.toMillis(now - startedAt);
    }

    /** Starts to send pings. */
    void start(long now) {
        next = now;
    }

    /** Time of the next ping, nanoseconds. */
    long deadline() {
        return next;
    }

    /** Whether a ping is to be sent now; if so, the next is due after the interval. */
    boolean takeDue(long now) {
        if (now < next) {
            return false;
        }
        next = now + INTERVAL_NANOS;
        return true;
    }

    /**
     * The server has answered a ping.
     *
     * @param sentMillis when it was sent, as in {@link #millis}
     */
    void onPong(long now, int sentMillis) {
        roundTrip = (5 * roundTrip + Math.max(0, millis(now) - sentMillis)) / 6;
    }

    /** The smoothed round trip, milliseconds. */
    int roundTrip() {
        return roundTrip;
    }
}
