package dev.wishdir.cluster.remote;

/**
 * For how long the machine let a loop stand still: what a test adds to its limits in real time. The
 * loop says when it turns.
 */
public final class Stalls {
    private long last = System.nanoTime();
    private long longest;
    private long second;
    private long lastStall = last;

    public void turn(long now) {
        long gap = now - last;
        second = Math.max(second, Math.min(gap, longest));
        longest = Math.max(longest, gap);
        lastStall = gap > ListenTime.STALL_NANOS ? now : lastStall;
        last = now;
    }

    /** Forgets what was before. */
    void clear() {
        longest = 0;
        second = 0;
        last = System.nanoTime();
    }

    /** The longest time between two turns, nanoseconds. */
    public long longest() {
        return longest;
    }

    /** The second longest time between two turns, nanoseconds. */
    long second() {
        return second;
    }

    /** When the loop last stood still: what it did not hear before is no silence. */
    public long lastStall() {
        return lastStall;
    }
}
