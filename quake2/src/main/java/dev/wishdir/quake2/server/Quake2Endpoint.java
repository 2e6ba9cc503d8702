package dev.wishdir.quake2.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.MasterServer;
import dev.wishdir.game.level.MapChanger;
import dev.wishdir.net.limit.MemoryConsumer;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.TurnDefects;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.quake2.combat.Loadout;
import dev.wishdir.quake2.map.Quake2Map;
import dev.wishdir.quake2.map.Quake2MapCatalog;
import dev.wishdir.quake2.message.ServerMessage.ConfigString;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.netchan.NetchanHeader;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.server.chat.CommandHandler;
import dev.wishdir.quake2.server.chat.RconRequests;
import dev.wishdir.quake2.server.combat.EffectSink;
import dev.wishdir.quake2.server.combat.ForeignMissiles;
import dev.wishdir.quake2.server.combat.HitHandler;
import dev.wishdir.quake2.server.combat.LifeHandler;
import dev.wishdir.quake2.server.combat.MissileHandler;
import dev.wishdir.quake2.server.combat.ShotHandler;
import dev.wishdir.quake2.server.join.ConnectHandshake;
import dev.wishdir.quake2.server.join.Heartbeat;
import dev.wishdir.quake2.server.join.ServerInfo;
import dev.wishdir.quake2.server.join.ServerQueries;
import dev.wishdir.quake2.server.join.SessionFactory;
import dev.wishdir.quake2.server.join.SignOn;
import dev.wishdir.quake2.server.match.PlayerListing;
import dev.wishdir.quake2.server.session.ClientTable;
import dev.wishdir.quake2.server.session.EffectBroadcaster;
import dev.wishdir.quake2.server.session.PacketSender;
import dev.wishdir.quake2.server.session.Quake2Counters;
import dev.wishdir.quake2.server.session.Quake2Session;
import dev.wishdir.quake2.server.view.ConfigStrings;
import dev.wishdir.quake2.server.view.FlagEntities;
import dev.wishdir.quake2.server.view.ItemEntities;
import dev.wishdir.quake2.server.view.MissileEntities;
import dev.wishdir.quake2.server.view.PlayerEntityTable;
import dev.wishdir.quake2.server.view.RunningLevel;
import dev.wishdir.quake2.server.view.TickClock;
import dev.wishdir.wire.Reader;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * The Quake II server: unmodified clients of protocol 34 join the arena through it. Commands run
 * when they are received. Every tenth of a second each client gets a frame, a delta of the newest
 * one that it has acknowledged, in which every player of the arena is a player of this game.
 */
public final class Quake2Endpoint implements Endpoint {
    /** Maximum frames per second, for clients that request more than the game's ten. */
    public static final int MAX_FRAMES_PER_SECOND = TickClock.TICKS_PER_SECOND;

    /** The default port of master servers. */
    public static final int MASTER_PORT = 27_900;

    /** An empty packet of a client: its header. */
    private static final int MIN_PACKET_BYTES = 10;

    private static final Logger LOG = LoggerFactory.getLogger(Quake2Endpoint.class);

    private final DutyCycle cycle;
    private final UdpSocket socket;
    private final Runnable unregister;
    private final Quake2Counters counters;
    private final ConfigStrings strings = new ConfigStrings(this::onConfigString);
    private final PlayerEntityTable entityTable;
    private final RunningLevel level;
    private final ClientTable clients;
    private final SessionFactory sessions;
    private final MapChanger<Quake2Map> maps;
    private final OutOfBandHandler outOfBands;
    private final Heartbeat heartbeat;
    private final MessageHandler messages;
    private final ServerFrame ticks;
    private boolean closed;

