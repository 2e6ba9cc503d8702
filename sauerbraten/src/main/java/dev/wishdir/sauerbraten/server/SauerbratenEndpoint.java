package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.MatchMode;
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
import dev.wishdir.sauerbraten.combat.GameMode;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.protocol.AuthPublicKey;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;
import dev.wishdir.sauerbraten.server.chat.AdminHandler;
import dev.wishdir.sauerbraten.server.chat.ChatHandler;
import dev.wishdir.sauerbraten.server.chat.CommandHandler;
import dev.wishdir.sauerbraten.server.chat.Privileges;
import dev.wishdir.sauerbraten.server.combat.ActionHandler;
import dev.wishdir.sauerbraten.server.combat.ItemHandler;
import dev.wishdir.sauerbraten.server.combat.LifeHandler;
import dev.wishdir.sauerbraten.server.combat.MapItems;
import dev.wishdir.sauerbraten.server.combat.ShotHandler;
import dev.wishdir.sauerbraten.server.combat.TeamStarts;
import dev.wishdir.sauerbraten.server.join.AuthHandler;
import dev.wishdir.sauerbraten.server.join.AuthKeyFile;
import dev.wishdir.sauerbraten.server.join.AuthKeyTable;
import dev.wishdir.sauerbraten.server.join.AuthVerifier;
import dev.wishdir.sauerbraten.server.join.ConnectHandshake;
import dev.wishdir.sauerbraten.server.join.ConnectionLimiter;
import dev.wishdir.sauerbraten.server.join.LeaveHandler;
import dev.wishdir.sauerbraten.server.join.PlayerListing;
import dev.wishdir.sauerbraten.server.join.SauerbratenMasters;
import dev.wishdir.sauerbraten.server.join.ServerQueries;
import dev.wishdir.sauerbraten.server.join.WelcomeBuilder;
import dev.wishdir.sauerbraten.server.match.EditHandler;
import dev.wishdir.sauerbraten.server.match.FlagHandler;
import dev.wishdir.sauerbraten.server.match.MatchHandler;
import dev.wishdir.sauerbraten.server.match.RosterHandler;
import dev.wishdir.sauerbraten.server.match.SauerbratenMaps;
import dev.wishdir.sauerbraten.server.match.SauerbratenMatch;
import dev.wishdir.sauerbraten.server.match.ServedMap;
import dev.wishdir.sauerbraten.server.movement.PlaceHandler;
import dev.wishdir.sauerbraten.server.movement.PositionHandler;
import dev.wishdir.sauerbraten.server.movement.TeleportRelay;
import dev.wishdir.sauerbraten.server.session.Broadcaster;
import dev.wishdir.sauerbraten.server.session.ClientConnection;
import dev.wishdir.sauerbraten.server.session.ClientTable;
import dev.wishdir.sauerbraten.server.session.CurrentMatch;
import dev.wishdir.sauerbraten.server.session.PlayerTracker;
import dev.wishdir.sauerbraten.server.session.SauerbratenPings;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;
import dev.wishdir.sauerbraten.server.session.SauerbratenViewer;
import dev.wishdir.sauerbraten.server.view.ForeignPlayers;
import dev.wishdir.sauerbraten.server.view.MovementCache;
import dev.wishdir.sauerbraten.server.view.PositionBatcher;
import dev.wishdir.sauerbraten.server.view.RunningLevel;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

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
    public static final String AUTH_KEYS = "auth-keys";

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
    private final EnetHost host;
    private final ClientTable clients;
    private final Broadcaster broadcaster;
    private final PlayerTracker players;
    private final CombatListener combat;
    private final ItemHandler arenaItems;
    private final FlagHandler flags;
    private final SauerbratenMatch match;
    private final List<Duty> duties;
    private final ConnectionLimiter limiter;
    private final SauerbratenMasters masters;
    private final LeaveHandler leaves;
    private final UdpSocket socket;
    private final UdpSocket browser;
    private long now;

    private SauerbratenEndpoint(EndpointContext context, UdpSocket socket) throws IOException {
        this.context = context;
        this.socket = socket;
        now = context.cycle().now();
        int maxPeers =
                Math.min(context.maxPlayers(), ClientConnection.MAX_CLIENT_NUMBERS)
                        + ConnectionLimiter.SPARE_PEERS;
        Arena arena = context.arena();
        clients = new ClientTable();
        broadcaster = new Broadcaster(clients);
        LongUnaryOperator peerTime = time -> time + context.cycle().sleptNanos();
        ServedMap first = ServedMap.of(context);
        MatchMode played = arena.match().rules().mode();
        if (!first.mode().fits(played)) {
            throw new IllegalArgumentException(
                    "option mode must be one of "
                            + GameMode.fitting(played)
                            + " with --match "
                            + played
                            + ", is "
                            + first.mode().number());
        }
        RunningLevel geometry = new RunningLevel(arena, first.motion());
        ForeignPlayers foreignPlayers = new ForeignPlayers(geometry);
        players = new PlayerTracker(arena, clients, foreignPlayers);
        CurrentMatch current = new CurrentMatch(now, first.mode(), broadcaster, arena.match());
        SauerbratenMaps maps =
                new SauerbratenMaps(
                        clients,
                        broadcaster,
                        current,
                        geometry,
                        context.memoryBudget()::isShort,
                        first);
        PlaceHandler places = new PlaceHandler(geometry, context.counters(), peerTime);
        arenaItems =
                new ItemHandler(
                        arena.match().items(), current, clients, broadcaster, geometry, places);
        MapItems items = new MapItems(current, broadcaster, arenaItems);
        flags =
                new FlagHandler(
                        arena.match(),
                        current,
                        clients,
                        broadcaster,
                        maps,
                        geometry,
                        context.counters());
        LifeHandler lives =
                new LifeHandler(
                        current,
                        arena.match(),
                        broadcaster,
                        context.random(),
                        arenaItems,
                        new TeamStarts(arena.match(), current, geometry),
                        peerTime);
        match =
                new SauerbratenMatch(
                        clients, broadcaster, current, maps, items, lives, flags, context, first);
        combat = new CombatListener(clients, foreignPlayers, broadcaster, match, peerTime);
        Privileges privileges = new Privileges(clients, broadcaster, current, context);
        SauerbratenPings pings = new SauerbratenPings(clients, broadcaster, context.counters());
        TeleportRelay teleports = new TeleportRelay(clients, broadcaster);
        limiter = new ConnectionLimiter(context, clients, this::leave);
        masters = new SauerbratenMasters(context, clients);
        masters.open(socket.local());
        AuthVerifier verifier =
                new AuthVerifier(
                        context,
                        new AuthKeyFile(
                                AUTH_KEYS,
                                context.options().getOrDefault(AUTH_KEYS, ""),
                                context.cycle()),
                        masters);
        duties =
                List.of(
                        pings::advance,
                        broadcaster::advance,
                        teleports::advance,
                        players::advance,
                        verifier::advance);
        leaves = new LeaveHandler(context, clients, broadcaster, privileges, limiter);
        ConnectHandshake handshake =
                new ConnectHandshake(
                        context,
                        clients,
                        new SauerbratenViewer.Context(
                                arena,
                                clients,
                                foreignPlayers,
                                new MovementCache(clients::number, foreignPlayers),
                                broadcaster::flushRelayed,
                                players::onJoined,
                                new PositionBatcher(relayInterval(context.options())),
                                current.board(),
                                context.cycle()::now),
                        match,
                        privileges,
                        limiter,
                        new WelcomeBuilder(current, match, lives, privileges, flags),
                        verifier);
        AdminHandler admins =
                new AdminHandler(
                        arena,
                        clients,
                        broadcaster,
                        current,
                        match::isShared,
                        privileges,
                        context.operatorConsole());
        PacketHandler packets =
                new PacketHandler(
                        clients,
                        new PositionHandler(
                                geometry,
                                places,
                                teleports,
                                context.counters(),
                                (session, time) -> lives.restart(time, session),
                                peerTime,
                                current::stopsPhysics),
                        handshake,
                        leaves,
                        pings,
                        new MessageHandler(
                                pings,
                                new ChatHandler(
                                        broadcaster,
                                        current,
                                        new CommandHandler(privileges, context.operatorConsole())),
                                lives,
                                new ActionHandler(
                                        broadcaster,
                                        arena.match(),
                                        new ShotHandler(
                                                arena,
                                                clients,
                                                broadcaster,
                                                geometry,
                                                places,
                                                context.counters(),
                                                peerTime),
                                        peerTime),
                                new RosterHandler(clients, broadcaster, current, lives, privileges),
                                new MatchHandler(
                                        clients,
                                        broadcaster,
                                        match,
                                        maps,
                                        items,
                                        lives,
                                        privileges),
                                new AuthHandler(verifier, privileges, admins),
                                new EditHandler(
                                        broadcaster,
                                        current,
                                        maps,
                                        geometry,
                                        match::isShared,
                                        arena.match(),
                                        lives,
                                        EditHandler.EditPermission.of(
                                                context.options().getOrDefault(EDIT, ""))),
                                flags),
                        context.counters());
        host =
                new EnetHost(
                        SauerbratenTransport.server(maxPeers, maxPeers),
                        packets,
                        socket,
                        context.addressLimits(),
                        context.counters(),
                        context.random());
        ServerQueries.ServerDescription description =
                new ServerQueries.ServerDescription(
                        CubeText.serverName(context.name()),
                        () -> !context.password().isEmpty(),
                        now);
        InetSocketAddress above =
                new InetSocketAddress(socket.local().getAddress(), socket.local().getPort() + 1);
        browser =
                context.cycle()
                        .open(
                                above,
                                opened ->
                                        new ServerQueries(
                                                description,
                                                new PlayerListing(
                                                        context,
                                                        clients,
                                                        foreignPlayers,
                                                        current.board()),
                                                current,
                                                maps,
                                                privileges,
                                                context.addressLimits().amplificationLimiter(),
                                                context.counters(),
                                                opened))
                        .socket();
        maps.start(now, first.name());
        flags.onMapStarted();
        arena.addListener(players);
        arena.addListener(combat);
        arena.addListener(arenaItems);
        arena.addListener(flags);
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
        AuthKeyFile.check(AUTH_KEYS, options.getOrDefault(AUTH_KEYS, ""));
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
        return clients.sessions().size();
    }

    /** The bytes that are retained for the connection of an address. */
    long retainedBytes(InetSocketAddress of) {
        return clients.connected().stream()
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
        context.arena().removeListener(players);
        context.arena().removeListener(combat);
        context.arena().removeListener(arenaItems);
        context.arena().removeListener(flags);
        TurnDefects defects = new TurnDefects();
        defects.guard(match::close);
        defects.guard(masters::close);
        String farewell = CubeText.chat(reason).strip();
        LeaveReason why = new LeaveReason(LeaveReason.Code.SERVER_CLOSED, reason);
        for (SauerbratenSession session : clients.sessions()) {
            if (session.isJoined() && !farewell.isEmpty()) {
                defects.guard(() -> session.viewer.sendText(farewell));
            }
            defects.guard(() -> leave(session, why));
        }
        // Queued messages must be sent before the disconnect, which is not acknowledged.
        defects.guard(() -> host.advance(now));
        for (EnetPeer peer : host.peers()) {
            defects.guard(() -> peer.disconnectNow(DisconnectReason.NONE.code()));
            defects.guard(() -> limiter.onClosed(peer));
        }
        socket.close();
        defects.guard(browser::close);
        defects.rethrow();
    }

    private void leave(SauerbratenSession session, LeaveReason reason) {
        leaves.leave(now, session, reason);
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        this.now = now;
        host.receive(now, from, data);
    }

    @Override
    public Optional<MemoryConsumer> payer(InetSocketAddress from, byte[] data) {
        return host.sender(from, data).map(clients::session);
    }

    @Override
    public long advance(long now) {
        this.now = now;
        long next = Duty.NEVER;
        for (Duty duty : duties) {
            next = Math.min(next, duty.advance(now));
        }
        broadcaster.flushDeferred();
        next = Math.min(next, match.advance(now));
        next = Math.min(next, arenaItems.advance(now));
        next = Math.min(next, flags.advance(now));
        next = Math.min(next, leaves.advance(now));
        return Math.min(next, host.advance(now));
    }
}
