package dev.wishdir.arena.validation;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Clock of how long the network held up what a client sent, by the client's own clock, of which
 * nothing but its rate is known: longer than the quickest of its recent messages. It is the
 * client's word.
 *
 * <p>Times of the server are nanoseconds, those of the client milliseconds since any moment, whose
 * 32 bits wrap after 24.8 days.
 */
public final class DelayClock {
    /** The messages among which the quickest is looked for. */
    private static final int RECENT_MESSAGES = 16;

    /** The server's time minus the client's at the recent messages. */
    private final long[] offsets = new long[RECENT_MESSAGES];

    private long messages;

    /** The client's time of the last message, in full. */
    private long lastMillis;

    /**
     * Counts a message.
     *
     * @param millis of the client's clock
     */
    public void add(long now, int millis) {
        lastMillis = full(millis);
        offsets[(int) (messages++ % RECENT_MESSAGES)] = offset(now, millis);
    }

    private long full(int millis) {
        return lastMillis + (millis - (int) lastMillis);
    }

    private long offset(long now, int millis) {
        return now - TimeUnit.MILLISECONDS.toNanos(full(millis));
    }

    /** Whether any message was counted. */
    public boolean isKnown() {
        return messages > 0;
    }

    /**
     * Time for which the network held up a message longer than the quickest recent one; 0 without
     * one.
     *
     * @param millis of the client's clock
     */
    public long heldUpNanos(long now, int millis) {
        long offset = offset(now, millis);
        long known = Math.min(messages, RECENT_MESSAGES);
        return offset - Arrays.stream(offsets).limit(known).reduce(offset, Math::min);
    }
}
