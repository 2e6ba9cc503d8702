package dev.wishdir.web;

import dev.wishdir.net.limit.HalfOpenTable;
import dev.wishdir.net.limit.MemoryConsumer;
import dev.wishdir.net.limit.PrefixLimits;
import dev.wishdir.net.limit.PrefixTokenBuckets;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Limits the connections of the web port. Connections that wait for a request and connections that
 * are being answered have separate limits, in total and per address prefix; for each one above the
 * limit, the oldest is closed. Connections from this machine have their own limits, so that a
 * health check is always answered. WebSockets are limited by their page too. Thread-safe.
 */
final class WebConnections implements MemoryConsumer {
    /** Maximum number of waiting connections, and of answered ones. */
    static final int MAX_CONNECTIONS = 256;

    /** The same for connections from this machine, such as those of a health check or a proxy. */
    static final int MAX_LOOPBACK_CONNECTIONS = 128;

    /** Maximum number of WebSockets; further ones are closed at once. */
    static final int MAX_SOCKETS = 128;

    /** Limits per prefix, for each state. A browser opens six; several may share an address. */
    static final PrefixLimits MAX_CONNECTIONS_PER_PREFIX = new PrefixLimits(32, 64, 128);

    /**
     * Maximum time until a connection has sent the whole head of a request. Chromium opens
     * connections ahead, uses them within 10 s, and does not repeat a request on one of these that
     * is closed meanwhile.
     */
    static final long REQUEST_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(15);

    /** Maximum time without progress of an answer. */
    static final long STALL_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Minimum mean rate at which a peer reads an answer, after {@link #STALL_TIMEOUT_NANOS}. */
    static final long MIN_BYTES_PER_SECOND = 4 << 10;

    private static final PrefixLimits MAX_REQUEST_BURST = new PrefixLimits(400, 800, 1600);
    private static final PrefixLimits MAX_REQUESTS_PER_SECOND = new PrefixLimits(40, 80, 160);

    /** Heap memory of a connection with its buffers; 15 KB were measured. */
    private static final long WAITING_BYTES = 20 << 10;

    /** Heap memory of an answered connection: also buffers to compress and send, and a stack. */
    private static final long ANSWERED_BYTES = 96 << 10;

    /** A connection of the underlying server. */
    interface Connection {
        InetAddress from();

        /** Total number of sent bytes. */
        long sent();

        /** Whether the peer does not read bytes that are to be sent. */
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
        Kind(int max, Predicate<InetAddress> trusted) {
            this(table(max, trusted), table(max, trusted));
        }

        private static HalfOpenTable<Connection> table(int max, Predicate<InetAddress> trusted) {
            return new HalfOpenTable<>(max, MAX_CONNECTIONS_PER_PREFIX, trusted);
        }
    }

    private final Predicate<InetAddress> trusted;
    private final Kind remote;
    private final Kind local;
    private final Map<Connection, State> states = new HashMap<>();
    private final PrefixTokenBuckets requests =
            new PrefixTokenBuckets(MAX_REQUEST_BURST, MAX_REQUESTS_PER_SECOND);
    private int sockets;
    private volatile long retainedBytes;

    /**
     * @param trusted addresses without limits of their own, as those of this machine
     */
    WebConnections(Predicate<InetAddress> trusted) {
        this.trusted = trusted;
        remote = new Kind(MAX_CONNECTIONS, trusted);
        local = new Kind(MAX_LOOPBACK_CONNECTIONS, trusted);
    }

    private Kind kind(Connection connection) {
        return trusted.test(connection.from()) ? local : remote;
    }

    /** Adds an opened connection. */
    void onOpened(long now, Connection connection) {
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
     * Records that a connection has sent the head of a request.
     *
     * @return whether to answer it; false if its address exceeds the rate limit
     */
    boolean onRequest(long now, Connection connection) {
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
            granted = trusted.test(connection.from()) || requests.take(now, connection.from());
            count();
        }
        close(gone);
        return granted;
    }

    /** Records that an answer was sent; the connection waits for a further request. */
    void onAnswered(long now, Connection connection) {
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

    /** Records that a connection has become a WebSocket. */
    void onUpgraded(Connection connection) {
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
     * Removes a closed connection.
     *
     * @param upgraded whether it was a WebSocket
     */
    synchronized void onClosed(Connection connection, boolean upgraded) {
        states.remove(connection);
        kind(connection).waiting.remove(connection);
        kind(connection).answered.remove(connection);
        if (upgraded) {
            sockets--;
        }
        count();
    }

    /** Closes connections that are too slow. */
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
            return now - state.since > REQUEST_TIMEOUT_NANOS;
        }
        long sent = connection.sent();
        boolean blocked = connection.isBlocked();
        if (blocked) {
            state.blockedNanos += now - state.swept;
        }
        state.swept = now;
        if (sent != state.sent || !blocked) {
            // If nothing waits to be sent, the server is late, not the peer.
            state.sent = sent;
            state.progress = now;
        }
        double seconds = (state.blockedNanos - STALL_TIMEOUT_NANOS) / 1e9;
        return now - state.progress > STALL_TIMEOUT_NANOS
                || seconds * MIN_BYTES_PER_SECOND > sent - state.sentBefore;
    }

    private static void close(@Nullable Connection gone) {
        if (gone != null) {
            gone.close();
        }
    }

    private void count() {
        int answered = remote.answered.size() + local.answered.size();
        retainedBytes =
                (states.size() - answered + sockets) * WAITING_BYTES + answered * ANSWERED_BYTES;
    }

    /** Number of open connections, including WebSockets. */
    synchronized int size() {
        return states.size() + sockets;
    }

    @Override
    public long retainedBytes() {
        return retainedBytes;
    }

    /** Closes all remote connections except WebSockets, because memory is short. */
    @Override
    public void abort(long now, String reason) {
        List<Connection> all;
        synchronized (this) {
            all = new ArrayList<>(remote.waiting.peers());
            all.addAll(remote.answered.peers());
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
