package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.ArenaListener;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.enet.EnetDisconnectReason;
import dev.wishdir.enet.EnetHost;
import dev.wishdir.enet.EnetListener;
import dev.wishdir.enet.EnetPeer;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.MemoryConsumer;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.MovementMessage;
import dev.wishdir.sauerbraten.message.RelayMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Dissector.Direction;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The server endpoint of Sauerbraten: unmodified clients of protocol 260 join the arena through it.
 * A client owns its position; the server checks its owner and life, and relays it to other clients
 * bit for bit.
 */
public final class SauerbratenEndpoint implements Endpoint, DatagramHandler, EnetListener {
    /** The option for the most relays of movement per second and player. */
    public static final String RELAYS = "max-position-rate";

    /** The default of {@link #RELAYS}. */
    public static final String DEFAULT_RELAYS = "114";

    /** The option for which players may change the map in coop edit. */
    public static final String EDIT = SauerbratenEdits.OPTION;

    /** The option for the number of the first mode. */
    public static final String MODE = ServedMap.MODE;

    private static final long JOIN_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(15);

    /** No fewer than the game's own 30 a second. */
    private static final int MIN_RELAYS_PER_SECOND = 30;

    private static final int MAX_RELAYS_PER_SECOND = 1000;
    private static final int FREE_PORT_TRIES = 20;
    private static final int LAST_PORT = 65_535;

    private final EndpointContext context;
    private final EnetHost host;
    private final ClientRegistry registry;
    private final SauerbratenMatch match;
    private final Privileges privileges;
    private final SauerbratenPings pings;
    private final TeleportRelay teleports;
    private final PositionHandler positions;
    private final SauerbratenSignOn signOn;
    private final MessageHandler messages;
    private final Reader reader = new Reader(new byte[0]);
    private final ConnectionAdmission admission;
    private final ArenaListener foreigners;
    private final UdpSocket socket;
    private final UdpSocket browser;
    private long now;

    private SauerbratenEndpoint(EndpointContext context, UdpSocket socket) throws IOException {
        this.context = context;
        this.socket = socket;
        now = context.cycle().now();
        int players = Math.min(context.maxPlayers(), ClientRegistry.MAX_CLIENT_NUMBERS);
        host =
                new EnetHost(
                        SauerbratenTransport.server(
                                players + ConnectionAdmission.SPARE_PEERS,
                                players + ConnectionAdmission.SPARE_PEERS),
                        this,
                        socket::send,
                        context.addressLimits(),
                        context.counters(),
                        context.random());
        ServedMap first = ServedMap.of(context);
        registry =
                new ClientRegistry(
                        context.arena(),
                        context.memoryBudget(),
                        first.motion(),
                        relayInterval(context.options()),
                        context.cycle()::sleptNanos);
        foreigners = registry::onEvent;
        admission = new ConnectionAdmission(context, registry, this::gone);
        match = new SauerbratenMatch(registry, now, first, context.sharedArena());
        privileges = new Privileges(registry, match, context);
        pings = new SauerbratenPings(registry);
        teleports = new TeleportRelay(registry);
        positions =
                new PositionHandler(
                        registry,
                        teleports,
                        context.counters(),
                        (session, time) -> match.respawn(time, session));
        signOn = new SauerbratenSignOn(context, registry, match, privileges, pings, admission);
        messages =
                new MessageHandler(
                        registry,
                        match,
                        privileges,
                        new AdminChatCommands(privileges, registry, context.operatorConsole()),
                        pings,
                        new SauerbratenEdits(registry, match, privileges, context));
        SauerbratenInfo.About about =
                new SauerbratenInfo.About(
                        CubeText.chat(context.name()), () -> !context.password().isEmpty(), now);
        InetSocketAddress above =
                new InetSocketAddress(socket.local().getAddress(), socket.local().getPort() + 1);
        browser =
                context.cycle()
                        .open(
                                above,
                                opened ->
                                        new SauerbratenInfo(
                                                about,
                                                registry,
                                                match,
                                                privileges,
                                                context.addressLimits().amplificationLimiter(),
                                                context.counters(),
                                                opened))
                        .socket();
        match.announceLevel(now);
        context.arena().addListener(foreigners);
    }

