package dev.wishdir.arena;

/** What may be had at once, and again as time passes. A clock that steps back brings nothing. */
final class TokenBucket {
    private final double most;
    private final double aSecond;
    private double left;
    private long last;

    /**
     * @param most at once, all of which is there at first
     * @param aSecond in the long run
     */
    TokenBucket(double most, double aSecond) {
        this.most = most;
        this.aSecond = aSecond;
        left = most;
    }

    /** How much is left now. */
    double left(long now) {
        left = Math.min(most, left + Math.max(0, now - last) / 1e9 * aSecond);
        last = now;
        return left;
    }

    /** Whether nothing is missing now. */
    boolean isFull(long now) {
        return left(now) >= most;
    }

    /** Takes an amount; takes nothing and returns false if it is not left now. */
    boolean take(long now, double amount) {
        if (left(now) < amount) {
            return false;
        }
        left -= amount;
        return true;
    }
}
