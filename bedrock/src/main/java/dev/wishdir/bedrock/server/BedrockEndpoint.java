package dev.wishdir.bedrock.server;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.transport.Transport;
import dev.wishdir.bedrock.protocol.transport.TransportDemultiplexer;
import dev.wishdir.bedrock.protocol.transport.TurnSchedule;
import dev.wishdir.bedrock.server.join.BedrockOptions;
import dev.wishdir.bedrock.server.join.NetherNetService;
import dev.wishdir.bedrock.server.join.ServerInfo;
import dev.wishdir.bedrock.server.session.BedrockSession;
import dev.wishdir.bedrock.server.view.PlayerIdentities;
import dev.wishdir.bedrock.server.view.RunningLevel.World;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.net.limit.MemoryConsumer;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.TurnDefects;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.nethernet.NetherNetPeer;
import dev.wishdir.nethernet.NetherNetServer;
import dev.wishdir.nethernet.identity.IssuerKeyCache;
import dev.wishdir.nethernet.identity.IssuerKeySource;
import dev.wishdir.raknet.RakNetPeer;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Endpoint of Bedrock: clients of all supported versions join the arena through it. Its options are
 * those of the game.
 */
public final class BedrockEndpoint implements Endpoint {
    /** Number of other ports that are tried if any will do but its number is taken for TCP. */
    private static final int MAX_PORT_TRIES = 8;

    private final EndpointContext context;
    private final UdpSocket socket;
    private final TransportDemultiplexer demultiplexer;
    private final @Nullable NetherNetService nethernet;
    private final Shared shared;
    private final Combat combat;
    private final Handlers handlers;
    private final TurnSchedule schedule = new TurnSchedule();
    private final Transport.Listener listener = new Connections();
    private final SharedArena.Participant participant = blocks -> prepare(World.of(blocks));
    private final boolean isProofNeeded;
    private boolean isClosed;

    /**
     * Checks the settings of the game.
     *
     * @throws IllegalArgumentException if a value is wrong; the message names the option
     */
    public static void check(Map<String, String> options) {
        BedrockOptions.of(options, false, () -> 0);
    }

    /**
     * Opens the ports, by the system's clock.
     *
     * @throws IOException if a port can't be bound, or a file can't be used
     * @throws IllegalArgumentException if an option's value is wrong
     */
    public static BedrockEndpoint open(EndpointContext context) throws IOException {
        return open(context, InstantSource.system());
    }

    /**
     * Opens the ports.
     *
     * @param clock by which the tokens of logins are valid
     * @throws IOException if a port can't be bound, or a file can't be used
     * @throws IllegalArgumentException if an option's value is wrong
     */
    public static BedrockEndpoint open(EndpointContext context, InstantSource clock)
            throws IOException {
        return open(context, clock, Optional.empty());
    }

