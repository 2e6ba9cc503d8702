package dev.wishdir.quake3.movement;

import dev.wishdir.net.limit.TokenBucket;
import dev.wishdir.quake3.message.Usercmd;

/** The usercmd filter of one client: drops repeated usercmds and limits their rate. */
public final class UsercmdFilter {
    /** A client without usercmds for this time is shown as lagging. */
    private static final long LAGGING_AFTER_NANOS = 150_000_000;

    /** Maximum number executed at once: 10 s of a stalled connection, at 125 a second. */
    public static final double MAX_BURST = 1_250;

    private static final double MAX_PER_SECOND = 500;

    /** Rate limit of executed usercmds; the next one covers the time of one that is dropped. */
    private final TokenBucket rateLimit = new TokenBucket(MAX_BURST, MAX_PER_SECOND);

    private Usercmd last = Usercmd.ZERO;
    private int time;
    private long lastReceived;

    /** Forgets the clock of the previous level. */
    public void reset() {
        time = 0;
    }

    /** Accepts the first usercmd of a level; only newer ones are executed. */
    public void begin(Usercmd first, int latest) {
        time = Math.min(first.serverTime(), latest);
        last = first;
    }

    /** Records that usercmds were received. */
    public void onReceived(long now) {
        lastReceived = now;
    }

    /** Whether no usercmd has been received for {@link #LAGGING_AFTER_NANOS}. */
    public boolean isLagging(long now) {
        return now - lastReceived >= LAGGING_AFTER_NANOS;
    }

    /** The newest executed usercmd. */
    public Usercmd last() {
        return last;
    }

    /** Whether a usercmd is newer than all before it. */
    public boolean isNew(Usercmd command) {
        return command.serverTime() > time;
    }

    /**
     * Accepts a new usercmd.
     *
     * @param latest the maximum server time, milliseconds
     * @return whether the rate limit allows its execution
     */
    public boolean take(long now, Usercmd command, int latest) {
        time = Math.min(command.serverTime(), latest);
        return rateLimit.tryAcquire(now);
    }

    /** The number of usercmds dropped by the rate limit since one was executed. */
    public int dropped() {
        return rateLimit.refused();
    }

    /** Records the execution of a usercmd. Returns the buttons that are newly pressed. */
    public int execute(Usercmd command) {
        int pressed = command.buttons() & ~last.buttons();
        last = command;
        return pressed;
    }
}
