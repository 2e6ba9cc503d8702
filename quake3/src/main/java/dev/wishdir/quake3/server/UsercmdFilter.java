package dev.wishdir.quake3.server;

import dev.wishdir.net.TokenBucket;
import dev.wishdir.quake3.message.Usercmd;

/** The usercmds of one client: which of them are new, and how many are executed. */
final class UsercmdFilter {
    /** A client that has sent none for so long is shown as lagging, nanoseconds. */
    private static final long LAGGING_AFTER_NANOS = 150_000_000;

    /** So many are executed at once: 10 s of a client that was held up, at 125 a second. */
    static final double MAX_STEPS_PER_SECOND = 1_250;

    private static final double MAX_STEPS_A_SECOND = 500;

    /** Those that are executed; the next one takes the time of one that is not. */
    private final TokenBucket steps = new TokenBucket(MAX_STEPS_PER_SECOND, MAX_STEPS_A_SECOND);

    private Usercmd last = Usercmd.ZERO;
    private int time;
    private long came;

    /** A level begins, and its clock. */
    void reset() {
        time = 0;
    }

    /** The first ones of a level have come: what they say counts from here. */
    void begin(Usercmd first, int latest) {
        time = Math.min(first.serverTime(), latest);
        last = first;
    }

    /** Some have come. */
    void came(long now) {
        came = now;
    }

    /** Whether none has come for a while. */
    boolean areQuiet(long now) {
        return now - came >= LAGGING_AFTER_NANOS;
    }

    /** The newest one. */
    Usercmd last() {
        return last;
    }

    /** Whether one is newer than all before it. */
    boolean isNew(Usercmd command) {
        return command.serverTime() > time;
    }

    /**
     * Takes a new one in.
     *
     * @param latest the latest server time that it may be of
     * @return whether there is room to execute it
     */
    boolean take(long now, Usercmd command, int latest) {
        time = Math.min(command.serverTime(), latest);
        return steps.tryAcquire(now);
    }

    /** How many there was no room for since one was executed. */
    int tooMany() {
        return steps.refused();
    }

    /** One is executed. Returns the buttons that it presses and the one before did not. */
    int execute(Usercmd command) {
        int pressed = command.buttons() & ~last.buttons();
        last = command;
        return pressed;
    }
}
