package dev.wishdir.quake3.server.session;

import dev.wishdir.net.loop.Duty;
import dev.wishdir.quake3.message.ServerMessage.Snapshot;
import dev.wishdir.quake3.protocol.Frame;
import dev.wishdir.quake3.protocol.ServerConnection;

/** Decides when one client gets its next snapshot, and sends it. */
public final class SnapshotPacer {
    public static final int MAX_SNAPSHOTS_PER_SECOND = 125;

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    /** Maximum wait of a due snapshot for a movement; at most a quarter of the interval. */
    private static final long MAX_DELAY_NANOS = 5 * MILLI;

    /** Snapshot interval of a client that has not yet acknowledged a message. */
    private static final long UNACKED_INTERVAL_NANOS = 200 * MILLI;

    /** Time without an acknowledgement after which snapshots are sent slowly. */
    private static final long SLOW_AFTER_NANOS = 2 * SECOND;

    /** Snapshot interval of a client that no longer acknowledges messages. */
    private static final long SLOW_INTERVAL_NANOS = 500 * MILLI;

    private final ClientTransport transport;
    private final FragmentSender fragments;
    private int snaps = 20;
    private long next;
    private long interval = SECOND / 20;

    /** The newest message that the client has acknowledged. */
    private int acknowledged;

    private long acknowledgedSince;

    /** Whether a player has moved since the last snapshot. */
    private boolean isDirty;

    SnapshotPacer(ClientTransport transport, FragmentSender fragments) {
        this.transport = transport;
        this.fragments = fragments;
    }

    /** Sets the client's {@code snaps}, snapshots a second. */
    void setSnaps(int perSecond) {
        snaps = Math.clamp(perSecond, 1, MAX_SNAPSHOTS_PER_SECOND);
    }

    /** Marks that a player has moved: the next snapshot need not wait. */
    void markDirty() {
        isDirty = true;
    }

    /** Sets the earliest time of the next snapshot. */
    void schedule(long time) {
        next = time;
    }

    /** The snapshot interval in nanoseconds. */
    long interval() {
        return interval;
    }

    /**
     * Time of the next snapshot: at once if a player has moved, otherwise a little later.
     *
     * @param serverTime milliseconds
     * @param maxPerSecond snapshots a second that the server has for each client
     */
    long due(long now, int serverTime, int maxPerSecond) {
        ServerConnection c = transport.connection();
        if (c == null || c.hasPendingFragments()) {
            return Duty.NEVER;
        }
        long due = Math.max(next, transport.nextPacket());
        if (now < due) {
            return due;
        }
        if (c.messageAcknowledge() != acknowledged) {
            acknowledged = c.messageAcknowledge();
            acknowledgedSince = now;
        }
        if (!transport.hasAcknowledged()) {
            interval = UNACKED_INTERVAL_NANOS;
        } else if (now - acknowledgedSince >= SLOW_AFTER_NANOS) {
            interval = SLOW_INTERVAL_NANOS;
        } else {
            interval = Math.max(SECOND / Math.min(snaps, maxPerSecond), c.pace(serverTime) * MILLI);
        }
        return isDirty ? due : due + maxDelay();
    }

    private long maxDelay() {
        return Math.min(MAX_DELAY_NANOS, interval / 4);
    }

    /**
     * Sends a snapshot that is due.
     *
     * @return when the next one is
     */
    long send(long now, Frame frame, int flags) {
        sendNow(frame, transport.nextPacket() > next ? flags | Snapshot.RATE_DELAYED : flags);
        fragments.onSent(now);
        transport.chargeRate(now);
        isDirty = false;
        // A snapshot that waited for a movement does not delay the next one.
        next = Math.max(next, now - maxDelay()) + interval;
        return next;
    }

    /** Sends a snapshot immediately, unless fragments of another message are pending. */
    void sendNow(Frame frame, int flags) {
        ServerConnection c = transport.connection();
        if (c != null && !c.hasPendingFragments()) {
            c.send(frame, flags, transport.sink());
        }
    }
}
