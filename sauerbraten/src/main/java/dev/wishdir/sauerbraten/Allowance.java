package dev.wishdir.sauerbraten;

/** How often a client may do something: so many at once, and so many a second. */
final class Allowance {
    private final double most;
    private final double aSecond;
    private double left;
    private long last;
    private int refused;

    Allowance(double most, double aSecond) {
        this.most = most;
        this.aSecond = aSecond;
        this.left = most;
    }

    /** Takes one; false if there is none left now. */
    boolean take(long now) {
        return take(now, 1);
    }

    /** Takes several, or none and says false if so many are not left now. */
    boolean take(long now, int wanted) {
        left = Math.min(most, left + Math.max(0, now - last) / 1e9 * aSecond);
        last = now;
        if (left < wanted) {
            refused++;
            return false;
        }
        left -= wanted;
        refused = 0;
        return true;
    }

    /** How many were refused since one was last granted. */
    int refused() {
        return refused;
    }
}
