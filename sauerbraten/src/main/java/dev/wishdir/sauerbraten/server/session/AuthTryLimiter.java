package dev.wishdir.sauerbraten.server.session;

import java.util.concurrent.TimeUnit;

/** Rate limit of a client's tries to prove a key: three in any ten seconds. */
public final class AuthTryLimiter {
    private static final int MAX_TRIES = 3;
    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Start times of the last tries, the oldest at {@link #oldest} once all are used. */
    private final long[] starts = new long[MAX_TRIES];

    private int used;
    private int oldest;

    /**
     * Counts a try.
     *
     * @return false if the client has had its tries; this one does not count
     */
    public boolean tryAcquire(long now) {
        if (used == MAX_TRIES && now - starts[oldest] < WINDOW_NANOS) {
            return false;
        }
        starts[oldest] = now;
        oldest = (oldest + 1) % MAX_TRIES;
        used = Math.min(used + 1, MAX_TRIES);
        return true;
    }
}
