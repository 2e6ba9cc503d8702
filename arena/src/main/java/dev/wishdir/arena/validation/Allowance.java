package dev.wishdir.arena.validation;

/**
 * An amount that is spent and comes back with time, up to a maximum. Times are nanoseconds; a clock
 * that steps back brings nothing until it moves on.
 */
public final class Allowance {
    private final double max;
    private final double perSecond;
    private double left;
    private long refilledAt;

    /**
     * @param max at once; all of it is left at first
     * @param perSecond in the long run
     */
    public Allowance(double max, double perSecond) {
        this.max = max;
        this.perSecond = perSecond;
        left = max;
    }

    double left(long now) {
        left = Math.min(max, left + Math.max(0, now - refilledAt) / 1e9 * perSecond);
        refilledAt = now;
        return left;
    }

    boolean isFull(long now) {
        return left(now) >= max;
    }

    /** Spends an amount; spends nothing and returns false if less is left now. */
    public boolean trySpend(long now, double amount) {
        if (left(now) < amount) {
            return false;
        }
        left -= amount;
        return true;
    }

    /** Spends an amount, or what is left of it. */
    void spend(long now, double amount) {
        left = Math.max(0, left(now) - amount);
    }
}
