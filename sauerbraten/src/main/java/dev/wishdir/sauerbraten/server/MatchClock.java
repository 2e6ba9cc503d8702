package dev.wishdir.sauerbraten.server;

/** The clock of a match: runs at the game speed, and stops while the game is paused. */
final class MatchClock {
    /** Real-time speed. */
    static final int NORMAL_SPEED_PERCENT = 100;

    private static final long NEVER = Long.MAX_VALUE;

    private long lastUpdate;
    private long played;
    private int speed = NORMAL_SPEED_PERCENT;
    private boolean paused;

    MatchClock(long now) {
        lastUpdate = now;
    }

    int speed() {
        return speed;
    }

    boolean paused() {
        return paused;
    }

    /** The time played until now, nanoseconds; it never decreases. */
    long played(long now) {
        long passed = paused ? 0 : Math.max(0, now - lastUpdate);
        played +=
                passed / NORMAL_SPEED_PERCENT * speed
                        + passed % NORMAL_SPEED_PERCENT * speed / NORMAL_SPEED_PERCENT;
        lastUpdate = now;
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
     * When a time played will be reached, if nothing changes.
     *
     * @param due value of {@link #played}, nanoseconds
     */
    long when(long due) {
        if (paused || due == NEVER) {
            return NEVER;
        }
        long remaining = Math.max(0, due - played);
        return lastUpdate
                + remaining / speed * NORMAL_SPEED_PERCENT
                + (remaining % speed * NORMAL_SPEED_PERCENT + speed - 1) / speed;
    }
}
