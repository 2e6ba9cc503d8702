package dev.wishdir.game.proxy;

import dev.wishdir.game.proxy.ProxyRules.ClientPacket;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.FailedAttemptLimiter;
import dev.wishdir.net.limit.HalfOpenTable;
import dev.wishdir.net.limit.MemoryConsumer;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.MemoryBudget;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.wire.AddressText;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Direction;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Passes datagrams on between clients and one server, unchanged but for addresses and what {@link
 * ProxySession}s change. Each client has a socket of its own towards the server, so the server's
 * view of a client is one address, also after NAT has changed the client's port.
 *
 * <p>A client is half-open until the server's datagrams show that it has proved its address: at
 * most {@value #MAX_HALF_OPEN} such sessions, of which the oldest gives way to a new one, with the
 * amplification limit on what they are sent. What sessions retain for slow sides is within a {@link
 * MemoryBudget}. Used only by the thread of its cycle.
 */
public final class DatagramProxy implements Proxy {
    /** Maximum number of half-open sessions: some requests of server browsers, and joins. */
    public static final int MAX_HALF_OPEN = 512;

    /** Idle time-out of a half-open session. */
    static final long HALF_OPEN_IDLE_NANOS = 10_000_000_000L;

    /** Idle time-out of a client, while its server sends: that of original Quake III servers. */
    static final long CLIENT_IDLE_NANOS = 200_000_000_000L;

    /** Idle time-out of a session in which neither side sends, as after a disconnect. */
    static final long IDLE_NANOS = 30_000_000_000L;

    /** A client must be silent for this time before it may continue from another port. */
    static final long PORT_CHANGE_NANOS = 1_000_000_000;

    /** Maximum distance of the first sequence from another port to the last before. */
    static final int MAX_SEQUENCE_GAP = 32;

    /** A new session counts as a reply of this length in the amplification limit. */
    private static final int NEW_SESSION_BYTES = 64;

    private final ProxyConfig config;
    private final ProxyRules rules;
    private final AddressLimits limits;
    private final ProxyListener listener;
    private final DutyCycle servers;
    private final Counters counters = new Counters();
    private final MemoryBudget memoryBudget = MemoryBudget.standard(counters);
    private final List<Port> ports = new ArrayList<>();
    private final HalfOpenTable<Session> halfOpen;

    /** Sessions of clients that have proved their address, by address. */
    private final Map<InetAddress, Set<Session>> proven = new HashMap<>();

    private int clients;

    private DatagramProxy(ProxyConfig config, DutyCycle servers, ProxyListener listener) {
        this.config = config;
        this.servers = servers;
        this.listener = listener;
        rules = config.rules();
        limits = config.limits();
        halfOpen = limits.halfOpen(MAX_HALF_OPEN);
    }

    /**
     * Opens a proxy.
     *
     * @param cycle has the sockets for the clients
     * @param servers has those towards the server, on the same thread; it may emulate bad links
     * @throws IOException if a port can't be bound
     */
    public static DatagramProxy open(
            DutyCycle cycle, DutyCycle servers, ProxyConfig config, ProxyListener listener)
            throws IOException {
        cycle.checkThread("opens a proxy");
        DatagramProxy proxy = new DatagramProxy(config, servers, listener);
        for (int offset : config.rules().portOffsets()) {
            InetSocketAddress first = proxy.ports.isEmpty() ? config.listen() : proxy.address();
            proxy.ports.add(
                    cycle.open(
                            proxy.ports.isEmpty() ? first : shifted(first, offset),
                            socket -> proxy.new Port(socket, offset)));
        }
        cycle.add(proxy.memoryBudget);
        return proxy;
    }

    /**
     * Opens a proxy on the thread of a cycle; the result fails with an {@link IOException} if a
     * port can't be bound.
     */
    public static CompletableFuture<DatagramProxy> start(
            DutyCycle cycle, ProxyConfig config, ProxyListener listener) {
        CompletableFuture<DatagramProxy> started = new CompletableFuture<>();
        cycle.execute(() -> {
            try {
                started.complete(open(cycle, cycle, config, listener));
            } catch (IOException | RuntimeException e) {
                started.completeExceptionally(e);
            }
        });
        return started;
    }

    private static InetSocketAddress shifted(InetSocketAddress address, int offset) {
        return new InetSocketAddress(address.getAddress(), address.getPort() + offset);
    }

    /** Address at which clients of the game reach the proxy. */
    @Override
    public InetSocketAddress address() {
        return ports.getFirst().socket.local();
    }

    /** Number of clients that have proved their address. */
    @Override
    public int clients() {
        return clients;
    }

    /** Number of half-open sessions. */
    @Override
    public int halfOpen() {
        return halfOpen.size();
    }

    /** Counts of what was not passed on, {@code proxy.drop.REASON}. */
    @Override
    public Counters counters() {
        return counters;
    }

    private void drop(String reason) {
        counters.count("proxy.drop." + reason);
    }

    /** One port for clients, and the server's port behind it. */
    private final class Port implements DatagramHandler {
        private final UdpSocket socket;
        private final int offset;
        private final InetSocketAddress server;
        private final Map<InetSocketAddress, Session> sessions = new HashMap<>();

        Port(UdpSocket socket, int offset) {
            this.socket = socket;
            this.offset = offset;
            server = shifted(config.server(), offset);
        }

        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            if (data.length == 0 || from.getPort() == 0 || from.equals(server)) {
                drop("malformed");
                return;
            }
            Session session = sessions.get(from);
            if (session == null) {
                session = continued(now, from, data);
            }
            if (session == null) {
                session = begin(now, from, data);
            }
            if (session != null) {
                session.toServer(now, data);
            }
        }

        /** The session that a client continues from another port. */
        private @Nullable Session continued(long now, InetSocketAddress from, byte[] data) {
            Set<Session> ofAddress = proven.get(from.getAddress());
            Optional<ClientPacket> packet =
                    ofAddress == null ? Optional.empty() : rules.clientPacket(data);
            FailedAttemptLimiter guesses = limits.portGuesses();
            if (ofAddress == null
                    || packet.isEmpty()
                    || !guesses.isAllowed(now, from.getAddress())) {
                return null;
            }
            for (Session session : ofAddress) {
                if (session.port == this && session.isContinuedBy(now, packet.get())) {
                    sessions.remove(session.client);
                    sessions.put(from, session);
                    InetSocketAddress before = session.client;
                    session.client = from;
                    listener.onPortChanged(before, from);
                    return session;
                }
            }
            guesses.recordFailure(now, from.getAddress());
            return null;
        }

        private @Nullable Session begin(long now, InetSocketAddress from, byte[] data) {
            InetAddress address = from.getAddress();
            if (clients >= config.maxClients()) {
                drop("full");
                refuse(now, from, data, "full: " + config.maxClients() + " clients at most");
                return null;
            }
            if (limits.remainingSessions(address) == 0) {
                drop("address");
                refuse(now, from, data, "full: too many clients from your address");
                return null;
            }
            if (!limits.amplificationLimiter().tryAcquire(now, address, NEW_SESSION_BYTES)) {
                drop("rate");
                return null;
            }
            Session session;
            try {
                session =
                        servers.open(
                                config.from()
                                        .get()
                                        .map(local -> new InetSocketAddress(local, 0))
                                        .orElseGet(() -> new InetSocketAddress(0)),
                                toServer -> new Session(this, toServer, from, now));
            } catch (IOException e) {
                drop("socket");
                return null;
            }
            sessions.put(from, session);
            memoryBudget.add(session);
            Session evicted = halfOpen.add(address, session);
            if (evicted != null) {
                drop("evicted");
                evicted.close("gave way to another client");
            }
            return session;
        }

        /** Sends a new client why it is refused, within the amplification limit. */
        private void refuse(long now, InetSocketAddress to, byte[] data, String reason) {
            Optional<byte[]> answer = rules.refusal(data, "The proxy is " + reason + ".");
            if (answer.isPresent()
                    && limits.amplificationLimiter()
                            .tryAcquire(now, to.getAddress(), answer.get().length)) {
                socket.send(to, answer.get(), 0, answer.get().length);
            }
        }

        @Override
        public long advance(long now) {
            return NEVER;
        }
    }

    /** One client, and its socket towards the server. */
    private final class Session implements DatagramHandler, ProxySession.Output, MemoryConsumer {
        private final Port port;
        private final UdpSocket socket;
        private final InetSocketAddress first;
        private InetSocketAddress client;
        private long clientActive;
        private long serverActive;
        private final ProxySession messages;
        private byte[] lastFromClient = {};

        /** Its place among the clients; null while it is half-open. */
        private AddressLimits.@Nullable Place place;

        private boolean closed;

        Session(Port port, UdpSocket socket, InetSocketAddress client, long now) {
            this.port = port;
            this.socket = socket;
            this.client = client;
            first = client;
            clientActive = now;
            serverActive = now;
            ProxySession.Factory sessions =
                    port.offset == 0 ? config.sessions() : ProxySession.Factory.UNCHANGED;
            messages = sessions.open(this);
        }

        void toServer(long now, byte[] data) {
            clientActive = now;
            lastFromClient = data;
            observe(now, Direction.C2S, data);
            messages.receive(now, Direction.C2S, data);
        }

        @Override
        public InetSocketAddress client() {
            return client;
        }

        @Override
        public void send(Direction direction, byte[] data) {
            if (direction == Direction.C2S) {
                socket.send(port.server, data, 0, data.length);
            } else {
                observe(servers.now(), Direction.S2C, data);
                port.socket.send(client, data, 0, data.length);
            }
        }

        @Override
        public void report(String problem) {
            listener.onProblem(client, problem);
        }

        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            if (closed || data.length == 0 || !from.equals(port.server)) {
                drop("stranger");
                return;
            }
            serverActive = now;
            if (place == null && rules.isProof(port.offset, data) && !prove(now)) {
                return;
            }
            if (place == null
                    && !limits.amplificationLimiter()
                            .tryAcquire(now, client.getAddress(), data.length)) {
                drop("unproven");
                return;
            }
            byte[] answer = rules.toClient(data, port.socket.local().getPort());
            messages.receive(now, Direction.S2C, answer);
        }

        private void observe(long now, Direction direction, byte[] data) {
            listener.onDatagram(
                    new ProxiedDatagram(
                            now, client, first, port.server, direction, Bytes.wrap(data)));
        }

        /** Takes a place among the clients; false, and the session ends, if there is none. */
        private boolean prove(long now) {
            AddressLimits.Place taken =
                    clients < config.maxClients() ? limits.enter(now, client.getAddress()) : null;
            if (taken == null) {
                drop("full");
                close("too many clients");
                return false;
            }
            halfOpen.remove(this);
            place = taken;
            clients++;
            proven.computeIfAbsent(client.getAddress(), _ -> new LinkedHashSet<>()).add(this);
            listener.onConnected(client, socket.local());
            return true;
        }

        boolean isContinuedBy(long now, ClientPacket packet) {
            return now - clientActive >= PORT_CHANGE_NANOS
                    && rules.clientPacket(lastFromClient)
                            .filter(last -> last.qport() == packet.qport())
                            .map(last -> packet.sequence() - last.sequence())
                            .filter(gap -> gap > 0 && gap <= MAX_SEQUENCE_GAP)
                            .isPresent();
        }

        @Override
        public long advance(long now) {
            if (closed) {
                return NEVER;
            }
            long end = clientActive + HALF_OPEN_IDLE_NANOS;
            if (place != null) {
                end =
                        Math.min(
                                clientActive + CLIENT_IDLE_NANOS,
                                Math.max(clientActive, serverActive) + IDLE_NANOS);
            }
            if (now < end) {
                return Math.min(end, messages.advance(now));
            }
            close("idle");
            return NEVER;
        }

        @Override
        public long retainedBytes() {
            return messages.retainedBytes();
        }

        @Override
        public void abort(long now, String reason) {
            messages.abort();
            close(reason);
        }

        @Override
        public String toString() {
            return "client " + AddressText.of(client);
        }

        void close(String reason) {
            if (closed) {
                return;
            }
            closed = true;
            socket.close();
            memoryBudget.remove(this);
            port.sessions.remove(client, this);
            halfOpen.remove(this);
            AddressLimits.Place left = place;
            if (left != null) {
                left.leave();
                clients--;
                proven.computeIfPresent(
                        client.getAddress(),
                        (_, ofAddress) -> {
                            ofAddress.remove(this);
                            return ofAddress.isEmpty() ? null : ofAddress;
                        });
                listener.onClosed(client, reason);
            }
        }
    }
}
