package dev.wishdir.arena;

/**
 * When movement goes out: the first after a quiet time at once, of the next ones what has gathered
 * in an interval, which grows with the number of players.
 */
final class RelayScheduler {
    /** What a relay to one viewer counts against: so many a second in all. */
    static final int RELAYS_PER_SECOND = 24_000;

    /** In so many nanoseconds there is one relay to a viewer at the most. */
    static final long MIN_INTERVAL_NANOS = 2_000_000;

    /** The interval of a crowd, nanoseconds: a thirtieth of a second. */
    static final long MAX_INTERVAL_NANOS = 33_000_000;

    /** Relays to different viewers are this far apart, or together. */
    private static final long TICK_NANOS = 1_000_000;

    private static final long NEVER = Long.MAX_VALUE;

    private final EventDispatcher dispatcher;
    private long last;
    private long next = NEVER;

    /** No viewer is shown anything sooner. */
    private long open = Long.MIN_VALUE;

    private boolean moved;

    RelayScheduler(EventDispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    /** Somebody has moved. */
    void moved() {
        moved = true;
    }

    /**
     * Relays what is due.
     *
     * @return when to call again
     */
    long advance(long now, int players) {
        if (!moved && (next == NEVER || now < next)) {
            return next;
        }
        if (now < open && now >= last) {
            return open;
        }
        moved = false;
        last = now;
        next = dispatcher.relay(now, interval(players));
        long opens = dispatcher.open();
        open = opens > now ? Math.min(opens, now + MAX_INTERVAL_NANOS) : now + TICK_NANOS;
        return next;
    }

    /** Before this nobody is shown who has moved; in the past where somebody would be at once. */
    long open() {
        return open;
    }

    private static long interval(int players) {
        return Math.clamp(
                players * (1_000_000_000L / RELAYS_PER_SECOND),
                MIN_INTERVAL_NANOS,
                MAX_INTERVAL_NANOS);
    }
}