    /**
     * Opens the ports.
     *
     * @param clock by which the tokens of logins are valid
     * @param issuerKeys the source of keys that sign tokens; empty for that of the options
     * @throws IOException if a port can't be bound, or a file can't be used
     * @throws IllegalArgumentException if an option's value is wrong
     */
    public static BedrockEndpoint open(
            EndpointContext context, InstantSource clock, Optional<IssuerKeySource> issuerKeys)
            throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                return context.cycle()
                        .open(
                                context.address(),
                                socket ->
                                        new BedrockEndpoint(context, clock, issuerKeys, socket)
                                        .new Handler())
                        .endpoint();
            } catch (IOException e) {
                if (context.address().getPort() != 0 || tries == MAX_PORT_TRIES) {
                    throw e;
                }
            }
        }
    }

    private BedrockEndpoint(
            EndpointContext context,
            InstantSource clock,
            Optional<IssuerKeySource> issuerKeySource,
            UdpSocket socket)
            throws IOException {
        this.context = context;
        this.socket = socket;
        LongSupplier seconds = () -> clock.instant().getEpochSecond();
        BedrockOptions options =
                BedrockOptions.of(
                        context.options(),
                        !context.address().getAddress().isLoopbackAddress(),
                        seconds);
        isProofNeeded = options.trust().isProofNeeded();
        IssuerKeyCache issuerKeys =
                new IssuerKeyCache(
                        context.cycle(),
                        options.trust().issuer(),
                        issuerKeySource.or(options::issuerKeys),
                        context.counters(),
                        "bedrock.issuer");
        World first = World.of(context.blocks());
        long now = context.cycle().now();
        demultiplexer =
                new TransportDemultiplexer(
                        options.transports(),
                        new TransportDemultiplexer.Services(
                                context.addressLimits(),
                                context.memoryBudget(),
                                context.counters(),
                                context.random()),
                        socket,
                        context.maxPlayers(),
                        listener,
                        guid -> serverEntry().motd(guid, socket.local().getPort()),
                        now);
        Optional<NetherNetServer> connections = demultiplexer.nethernet();
        nethernet =
                connections.isEmpty()
                        ? null
                        : new NetherNetService(
                                context,
                                options,
                                issuerKeys,
                                connections.get(),
                                socket.local(),
                                this::serverEntry,
                                seconds);
        shared = new Shared(context, now, first);
        combat = new Combat(shared);
        handlers =
                new Handlers(
                        shared,
                        combat,
                        options,
                        issuerKeys,
                        clock,
                        now,
                        () -> context.sharedArena().isShared(participant));
        combat.listeners.forEach(context.arena()::addListener);
        context.sharedArena().enter(participant, prepare(first));
    }

    private SharedArena.PreparedMap prepare(World next) {
        return now -> {
            shared.world.change(now, next);
            shared.clients.all().forEach(session -> session.changeWorld(now));
        };
    }

    private final class Handler implements DatagramHandler {
        BedrockEndpoint endpoint() {
            return BedrockEndpoint.this;
        }

        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            demultiplexer.receive(now, from, data);
            BedrockSession session = shared.clients.find(from);
            if (session != null) {
                session.requestTurn();
            }
        }

        @Override
        public Optional<MemoryConsumer> payer(InetSocketAddress from, byte[] data) {
            return Optional.ofNullable(shared.clients.find(from));
        }

        @Override
        public long advance(long now) {
            long next = Math.min(handlers.verifier.advance(now), schedule.advance(now));
            next = Math.min(next, demultiplexer.advance(now));
            return nethernet == null ? next : Math.min(next, nethernet.advance(now));
        }
    }

    private final class Connections implements Transport.Listener {
        @Override
        public void onConnected(long now, Transport transport) {
            addSession(now, transport);
        }

        private BedrockSession addSession(long now, Transport transport) {
            BedrockSession session =
                    new BedrockSession(
                            now,
                            handlers.sessions,
                            schedule,
                            transport,
                            shared.identities.nextRuntimeId());
            shared.clients.add(transport, session);
            context.memoryBudget().add(session);
            return session;
        }

        @Override
        public void onRefused(long now, Transport transport, NetherNetPeer.Refusal reason) {
            LeaveReason.Code code =
                    switch (reason) {
                        case FULL -> LeaveReason.Code.SERVER_FULL;
                        case ADDRESS_LIMIT -> LeaveReason.Code.ADDRESS_LIMIT;
                    };
            addSession(now, transport).kick(now, LeaveReason.of(code));
        }

        @Override
        public void onReceived(long now, Transport transport, byte[] batch) {
            BedrockSession session = shared.clients.find(transport);
            if (session != null) {
                session.receive(now, batch);
            }
        }

        @Override
        public void onReceivedUnreliably(long now, Transport transport, byte[] batch) {
            BedrockSession session = shared.clients.find(transport);
            if (session != null) {
                session.receiveUnreliably(now, batch);
            }
        }

        @Override
        public void onViolation(long now, Transport transport, String reason) {
            BedrockSession session = shared.clients.find(transport);
            if (session != null) {
                session.onViolation(now, reason);
            }
        }

        @Override
        public void onEnded(
                long now, Transport transport, Transport.EndReason ending, String reason) {
            BedrockSession session = shared.clients.remove(transport);
            if (session != null) {
                context.memoryBudget().remove(session);
                session.onEnded(now, ending, reason);
            }
        }
    }

    /**
     * The entry of the server list. It counts all players, and as capacity the places that clients
     * of this game can still take.
     */
    private ServerInfo serverEntry() {
        int players = context.arena().playerCount();
        int capacity = context.capacity(BedrockCodec.NAME);
        String level = context.arena().level(BedrockCodec.NAME).name();
        MatchMode mode = context.arena().match().rules().mode();
        return new ServerInfo(
                context.name(),
                mode == MatchMode.NONE ? level : level + ", " + mode.title(),
                players,
                capacity,
                !isProofNeeded);
    }

    @Override
    public InetSocketAddress address() {
        return demultiplexer.address();
    }

    @Override
    public void close(String reason) {
        context.cycle().checkThread("closes an endpoint");
        Objects.requireNonNull(reason, "reason");
        if (isClosed) {
            return;
        }
        isClosed = true;
        TurnDefects defects = new TurnDefects();
        defects.guard(() -> context.sharedArena().leave(participant));
        combat.listeners.forEach(context.arena()::removeListener);
        long now = context.cycle().now();
        LeaveReason why = new LeaveReason(LeaveReason.Code.SERVER_CLOSED, reason);
        shared.clients.all().forEach(session -> defects.guard(() -> session.kick(now, why)));
        Collection<Transport> open = shared.clients.transports();
        open.forEach(transport -> defects.guard(transport::close));
        defects.guard(() -> demultiplexer.advance(now));
        // What is not acknowledged yet is not waited for: the socket is closed.
        open.forEach(transport -> defects.guard(() -> transport.abort(now, reason)));
        if (nethernet != null) {
            defects.guard(nethernet::close);
        }
        socket.close();
        defects.rethrow();
    }

    /** The listener to a transport's connections, each of which is a client of this server. */
    Transport.Listener listener() {
        return listener;
    }

    /** Connections of RakNet that exist, open or opening. */
    Collection<RakNetPeer> connections() {
        return demultiplexer.raknetPeers();
    }

    /** All sessions, from the oldest. */
    public List<BedrockSession> sessions() {
        return shared.clients.all();
    }

    PlayerIdentities identities() {
        return shared.identities;
    }
}
