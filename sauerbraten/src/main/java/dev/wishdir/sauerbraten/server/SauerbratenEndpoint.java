package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.enet.EnetHost;
import dev.wishdir.enet.EnetPeer;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.MasterServer;
import dev.wishdir.net.limit.MemoryConsumer;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.net.loop.TurnDefects;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.protocol.AuthPublicKey;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;
import dev.wishdir.sauerbraten.server.join.AuthKeyFile;
import dev.wishdir.sauerbraten.server.join.AuthKeyTable;
import dev.wishdir.sauerbraten.server.join.ConnectHandshake;
import dev.wishdir.sauerbraten.server.join.ConnectionLimiter;
import dev.wishdir.sauerbraten.server.join.PlayerListing;
import dev.wishdir.sauerbraten.server.join.SauerbratenMasters;
import dev.wishdir.sauerbraten.server.join.ServerQueries;
import dev.wishdir.sauerbraten.server.match.EditHandler;
import dev.wishdir.sauerbraten.server.match.ServedMap;
import dev.wishdir.sauerbraten.server.session.ClientConnection;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The server endpoint of Sauerbraten: unmodified clients of protocol 260 join the arena through it.
 * A client owns its position; the server checks its owner and life, and relays it to other clients
 * bit for bit.
 */
public final class SauerbratenEndpoint implements Endpoint, DatagramHandler {
    /** The option for the most relays of movement per second and player. */
    public static final String RELAYS = "max-position-rate";

    /** The default of {@link #RELAYS}. */
    public static final String DEFAULT_RELAYS = "114";

    /** The option for which players may change the map in coop edit. */
    public static final String EDIT = EditHandler.OPTION;

    /** The option for the number of the first mode. */
    public static final String MODE = ServedMap.MODE;

    /** The option for the file of public keys. */
    public static final String AUTH_KEYS = AuthKeyFile.OPTION;

    /** The form of a line of that file. */
    public static final String AUTH_KEY_LINE = AuthKeyTable.LINE;

    /** The option for the domain whose keys open the server. */
    public static final String AUTH_DOMAIN = ConnectHandshake.AUTH_DOMAIN;

    /** No fewer than the game's own 30 a second. */
    private static final int MIN_RELAYS_PER_SECOND = 30;

    private static final int MAX_RELAYS_PER_SECOND = 1000;
    private static final int FREE_PORT_TRIES = 20;
    private static final int LAST_PORT = 65_535;

    private final EndpointContext context;
    private final UdpSocket socket;
    private final Shared shared;
    private final Combat combat;
    private final Handlers handlers;
    private final EnetHost host;
    private final UdpSocket browser;
    private long now;

    private SauerbratenEndpoint(EndpointContext context, UdpSocket socket) throws IOException {
        this.context = context;
        this.socket = socket;
        now = context.cycle().now();
        shared = new Shared(context, now);
        combat = new Combat(shared);
        handlers =
                new Handlers(
                        shared,
                        combat,
                        socket.local(),
                        relayInterval(context.options()),
                        this::leave);
        int maxPeers =
                Math.min(context.maxPlayers(), ClientConnection.MAX_CLIENT_NUMBERS)
                        + ConnectionLimiter.SPARE_PEERS;
        host =
                new EnetHost(
                        SauerbratenTransport.server(maxPeers, maxPeers),
                        handlers.packets,
                        socket,
                        context.addressLimits(),
                        context.counters(),
                        context.random());
        browser = openBrowser();
        shared.maps.start(now, shared.first.name());
        combat.flags.onMapStarted();
        combat.listeners.forEach(context.arena()::addListener);
    }

    /** Opens the port of the server browser. */
    private UdpSocket openBrowser() throws IOException {
        ServerQueries.ServerDescription description =
                new ServerQueries.ServerDescription(
                        CubeText.serverName(context.name()),
                        () -> !context.password().isEmpty(),
                        now);
        PlayerListing listing =
                new PlayerListing(
                        context, shared.clients, shared.foreignPlayers, shared.current.board());
        InetSocketAddress above =
                new InetSocketAddress(socket.local().getAddress(), socket.local().getPort() + 1);
        return context.cycle()
                .open(
                        above,
                        opened ->
                                new ServerQueries(
                                        description,
                                        listing,
                                        shared.current,
                                        shared.maps,
                                        shared.privileges,
                                        context.addressLimits().amplificationLimiter(),
                                        context.counters(),
                                        opened))
                .socket();
    }

