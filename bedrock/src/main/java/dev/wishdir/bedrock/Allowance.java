package dev.wishdir.bedrock;

/** So many of something a second, with a reserve for bursts. */
final class Allowance {
    private final double rate;
    private final double most;
    private double left;
    private long last;

    Allowance(double rate, double most) {
        this.rate = rate;
        this.most = most;
        left = most;
    }

    /** Whether one is left; takes it then. */
    boolean take(long now) {
        left = Math.min(most, left + Math.max(0, now - last) * rate / 1e9);
        last = now;
        if (left < 1) {
            return false;
        }
        left--;
        return true;
    }
}
