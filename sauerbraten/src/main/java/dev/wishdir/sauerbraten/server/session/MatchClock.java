package dev.wishdir.sauerbraten.server.session;

/** The played time of matches: it runs at the game's speed, and not while the game is paused. */
public final class MatchClock {
    /** The speed of real time, percent. */
    public static final int NORMAL_SPEED_PERCENT = 100;

    private static final long NEVER = Long.MAX_VALUE;

    private long lastSeen;
    private long played;
    private int speed = NORMAL_SPEED_PERCENT;
    private boolean paused;

    MatchClock(long now) {
        lastSeen = now;
    }

    int speed() {
        return speed;
    }

    boolean paused() {
        return paused;
    }

    /** The time played so far, nanoseconds; it never decreases. */
    long played(long now) {
        long passed = paused ? 0 : Math.max(0, now - lastSeen);
        played +=
                passed / NORMAL_SPEED_PERCENT * speed
                        + passed % NORMAL_SPEED_PERCENT * speed / NORMAL_SPEED_PERCENT;
        lastSeen = now;
        return played;
    }

    void setSpeed(long now, int percent) {
        played(now);
        speed = percent;
    }

    void setPaused(long now, boolean stop) {
        played(now);
        paused = stop;
    }

    /**
     * The time at which {@link #played} reaches a value, if nothing changes.
     *
     * @param due the value, nanoseconds
     */
    long timeOf(long due) {
        if (paused || due == NEVER) {
            return NEVER;
        }
        long remaining = Math.max(0, due - played);
        return lastSeen
                + remaining / speed * NORMAL_SPEED_PERCENT
                + (remaining % speed * NORMAL_SPEED_PERCENT + speed - 1) / speed;
    }
}
