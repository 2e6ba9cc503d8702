package dev.wishdir.quake2.movement;

/**
 * How much time a client's commands may cover. The game's own rule refuses commands that cover more
 * than 1800 ms between two refills, which come every 16 frames; the time of what is refused is
 * spent all the same. A slow excess passes that rule: it is found by comparing all the commands'
 * time with the clock.
 *
 * <p>See docs/protocols/quake2.md, 4.4.
 */
final class CommandMsecBudget {
    private static final int MAX_COMMAND_MSEC = 1800;
    private static final int FRAMES = 16;

    /** What a client may catch up with after a silence, ms. */
    private static final double CREDIT = 10_000;

    private static final double MAX_AHEAD_MILLIS = PlayerBody.MAX_AHEAD_MILLIS;

    private int left = MAX_COMMAND_MSEC;
    private double credit;
    private long last;
    private boolean started;
    private double ahead;

    /** A frame was made. */
    void frame(int number) {
        if (number % FRAMES == 0) {
            left = MAX_COMMAND_MSEC;
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
        if (credit < -MAX_AHEAD_MILLIS) {
            ahead = -credit;
            credit = -MAX_AHEAD_MILLIS;
        }
        // A command of no time costs the server as much as any other.
        left -= Math.max(1, msec);
        return left >= 0;
    }

    /**
     * How many milliseconds the commands were ahead of the clock when that was last too much; 0 if
     * it never was.
     */
    double ahead() {
        return ahead;
    }
}
