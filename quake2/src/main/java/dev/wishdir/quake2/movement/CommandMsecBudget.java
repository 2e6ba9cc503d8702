package dev.wishdir.quake2.movement;

/**
 * The speed check: limits the total time of a client's commands. The game's own rule refuses
 * commands above 1800 ms between two refills, every 16 frames; refused time counts as spent. A slow
 * excess passes that rule, and is found by comparing the time of all commands with the clock.
 *
 * <p>See docs/protocols/quake2.md, 4.4.
 */
final class CommandMsecBudget {
    private static final int MAX_COMMAND_MSEC = 1800;
    private static final int REFILL_FRAMES = 16;

    /** Longest time that a client may catch up on after a silence. */
    private static final double MAX_CREDIT_MILLIS = 10_000;

    /** Largest lead of the total time of the commands over the clock. */
    static final double MAX_AHEAD_MILLIS = 2000;

    private int leftMsec = MAX_COMMAND_MSEC;
    private double creditMillis;
    private long last;
    private boolean started;
    private double aheadMillis;

    /** Advances to a frame. */
    void frame(int number) {
        if (number % REFILL_FRAMES == 0) {
            leftMsec = MAX_COMMAND_MSEC;
        }
    }

    /**
     * Spends the time of a command.
     *
     * @return whether it may run
     */
    boolean tryRun(long now, int msec) {
        if (!started) {
            started = true;
            last = now;
        }
        creditMillis =
                Math.min(MAX_CREDIT_MILLIS, creditMillis + Math.max(0, now - last) / 1e6) - msec;
        last = now;
        if (creditMillis < -MAX_AHEAD_MILLIS) {
            aheadMillis = -creditMillis;
            creditMillis = -MAX_AHEAD_MILLIS;
        }
        // A command without time costs the server as much as any other.
        leftMsec -= Math.max(1, msec);
        return leftMsec >= 0;
    }

    /** Lead of the commands over the clock when they last exceeded the limit; 0 if never. */
    double aheadMillis() {
        return aheadMillis;
    }
}
