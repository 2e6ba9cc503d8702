package dev.wishdir.quake3.server.session;

import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.protocol.ServerConnection;

import java.util.List;
import java.util.Map;

/** Sends gamestates to one client, and again if it has not received one. */
public final class GamestateSender {
    private static final long MILLI = 1_000_000;

    /** Minimum interval between two gamestates. */
    private static final long MIN_INTERVAL_NANOS = 1_000 * MILLI;

    /** Delay of a snapshot after a gamestate, which it would make worthless by overtaking it. */
    private static final long SNAPSHOT_DELAY_NANOS = 50 * MILLI;

    /** The message number before the first gamestate of a level. */
    private static final int NOT_SENT = -1;

    private final ClientTransport transport;
    private final FragmentSender fragments;
    private final SnapshotPacer snapshots;
    private int message = NOT_SENT;

    /** Whether a gamestate must be sent as soon as the rate allows it. */
    private boolean pending;

    /** Earliest time of the next gamestate. */
    private long next;

    /** Lead of the clock of the client's level over the running one's. */
    private int clockAhead;

    GamestateSender(ClientTransport transport, FragmentSender fragments, SnapshotPacer snapshots) {
        this.transport = transport;
        this.fragments = fragments;
        this.snapshots = snapshots;
    }

    /**
     * Begins a level: the gamestate of the previous one is void, the next may follow at once.
     *
     * @param clockSetBack by how much its clock is behind that of the previous level, milliseconds
     */
    void reset(long now, int clockSetBack) {
        clockAhead += clockSetBack;
        message = NOT_SENT;
        next = now;
    }

    /** Whether the client has acknowledged the newest gamestate. */
    public boolean isAcknowledged() {
        ServerConnection c = transport.connection();
        return c != null && message >= 0 && c.messageAcknowledge() >= message;
    }

    /** The client has the running level, and so its clock. */
    public void onLevelReceived() {
        clockAhead = 0;
    }

    /**
     * Lead of snapshots over the running level's clock, milliseconds: a client does not bear a time
     * that is set back before it has the level.
     */
    int clockAhead() {
        return clockAhead;
    }

    /** Whether a gamestate must be sent. */
    public boolean isPending() {
        return pending;
    }

    /** Sets whether a gamestate must be sent. */
    public void setPending(boolean pending) {
        this.pending = pending;
    }

    /**
     * Requests a gamestate if a message shows that the client lacks it: unless the gamestate is
     * still in flight, a fragment of it was lost or reordered, so fragments are then sent at twice
     * the interval.
     *
     * @return whether a gamestate must be sent
     */
    public boolean request(int messageAcknowledge) {
        if (messageAcknowledge <= message) {
            return false;
        }
        if (!pending && message >= 0) {
            fragments.slowDown();
        }
        pending = true;
        return true;
    }

    /**
     * Whether a gamestate may be sent now: no fragments are pending, it has room for all commands,
     * which snapshots carry until then, and at most once a second.
     */
    boolean isDue(long now) {
        ServerConnection c = transport.connection();
        return c != null
                && pending
                && !c.hasPendingFragments()
                && c.hasRoomForCommands()
                && now >= next;
    }

    /** The number of the last server command, which a gamestate carries. */
    int lastCommand() {
        ServerConnection c = transport.connection();
        return c == null ? 0 : c.lastCommand();
    }

    /**
     * Sends a gamestate.
     *
     * @param states the baselines of entities by number; never changed
     */
    void send(long now, ServerMessage.Gamestate gamestate, Map<Integer, EntityState> states) {
        ServerConnection c = transport.connection();
        if (c == null) {
            return;
        }
        pending = false;
        next = now + MIN_INTERVAL_NANOS;
        c.level(gamestate.checksumFeed(), states);
        message = c.outgoing();
        c.send(List.of(gamestate), transport.sink());
        fragments.onSent(now);
        delaySnapshot(now);
    }

    /** Sends the next fragment of a message if it is due. */
    public void sendFragment(long now) {
        if (fragments.send(now)) {
            delaySnapshot(now);
        }
    }

    private void delaySnapshot(long now) {
        snapshots.schedule(now + Math.max(SNAPSHOT_DELAY_NANOS, fragments.interval()));
    }
}
