package dev.wishdir.arena.validation;

import java.util.concurrent.TimeUnit;

/**
 * The rate of fire of one player, by its client's own clock: two shots that the network holds up
 * and delivers together were still a gun's delay apart. The clock may run ahead of the server's by
 * {@link #MAX_AHEAD_NANOS}, so that in the long run the server's clock decides.
 *
 * <p>Times of the server are nanoseconds, those of the client milliseconds since any moment, whose
 * 32 bits wrap after 24.8 days.
 */
public final class ShotClock {
    /** Largest lead of the client's clock: as long as the network may hold up shots. */
    public static final long MAX_AHEAD_NANOS = 1_000_000_000;

    /** The answer to a shot. */
    public enum Answer {
        GRANTED,
        /** The delay of the gun that fired last is not over by the client's own clock. */
        TOO_EARLY,
        /**
         * More shots than the server's time has passed for; happens after the network stood still.
         */
        AHEAD
    }

    private long offset;
    private long lastMillis;
    private long delayMillis;

    /** The time of the last shot by the server's clock, to which the client's is fitted. */
    private long lastAt;

    private boolean fired;

    /** Of earlier lives also. */
    private final DelayClock delays = new DelayClock();

    /** Begins another life: no shot waits for the last one. */
    public void reset() {
        fired = false;
    }

    /**
     * Counts a shot, if it is granted.
     *
     * @param millis of the client's clock
     * @param gunDelayMillis the delay of its gun until the next shot of any
     */
    public Answer fire(long now, int millis, int gunDelayMillis) {
        if (fired && waited(millis) < delayMillis) {
            return Answer.TOO_EARLY;
        }
        long client = lastMillis + waited(millis);
        long at = TimeUnit.MILLISECONDS.toNanos(client);
        delays.add(now, millis);
        boolean idle = now >= lastAt + TimeUnit.MILLISECONDS.toNanos(delayMillis);
        if (!fired || idle || offset + at <= now) {
            // Late, or the clocks differ: the gun is ready by the server's clock, too.
            offset = now - at;
        }
        Answer answer = time(now, millis);
        if (answer == Answer.GRANTED) {
            fired = true;
            lastAt = offset + at;
            lastMillis = client;
            delayMillis = gunDelayMillis;
        }
        return answer;
    }

    /**
     * Judges the time of anything else that the client did.
     *
     * @param millis of the client's clock
     */
    public Answer time(long now, int millis) {
        long at = TimeUnit.MILLISECONDS.toNanos(lastMillis + waited(millis));
        return fired && offset + at - now > MAX_AHEAD_NANOS ? Answer.AHEAD : Answer.GRANTED;
    }

    /**
     * Time for which the network held up an action longer than the quickest of the client's recent
     * shots, of earlier lives also; 0 without one. It is the client's word.
     *
     * @param millis of the client's clock
     */
    public long heldUpNanos(long now, int millis) {
        return delays.heldUpNanos(now, millis);
    }

    /** Milliseconds from the last granted shot to a time of the client. */
    public long waited(int millis) {
        // As 32 bits, which wrap.
        int waited = millis - (int) lastMillis;
        return waited;
    }

    /** The delay that the next shot must wait for, milliseconds. */
    public long delayMillis() {
        return delayMillis;
    }
}