    /**
     * Opens the server.
     *
     * @param maxFrames frames per second, 10 to {@link #MAX_FRAMES_PER_SECOND}, for clients that
     *     request more than ten
     * @throws IOException if the port can't be bound or the map can't be read
     */
    public static Quake2Endpoint open(
            EndpointContext context, Quake2MapCatalog catalog, int maxFrames) throws IOException {
        return open(context, catalog, maxFrames, Loadout.BLASTER);
    }

    /**
     * Opens the server.
     *
     * @param maxFrames frames per second, 10 to {@link #MAX_FRAMES_PER_SECOND}, for clients that
     *     request more than ten
     * @param loadout what players have in matches
     * @throws IOException if the port can't be bound or the map can't be read
     */
    public static Quake2Endpoint open(
            EndpointContext context, Quake2MapCatalog catalog, int maxFrames, Loadout loadout)
            throws IOException {
        return open(context, catalog, maxFrames, loadout, new TickClock());
    }

    /** As {@link #open(EndpointContext, Quake2MapCatalog, int, Loadout)}, at a tick of a clock. */
    static Quake2Endpoint open(
            EndpointContext context,
            Quake2MapCatalog catalog,
            int maxFrames,
            Loadout loadout,
            TickClock clock)
            throws IOException {
        Quake2Map map = catalog.load(context.map());
        return context.cycle()
                .open(
                        context.address(),
                        socket ->
                                new Quake2Endpoint(
                                        context, socket, catalog, map, maxFrames, loadout, clock)
                                .new Handler())
                .endpoint();
    }

    private Quake2Endpoint(
            EndpointContext context,
            UdpSocket socket,
            Quake2MapCatalog catalog,
            Quake2Map map,
            int maxFrames,
            Loadout loadout,
            TickClock clock) {
        cycle = context.cycle();
        this.socket = socket;
        Arena arena = context.arena();
        counters = new Quake2Counters(context.counters());
        PacketSender sender =
                new PacketSender(socket, context.addressLimits().amplificationLimiter(), counters);
        MissileEntities missiles = new MissileEntities();
        ItemEntities items = new ItemEntities(arena.match().items());
        FlagEntities flags = new FlagEntities(arena, strings);
        entityTable = new PlayerEntityTable(arena, strings, missiles, items, flags);
        clients = new ClientTable(context, entityTable, counters);
        level =
                new RunningLevel(
                        arena,
                        context.httpDownloads(),
                        strings,
                        items,
                        flags,
                        context.cycle().now(),
                        map);
        RandomGenerator random = new Random(context.random().nextLong());
        EffectSink effects = new EffectBroadcaster(clients, entityTable);
        HitHandler hits = new HitHandler(arena);
        ShotHandler shots =
                new ShotHandler(
                        level,
                        effects,
                        hits,
                        new MissileHandler(level, effects, hits, missiles, random),
                        random);
        sessions =
                new SessionFactory(
                        context,
                        entityTable,
                        level,
                        sender,
                        counters,
                        maxFrames,
                        () -> new LifeHandler(level, shots, effects, random, loadout));
        CombatListener combat = new CombatListener(clients, entityTable, level, effects, hits);
        arena.addListener(entityTable);
        arena.addListener(combat);
        unregister =
                () -> {
                    arena.removeListener(entityTable);
                    arena.removeListener(combat);
                };
        maps = new MapChanger<>(context.sharedArena(), catalog, map, this::start);
        PlayerListing listings = new PlayerListing(arena, entityTable, context.cycle()::now);
        ServerInfo serverInfo = new ServerInfo(context, level);
        ServerQueries queries = new ServerQueries(serverInfo, listings, sender, counters);
        heartbeat =
                new Heartbeat(
                        context,
                        MasterServer.parse(
                                Quake2Codec.GAME,
                                context.options().getOrDefault(MasterServer.OPTION, ""),
                                MASTER_PORT),
                        queries,
                        socket);
        outOfBands =
                new OutOfBandHandler(
                        new ConnectHandshake(context, clients, sessions, sender, counters),
                        queries,
                        new RconRequests(context, clients, maps::change, sender, counters),
                        heartbeat,
                        counters);
        messages =
                new MessageHandler(
                        new CommandHandler(
                                new SignOn(strings, clients, counters),
                                clients,
                                level,
                                serverInfo,
                                listings,
                                maps::isShared,
                                counters),
                        counters);
        ticks =
                new ServerFrame(
                        clock,
                        clients,
                        entityTable,
                        level,
                        listings,
                        new ForeignMissiles(arena.match(), missiles, level),
                        context.cycle());
    }

