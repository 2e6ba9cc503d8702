package dev.wishdir.cluster.remote;

/**
 * The offset between the monotonic clocks of two machines, from one-way messages: the least of
 * (arrival - sent) in the last 10 s with messages. It is too large by the least transit time, and
 * follows a drift of the clocks.
 */
final class ClockOffset {
    private static final long WINDOW_NANOS = 1_000_000_000L;
    private static final int WINDOWS = 10;

    private final long[] least = new long[WINDOWS];
    private int used;
    private int current;
    private long windowStart;

    /**
     * Adds a message, and returns its age: how much longer it was under way than the fastest.
     *
     * @param arrival on the own clock, nanoseconds
     * @param sent on the sender's clock, nanoseconds
     */
    long age(long arrival, long sent) {
        long offset = arrival - sent;
        // Windows pass with messages only: after a pause the old offset still holds, and what was
        // buffered meanwhile is found to be old.
        if (used == 0) {
            used = 1;
            windowStart = arrival;
            least[0] = offset;
        } else if (arrival - windowStart >= WINDOW_NANOS) {
            current = (current + 1) % WINDOWS;
            used = Math.min(used + 1, WINDOWS);
            windowStart = arrival;
            least[current] = offset;
        } else {
            least[current] = Math.min(least[current], offset);
        }
        long min = offset;
        for (int i = 0; i < used; i++) {
            min = Math.min(min, least[i]);
        }
        // A sender may lie so that the difference overflows.
        return Math.max(0, offset - min);
    }
}