    /**
     * Checks the settings of the game.
     *
     * @throws IllegalArgumentException if a value is wrong; the message names the option
     */
    public static void check(Map<String, String> options) {
        relayInterval(options);
        ServedMap.checkMode(options.getOrDefault(MODE, ""));
        SauerbratenEdits.check(options.getOrDefault(EDIT, ""));
    }

    private static long relayInterval(Map<String, String> options) {
        String relays = options.getOrDefault(RELAYS, DEFAULT_RELAYS);
        if (!relays.matches("[0-9]{2,4}")
                || Integer.parseInt(relays) < MIN_RELAYS_PER_SECOND
                || Integer.parseInt(relays) > MAX_RELAYS_PER_SECOND) {
            throw new IllegalArgumentException(
                    "--sauerbraten-max-position-rate must be a number from 30 to 1000, is "
                            + relays);
        }
        return TimeUnit.SECONDS.toNanos(1) / Integer.parseInt(relays);
    }

    /**
     * Opens the game's port and, above it, the port of the server browser.
     *
     * @throws IOException if either cannot be bound
     */
    public static SauerbratenEndpoint open(EndpointContext context) throws IOException {
        if (context.address().getPort() >= LAST_PORT) {
            throw new IOException(
                    "port 65535 has no port above it for the server browser; choose a port below"
                            + " 65535");
        }
        boolean anyPort = context.address().getPort() == 0;
        for (int i = 1; ; i++) {
            try {
                return context.cycle()
                        .open(
                                context.address(),
                                socket -> new SauerbratenEndpoint(context, socket));
            } catch (IOException e) {
                // If the system chooses the port, the one above it may be taken.
                if (!anyPort || i == FREE_PORT_TRIES) {
                    throw e;
                }
            }
        }
    }

    /** The number of connections, joined or not. */
    int sessions() {
        return registry.sessions().size();
    }

    /** The bytes that are retained for the connection of an address. */
    long retainedBytes(InetSocketAddress of) {
        return admission.all().stream()
                .filter(session -> session.peer.address().equals(of))
                .mapToLong(SauerbratenSession::retainedBytes)
                .sum();
    }

    @Override
    public InetSocketAddress address() {
        return socket.local();
    }

    @Override
    public void close(String reason) {
        context.arena().removeListener(foreigners);
        match.close();
        String farewell = CubeText.chat(reason).strip();
        for (SauerbratenSession session : registry.sessions()) {
            if (session.joined() && !farewell.isEmpty()) {
                session.viewer.sendText(farewell);
            }
            gone(session, LeaveReason.CLOSED);
        }
        // Queued messages must be sent before the disconnect, which is not acknowledged.
        host.advance(now);
        for (EnetPeer peer : host.peers()) {
            peer.disconnectNow(DisconnectReason.NONE.code());
            admission.onClosed(peer);
        }
        socket.close();
        browser.close();
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        this.now = now;
        host.receive(now, from, data);
    }

    @Override
    public Optional<MemoryConsumer> payer(InetSocketAddress from, byte[] data) {
        return host.sender(from, data).map(admission::session);
    }

    @Override
    public long advance(long now) {
        this.now = now;
        long next = pings.advance(now);
        next = Math.min(next, registry.advance(now));
        next = Math.min(next, teleports.advance(now));
        next = Math.min(next, pings.advanceForeign(now));
        registry.flush();
        next = Math.min(next, match.advance(now));
        for (SauerbratenSession session : registry.sessions()) {
            long limit = session.connected + JOIN_TIMEOUT_NANOS;
            LeaveReason ending = session.disconnectReason();
            if (ending != null) {
                gone(session, ending);
            } else if (!session.peer.connected()) {
                gone(session, departure(session.peer.cause()));
            } else if (!session.joined() && now >= limit) {
                admission.reportRefusal(
                        now, session.peer, ClientRegistry.leaveReason(DisconnectReason.TIMEOUT));
                registry.disconnect(session, DisconnectReason.TIMEOUT);
                gone(session, ClientRegistry.leaveReason(DisconnectReason.TIMEOUT));
            } else if (!session.joined()) {
                next = Math.min(next, limit);
            }
        }
        return Math.min(next, host.advance(now));
    }

