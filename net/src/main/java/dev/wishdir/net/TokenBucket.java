package dev.wishdir.net;

/**
 * How often a client may do something: so many at once, and so many a second. Times are
 * nanoseconds; a clock that steps back brings nothing until it moves on.
 */
public final class TokenBucket {
    private final double most;
    private final double aSecond;
    private double left;
    private long last;
    private int refused;

    /**
     * @param most at once
     * @param aSecond in the long run
     */
    public TokenBucket(double most, double aSecond) {
        this.most = most;
        this.aSecond = aSecond;
        this.left = most;
    }

    /** Takes one; false if there is none left now. */
    public boolean tryAcquire(long now) {
        return tryAcquire(now, 1);
    }

    /** Whether so many are left now. */
    public boolean canAcquire(long now, int wanted) {
        left = Math.min(most, left + Math.max(0, now - last) / 1e9 * aSecond);
        last = now;
        return left >= wanted;
    }

    /**
     * How much the time since the last question brings beyond what is kept, and is lost with it.
     */
    public double overflow(long now) {
        return Math.max(0, left + Math.max(0, now - last) / 1e9 * aSecond - most);
    }

    /** Takes several, or none and says false if so many are not left now. */
    public boolean tryAcquire(long now, int wanted) {
        if (!canAcquire(now, wanted)) {
            refused++;
            return false;
        }
        left -= wanted;
        refused = 0;
        return true;
    }

    /** How many were refused since one was last granted. */
    public int refused() {
        return refused;
    }
}
