package dev.wishdir.web;

import dev.wishdir.net.HalfOpenTable;
import dev.wishdir.net.MemoryConsumer;
import dev.wishdir.net.PrefixLimits;
import dev.wishdir.net.PrefixTokenBuckets;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The connections of a web port, with the limits that keep strangers from filling it. Those that
 * have not sent a whole head of a request are counted apart from those that are answered; of either
 * at most so many are open, in all and of each prefix of addresses, and for one more the oldest is
 * closed. This machine's own have places of their own, so that a health check is always answered.
 * WebSockets are counted by their page. For all threads.
 */
final class WebConnections implements MemoryConsumer {
    /** The most that wait for a request, and the most that are answered. */
    static final int MAX_CONNECTIONS = 256;

    /** The same of this machine's own, as of a health check or a proxy. */
    static final int MAX_LOOPBACK_CONNECTIONS = 128;

    /** WebSockets past this are closed at once. */
    static final int MAX_SOCKETS = 128;

    /** The most of either kind of one prefix. Browsers open six at once, several in a household. */
    static final PrefixLimits MAX_CONNECTIONS_PER_PREFIX = new PrefixLimits(32, 64, 128);

    /** How long a connection may wait for the whole head of a request. */
    static final long WAITING_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** How long a peer may read nothing of an answer. */
    static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** In the mean a peer reads an answer at least so fast, after the time that it may stall. */
    static final long SLOWEST_BYTES_A_SECOND = 4 << 10;

    private static final PrefixLimits REQUESTS_AT_ONCE = new PrefixLimits(400, 800, 1600);
    private static final PrefixLimits REQUESTS_A_SECOND = new PrefixLimits(40, 80, 160);

    /** What a connection takes of the heap with its buffers: 15 KB were measured. */
    private static final long WAITING_BYTES = 20 << 10;

    /** And while it is answered: a buffer to compress, one to send, the thread's stack. */
    private static final long ANSWERED_BYTES = 96 << 10;

    /** A connection as the server below sees it. */
    interface Connection {
        InetAddress from();

        /** Bytes that were sent in all. */
        long sent();

        /** Whether there are bytes to send that the peer does not take. */
        boolean isBlocked();

        void close();
    }

    private static final class State {
        long since;
        long progress;
        long swept;
        long blockedNanos;
        long sentBefore;
        long sent;
        boolean answered;
    }

    private record Kind(HalfOpenTable<Connection> waiting, HalfOpenTable<Connection> answered) {
        Kind(int most) {
            this(places(most), places(most));
        }

        private static HalfOpenTable<Connection> places(int most) {
            return new HalfOpenTable<>(
                    most, MAX_CONNECTIONS_PER_PREFIX, InetAddress::isLoopbackAddress);
        }
    }

    private final Kind strangers = new Kind(MAX_CONNECTIONS);
    private final Kind own = new Kind(MAX_LOOPBACK_CONNECTIONS);
    private final Map<Connection, State> states = new HashMap<>();
    private final PrefixTokenBuckets requests =
            new PrefixTokenBuckets(REQUESTS_AT_ONCE, REQUESTS_A_SECOND);
    private int sockets;
    private volatile long held;

    private Kind kind(Connection connection) {
        return connection.from().isLoopbackAddress() ? own : strangers;
    }

    /** A connection was opened. */
    void opened(long now, Connection connection) {
        State state = new State();
        state.since = now;
        Connection gone;
        synchronized (this) {
            states.put(connection, state);
            gone = kind(connection).waiting.add(connection.from(), connection);
            count();
        }
        close(gone);
    }

    /**
     * A connection has sent the head of a request.
     *
     * @return whether it is to be answered; otherwise its address asks too often
     */
    boolean asked(long now, Connection connection) {
        Connection gone;
        boolean granted;
        synchronized (this) {
            State state = states.get(connection);
            if (state == null || !kind(connection).waiting.remove(connection)) {
                return true;
            }
            state.answered = true;
            state.since = now;
            state.progress = now;
            state.swept = now;
            state.blockedNanos = 0;
            state.sentBefore = connection.sent();
            state.sent = state.sentBefore;
            gone = kind(connection).answered.add(connection.from(), connection);
            granted =
                    connection.from().isLoopbackAddress() || requests.take(now, connection.from());
            count();
        }
        close(gone);
        return granted;
    }

    /** An answer was sent; the connection may bring a further request. */
    void answered(long now, Connection connection) {
        Connection gone = null;
        synchronized (this) {
            State state = states.get(connection);
            if (state != null && kind(connection).answered.remove(connection)) {
                state.answered = false;
                state.since = now;
                gone = kind(connection).waiting.add(connection.from(), connection);
                count();
            }
        }
        close(gone);
    }

    /** A connection has become a WebSocket. */
    void upgraded(Connection connection) {
        boolean full;
        synchronized (this) {
            if (states.remove(connection) != null) {
                kind(connection).waiting.remove(connection);
                kind(connection).answered.remove(connection);
            }
            sockets++;
            full = sockets > MAX_SOCKETS;
            count();
        }
        if (full) {
            connection.close();
        }
    }

    /**
     * A connection is gone.
     *
     * @param upgraded whether it was a WebSocket
     */
    synchronized void closed(Connection connection, boolean upgraded) {
        states.remove(connection);
        kind(connection).waiting.remove(connection);
        kind(connection).answered.remove(connection);
        if (upgraded) {
            sockets--;
        }
        count();
    }

    /** Closes those that are too slow. */
    void sweep(long now) {
        List<Connection> slow = new ArrayList<>();
        synchronized (this) {
            states.forEach((connection, state) -> {
                if (isTooSlow(now, connection, state)) {
                    slow.add(connection);
                }
            });
        }
        slow.forEach(Connection::close);
    }

    private static boolean isTooSlow(long now, Connection connection, State state) {
        if (!state.answered) {
            return now - state.since > WAITING_NANOS;
        }
        long sent = connection.sent();
        boolean blocked = connection.isBlocked();
        if (blocked) {
            state.blockedNanos += now - state.swept;
        }
        state.swept = now;
        if (sent != state.sent || !blocked) {
            // An answer that is not made yet is late by the server, not by the peer.
            state.sent = sent;
            state.progress = now;
        }
        double seconds = (state.blockedNanos - STALLED_NANOS) / 1e9;
        return now - state.progress > STALLED_NANOS
                || seconds * SLOWEST_BYTES_A_SECOND > sent - state.sentBefore;
    }

    private static void close(@Nullable Connection gone) {
        if (gone != null) {
            gone.close();
        }
    }

    private void count() {
        int answered = strangers.answered.size() + own.answered.size();
        held = (states.size() - answered + sockets) * WAITING_BYTES + answered * ANSWERED_BYTES;
    }

    /** How many are open, WebSockets included. */
    synchronized int size() {
        return states.size() + sockets;
    }

    @Override
    public long retainedBytes() {
        return held;
    }

    /** Closes all strangers' connections but WebSockets: memory is short. */
    @Override
    public void abort(long now, String reason) {
        List<Connection> all;
        synchronized (this) {
            all = new ArrayList<>(strangers.waiting.peers());
            all.addAll(strangers.answered.peers());
        }
        all.forEach(Connection::close);
    }

    @Override
    public boolean isPermanent() {
        return true;
    }

    @Override
    public String toString() {
        return "the web port's connections";
    }
}