    @Override
    public void onConnected(EnetPeer peer) {
        SauerbratenSession session = admission.enter(now, peer);
        if (session != null) {
            registry.send(
                    session,
                    new SessionMessage.ServInfo(
                            session.cn,
                            SauerbratenCodec.V260.protocol(),
                            session.sessionid,
                            !context.password().isEmpty(),
                            CubeText.chat(context.name()),
                            ""));
        }
    }

    @Override
    public void onDisconnected(EnetPeer peer, long data, EnetDisconnectReason cause) {
        SauerbratenSession session = admission.session(peer);
        if (session != null) {
            LeaveReason ending = session.disconnectReason();
            gone(session, ending == null ? departure(cause) : ending);
        }
        admission.onClosed(peer);
    }

    private static LeaveReason departure(EnetDisconnectReason cause) {
        return switch (cause) {
            case REMOTE, LOCAL -> LeaveReason.LEFT;
            case REPLACED -> new LeaveReason(LeaveReason.Code.LEFT, "reconnected");
            case TIMEOUT -> LeaveReason.TIMED_OUT;
            case NOT_ACKNOWLEDGING -> LeaveReason.NOT_ACKNOWLEDGING;
            case INCOMPLETE -> new LeaveReason(LeaveReason.Code.TIMED_OUT, "incomplete message");
            case OVERFLOW -> LeaveReason.of(LeaveReason.Code.SEND_QUEUE_FULL);
            case PROTOCOL ->
                    new LeaveReason(LeaveReason.Code.PROTOCOL_ERROR, "ENet protocol violation");
        };
    }

    private void gone(SauerbratenSession session, LeaveReason why) {
        if (!session.leave(why)) {
            return;
        }
        registry.remove(session);
        admission.onLeaving(session.peer);
        PlayerId player = session.player();
        if (player != null) {
            context.counters()
                    .count(
                            switch (why.code()) {
                                case LEFT -> "sauerbraten.left";
                                case TIMED_OUT -> "sauerbraten.timed-out";
                                case SERVER_CLOSED -> "sauerbraten.closed";
                                default -> "sauerbraten.sent-away";
                            });
            privileges.onLeave(now, session);
            context.arena().leave(now, player, why);
        }
    }

    @Override
    public void onReceived(EnetPeer peer, int channel, Bytes payload, boolean reliable) {
        SauerbratenSession session = admission.session(peer);
        if (session == null || session.disconnectReason() != null) {
            return;
        }
        PlayerId player = session.player();
        if (player != null) {
            context.arena().recordActivity(now, player);
        }
        reader.reset(payload.toArray(), 0, payload.length());
        try {
            switch (channel) {
                case SauerbratenTransport.POSITIONS -> positions.received(now, session, reader);
                case SauerbratenTransport.MESSAGES -> messages(session);
                default -> file(session);
            }
        } catch (MalformedPacketException e) {
            context.counters().count("sauerbraten.drop.message");
            registry.disconnect(
                    session,
                    e.field().equals("code")
                            ? DisconnectReason.MESSAGE_ERROR
                            : DisconnectReason.END_OF_PACKET);
        }
    }

    private void messages(SauerbratenSession session) {
        int speaker = session.cn;
        while (reader.remaining() > 0 && session.disconnectReason() == null) {
            int start = reader.position();
            SauerbratenMessage message = SauerbratenCodec.V260.read(Direction.C2S, reader);
            if (!session.messages.tryAcquire(now)) {
                registry.disconnect(session, DisconnectReason.OVERFLOW);
            } else if (!session.joined()) {
                signOn.received(now, session, message);
            } else if (message instanceof MovementMessage) {
                throw new MalformedPacketException(start, "code", "not of the channel of messages");
            } else if (message instanceof RelayMessage.FromAi from) {
                speaker = from.cn() < 0 ? session.cn : from.cn();
            } else if (speaker == session.cn) {
                messages.received(now, session, message, reader.position() - start);
            }
        }
    }

    /** Handles a packet of the channel of files: a map that a client sends in coop edit. */
    private void file(SauerbratenSession session) {
        if (!session.joined()) {
            registry.disconnect(session, DisconnectReason.MESSAGE_ERROR);
            return;
        }
        int length = reader.remaining();
        for (SauerbratenMessage message :
                SauerbratenCodec.V260.readPacket(
                        Direction.C2S, SauerbratenTransport.FILES, reader)) {
            messages.received(now, session, message, length);
        }
    }
}
