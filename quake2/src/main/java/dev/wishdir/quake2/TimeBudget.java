package dev.wishdir.quake2;

/**
 * How much time a client's commands may cover. The game's own rule refuses commands that cover more
 * than 1800 ms between two refills, which come every 16 frames; the time of what is refused is
 * spent all the same. A slow excess passes that rule: it is found by comparing all the commands'
 * time with the clock.
 */
final class TimeBudget {
    private static final int MOST = 1800;
    private static final int FRAMES = 16;
    private static final double CREDIT = 4000;
    private static final double EXCESS = -2000;

    private int left = MOST;
    private double credit;
    private long last;
    private boolean started;
    private boolean speeding;

    /** A frame was made. */
    void frame(int number) {
        if (number % FRAMES == 0) {
            left = MOST;
        }
    }

    /**
     * Takes the time of a command.
     *
     * @return whether it may run
     */
    boolean spend(long now, int msec) {
        if (!started) {
            started = true;
            last = now;
        }
        credit = Math.min(CREDIT, credit + Math.max(0, now - last) / 1e6) - msec;
        last = now;
        if (credit < EXCESS) {
            speeding = true;
            credit = EXCESS;
        }
        left -= msec;
        return left >= 0;
    }

    /** Whether the commands have covered seconds more than have passed. */
    boolean isSpeeding() {
        return speeding;
    }
}
