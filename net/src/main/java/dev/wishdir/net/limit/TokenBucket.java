package dev.wishdir.net.limit;

import dev.wishdir.net.Requirements;

/**
 * A token bucket: a rate limit with a burst. Times are nanoseconds; while the clock is behind its
 * last reading, nothing is refilled.
 */
public final class TokenBucket {
    private final double capacity;
    private final double perSecond;
    private double tokens;
    private long last;
    private int refused;

    /**
     * @param capacity tokens of a full bucket, the burst
     * @param perSecond tokens refilled a second
     */
    public TokenBucket(double capacity, double perSecond) {
        this.capacity = Requirements.notNegative("capacity", capacity);
        this.perSecond = Requirements.notNegative("perSecond", perSecond);
        this.tokens = capacity;
    }

    /** Takes one token; false if none is left. */
    public boolean tryAcquire(long now) {
        return tryAcquire(now, 1);
    }

    /** Whether {@code count} tokens are left now. */
    public boolean canAcquire(long now, int count) {
        tokens = Math.min(capacity, tokens + Math.max(0, now - last) / 1e9 * perSecond);
        last = now;
        return tokens >= count;
    }

    /** The tokens that a refill now would discard because the bucket is full. */
    public double overflow(long now) {
        return Math.max(0, tokens + Math.max(0, now - last) / 1e9 * perSecond - capacity);
    }

    /** Takes {@code count} tokens, or none and returns false if fewer are left. */
    public boolean tryAcquire(long now, int count) {
        if (!canAcquire(now, count)) {
            refused++;
            return false;
        }
        tokens -= count;
        refused = 0;
        return true;
    }

    /** Refusals since tokens were last granted. */
    public int refused() {
        return refused;
    }
}