    private final class Handler implements DatagramHandler {
        Quake2Endpoint endpoint() {
            return Quake2Endpoint.this;
        }

        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            Quake2Endpoint.this.receive(now, from, data);
        }

        @Override
        public Optional<MemoryConsumer> payer(InetSocketAddress from, byte[] data) {
            if (data.length < MIN_PACKET_BYTES || OutOfBand.is(data)) {
                return Optional.empty();
            }
            NetchanHeader header = NetchanHeader.wire(new Reader(data), NetchanHeader.FROM_CLIENT);
            return clients.find(from)
                    .filter(session -> session.isFrom(header))
                    .map(session -> (MemoryConsumer) session);
        }

        @Override
        public long advance(long now) {
            if (ticks.areExhausted()) {
                LOG.info("level began again: frames at their limit, level={}", level.map().name());
                start(now, level.map());
            }
            return Math.min(heartbeat.advance(now), ticks.advance(now));
        }
    }

    @Override
    public InetSocketAddress address() {
        return socket.local();
    }

    @Override
    public void close(String reason) {
        cycle.checkThread("closes an endpoint");
        Objects.requireNonNull(reason, "reason");
        if (closed) {
            return;
        }
        closed = true;
        LeaveReason why = new LeaveReason(LeaveReason.Code.SERVER_CLOSED, reason);
        TurnDefects defects = new TurnDefects();
        for (Quake2Session session : List.copyOf(sessions())) {
            defects.guard(() -> session.sendShutdown(reason));
            defects.guard(() -> clients.remove(session, why));
        }
        defects.guard(unregister);
        defects.guard(maps::close);
        defects.guard(heartbeat::close);
        socket.close();
        defects.rethrow();
    }

    /** The sessions of all clients. */
    public Collection<Quake2Session> sessions() {
        return clients.all();
    }

    RunningLevel level() {
        return level;
    }

    /** A configstring of the level, empty for none. */
    String configString(int index) {
        return strings.get(index);
    }

    private void receive(long now, InetSocketAddress from, byte[] data) {
        if (data.length > Netchan.MAX_PACKET_BYTES || from.getPort() == 0) {
            counters.count("drop.size");
            return;
        }
        Optional<OutOfBand> outOfBand = OutOfBand.of(data);
        if (outOfBand.isPresent()) {
            outOfBands.receive(now, from, outOfBand.get());
            return;
        }
        if (data.length < MIN_PACKET_BYTES) {
            counters.count("drop.short");
            return;
        }
        NetchanHeader header = NetchanHeader.wire(new Reader(data), NetchanHeader.FROM_CLIENT);
        Quake2Session session = clients.sender(now, from, header);
        if (session == null) {
            counters.count("drop.unknown");
            return;
        }
        messages.receive(now, session, data);
        session.answer(now);
    }

    /** Sends a changed configstring to the clients that have the others. */
    private void onConfigString(int index) {
        for (Quake2Session session : clients.all()) {
            if (session.state().hasConfigStrings()) {
                session.channel()
                        .state(index, () -> List.of(new ConfigString(index, strings.get(index))));
            }
        }
    }

    /** Starts a map for all clients. */
    private void start(long now, Quake2Map map) {
        level.begin(now, map);
        ticks.restart();
        entityTable.beginLevel();
        for (Quake2Session session : clients.all()) {
            session.changeMap(now, sessions.newServerCount());
        }
    }
}
