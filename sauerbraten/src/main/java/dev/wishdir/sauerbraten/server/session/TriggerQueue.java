package dev.wishdir.sauerbraten.server.session;

import dev.wishdir.sauerbraten.message.MovementMessage;

import java.util.Optional;

/**
 * The use of a teleporter or jump pad of one client that waits to be relayed: of several within the
 * interval, only the newest.
 */
public final class TriggerQueue {
    /** The minimum interval between two relays, nanoseconds. */
    private static final long INTERVAL_NANOS = 30_000_000;

    private Optional<MovementMessage> newest = Optional.empty();
    private long relayedAt = Long.MIN_VALUE / 2;

    public void set(MovementMessage use) {
        newest = Optional.of(use);
    }

    public void clear() {
        newest = Optional.empty();
    }

    public boolean isEmpty() {
        return newest.isEmpty();
    }

    /** Time of the next relay, nanoseconds. */
    public long due() {
        return relayedAt + INTERVAL_NANOS;
    }

    /** Takes the use, if one waits and is due. */
    public Optional<MovementMessage> takeDue(long now) {
        if (isEmpty() || now < due() && now >= relayedAt) {
            return Optional.empty();
        }
        Optional<MovementMessage> taken = newest;
        newest = Optional.empty();
        relayedAt = now;
        return taken;
    }
}