    /**
     * Checks the settings of the game.
     *
     * @throws IllegalArgumentException if a value is wrong; the message names the option
     */
    public static void check(Map<String, String> options) {
        relayInterval(options);
        ServedMap.checkMode(options.getOrDefault(MODE, ""));
        EditHandler.EditPermission.of(options.getOrDefault(EDIT, ""));
        MasterServer.parse(options.getOrDefault(MasterServer.OPTION, ""), SauerbratenMasters.PORT);
        AuthKeyFile.check(options.getOrDefault(AUTH_KEYS, ""));
        String domain = options.getOrDefault(AUTH_DOMAIN, "");
        if (!domain.isEmpty() && !options.containsKey(AUTH_KEYS)) {
            throw new IllegalArgumentException(
                    "option auth-domain needs option auth-keys, the file with the keys of "
                            + domain);
        }
        if (!CubeText.serverName(domain).equals(domain) || domain.contains(" ")) {
            throw new IllegalArgumentException(
                    "option auth-domain must have only characters that the game has, without"
                            + " blanks, is "
                            + domain);
        }
    }

    /**
     * A line for the file of {@link #AUTH_KEYS}.
     *
     * @param privilege {@code master}, {@code auth}, {@code admin} or {@code none}
     * @throws IllegalArgumentException if a name or the privilege is not allowed
     */
    public static String authKeyLine(
            String name, String domain, AuthPublicKey key, String privilege) {
        return AuthKeyTable.line(name, domain, key, privilege);
    }

    private static long relayInterval(Map<String, String> options) {
        String relays = options.getOrDefault(RELAYS, DEFAULT_RELAYS);
        if (!relays.matches("[0-9]{2,4}")
                || Integer.parseInt(relays) < MIN_RELAYS_PER_SECOND
                || Integer.parseInt(relays) > MAX_RELAYS_PER_SECOND) {
            throw new IllegalArgumentException(
                    "option max-position-rate must be a number from 30 to 1000, is '"
                            + relays
                            + "'");
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
        return shared.clients.sessions().size();
    }

    /** The bytes that are retained for the connection of an address. */
    long retainedBytes(InetSocketAddress of) {
        return shared.clients.connected().stream()
                .filter(session -> session.connection.peer.address().equals(of))
                .mapToLong(SauerbratenSession::retainedBytes)
                .sum();
    }

    @Override
    public InetSocketAddress address() {
        return socket.local();
    }

    @Override
    public void close(String reason) {
        context.cycle().checkThread("closes an endpoint");
        Objects.requireNonNull(reason, "reason");
        now = context.cycle().now();
        combat.listeners.forEach(context.arena()::removeListener);
        TurnDefects defects = new TurnDefects();
        defects.guard(combat.match::close);
        defects.guard(handlers.masters::close);
        String farewell = CubeText.chat(reason).strip();
        LeaveReason why = new LeaveReason(LeaveReason.Code.SERVER_CLOSED, reason);
        for (SauerbratenSession session : shared.clients.sessions()) {
            if (session.isJoined() && !farewell.isEmpty()) {
                defects.guard(() -> session.viewer.sendText(farewell));
            }
            defects.guard(() -> leave(session, why));
        }
        // Queued messages must be sent before the disconnect, which is not acknowledged.
        defects.guard(() -> host.advance(now));
        for (EnetPeer peer : host.peers()) {
            defects.guard(() -> peer.disconnectNow(DisconnectReason.NONE.code()));
            defects.guard(() -> handlers.limiter.onClosed(peer));
        }
        socket.close();
        defects.guard(browser::close);
        defects.rethrow();
    }

    private void leave(SauerbratenSession session, LeaveReason reason) {
        handlers.leaves.leave(now, session, reason);
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        this.now = now;
        host.receive(now, from, data);
    }

    @Override
    public Optional<MemoryConsumer> payer(InetSocketAddress from, byte[] data) {
        return host.sender(from, data).map(shared.clients::session);
    }

    @Override
    public long advance(long now) {
        this.now = now;
        long next = Duty.NEVER;
        for (Duty duty : handlers.duties) {
            next = Math.min(next, duty.advance(now));
        }
        shared.broadcaster.flushDeferred();
        next = Math.min(next, combat.match.advance(now));
        next = Math.min(next, combat.arenaItems.advance(now));
        next = Math.min(next, combat.flags.advance(now));
        next = Math.min(next, handlers.leaves.advance(now));
        return Math.min(next, host.advance(now));
    }
}
