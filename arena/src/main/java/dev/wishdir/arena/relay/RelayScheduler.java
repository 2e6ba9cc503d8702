package dev.wishdir.arena.relay;

/**
 * Decides when movement is relayed: the first after a quiet time at once, further ones coalesced by
 * an interval that grows with the number of players.
 */
public final class RelayScheduler {
    /** Limit of relays to all viewers together. */
    static final int RELAYS_PER_SECOND = 24_000;

    /** Minimum interval between two relays to one viewer. */
    public static final long MIN_INTERVAL_NANOS = 2_000_000;

    /** Relay interval in a crowd: a thirtieth of a second. */
    static final long MAX_INTERVAL_NANOS = 33_000_000;

    /** Relays to different viewers are aligned to this. */
    private static final long TICK_NANOS = 1_000_000;

    private static final long NEVER = Long.MAX_VALUE;

    private final EventDispatcher dispatcher;
    private long last;
    private long next = NEVER;

    /** No viewer gets a relay before this. */
    private long nextRelay = Long.MIN_VALUE;

    private boolean pending;

    public RelayScheduler(EventDispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    /** Notes that a player moved. */
    public void requestRelay() {
        pending = true;
    }

    /**
     * Relays the movement that is due.
     *
     * @return when to call again
     */
    public long advance(long now, int players) {
        if (!pending && (next == NEVER || now < next)) {
            return next;
        }
        if (now < nextRelay && now >= last) {
            return nextRelay;
        }
        pending = false;
        last = now;
        next = dispatcher.relay(now, interval(players));
        long soonest = dispatcher.nextRelayNanos();
        nextRelay = soonest > now ? Math.min(soonest, now + MAX_INTERVAL_NANOS) : now + TICK_NANOS;
        return next;
    }

    /** No relay is sent before this time; in the past if a movement would be relayed at once. */
    public long nextRelay() {
        return nextRelay;
    }

    private static long interval(int players) {
        return Math.clamp(
                players * (1_000_000_000L / RELAYS_PER_SECOND),
                MIN_INTERVAL_NANOS,
                MAX_INTERVAL_NANOS);
    }
}
