package dev.wishdir.game.capture;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;

/** The output of captures: events with times that never decrease, and the numbers of players. */
final class CapturedEvents {
    private final ArenaListener listener;
    private final boolean withOwn;
    private final int maxPlayers;
    private long startNanos;
    private long now = Long.MIN_VALUE;
    private int joins;
    private int present;

    /**
     * @param withOwn whether the players of captured clients are reported
     */
    CapturedEvents(ArenaListener listener, boolean withOwn, int maxPlayers) {
        this.listener = listener;
        this.withOwn = withOwn;
        this.maxPlayers = maxPlayers;
    }

    /**
     * @param nanos the time of second 0 from now on
     */
    void start(long nanos) {
        startNanos = nanos;
        now = Math.max(now, nanos);
    }

    /**
     * @param seconds since the start of the capture
     */
    void setTime(double seconds) {
        now = Math.max(now, startNanos + Math.round(seconds * 1e9));
    }

    long now() {
        return now;
    }

    boolean hasOwn() {
        return withOwn;
    }

    /** The number of a new player; 0 if there are too many. */
    int join() {
        if (present >= maxPlayers) {
            return 0;
        }
        present++;
        return ++joins;
    }

    void leave() {
        present--;
    }

    void emit(ArenaEvent event) {
        listener.onEvent(event);
    }
}
