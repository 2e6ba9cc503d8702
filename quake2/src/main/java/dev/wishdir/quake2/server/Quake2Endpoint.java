package dev.wishdir.quake2.server;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.level.MapChanger;
import dev.wishdir.net.limit.MemoryConsumer;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.TurnDefects;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.quake2.combat.Loadout;
import dev.wishdir.quake2.map.Quake2Map;
import dev.wishdir.quake2.map.Quake2MapCatalog;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.netchan.NetchanHeader;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.server.join.Heartbeat;
import dev.wishdir.quake2.server.join.SessionFactory;
import dev.wishdir.quake2.server.session.Quake2Session;
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

/**
 * The Quake II server: unmodified clients of protocol 34 join the arena through it. Commands run
 * when they are received. Every tenth of a second each client gets a frame, a delta of the newest
 * one that it has acknowledged, in which every player of the arena is a player of this game.
 */
public final class Quake2Endpoint implements Endpoint {
    /** Maximum frames per second, for clients that request more than the game's ten. */
    public static final int MAX_FRAMES_PER_SECOND = TickClock.TICKS_PER_SECOND;

    /** The default port of master servers. */
    public static final int MASTER_PORT = Heartbeat.MASTER_PORT;

    /** An empty packet of a client: its header. */
    private static final int MIN_PACKET_BYTES = 10;

    private static final Logger LOG = LoggerFactory.getLogger(Quake2Endpoint.class);

    private final Shared shared;
    private final Combat combat;
    private final SessionFactory sessions;
    private final MapChanger<Quake2Map> maps;
    private final Handlers handlers;
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
        shared = new Shared(context, socket, map);
        combat = new Combat(shared, loadout);
        combat.listeners.forEach(shared.arena::addListener);
        sessions =
                new SessionFactory(
                        context,
                        shared.entityTable,
                        shared.level,
                        shared.sender,
                        shared.counters,
                        maxFrames,
                        combat::lives);
        maps = new MapChanger<>(context.sharedArena(), catalog, map, this::start);
        handlers = new Handlers(shared, sessions, maps);
        ticks =
                new ServerFrame(
                        clock,
                        shared.clients,
                        shared.entityTable,
                        shared.level,
                        handlers.listings,
                        combat.foreignMissiles,
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
            return shared.clients
                    .find(from)
                    .filter(session -> session.isFrom(header))
                    .map(session -> (MemoryConsumer) session);
        }

        @Override
        public long advance(long now) {
            if (ticks.areExhausted()) {
                LOG.info(
                        "level began again: frames at their limit, level={}",
                        shared.level.map().name());
                start(now, shared.level.map());
            }
            return Math.min(handlers.heartbeat.advance(now), ticks.advance(now));
        }
    }

    @Override
    public InetSocketAddress address() {
        return shared.socket.local();
    }

    @Override
    public void close(String reason) {
        shared.context.cycle().checkThread("closes an endpoint");
        Objects.requireNonNull(reason, "reason");
        if (closed) {
            return;
        }
        closed = true;
        LeaveReason why = new LeaveReason(LeaveReason.Code.SERVER_CLOSED, reason);
        TurnDefects defects = new TurnDefects();
        for (Quake2Session session : List.copyOf(sessions())) {
            defects.guard(() -> session.sendShutdown(reason));
            defects.guard(() -> shared.clients.remove(session, why));
        }
        combat.listeners.forEach(shared.arena::removeListener);
        defects.guard(maps::close);
        defects.guard(handlers.heartbeat::close);
        shared.socket.close();
        defects.rethrow();
    }

    /** The sessions of all clients. */
    public Collection<Quake2Session> sessions() {
        return shared.clients.all();
    }

    RunningLevel level() {
        return shared.level;
    }

    /** A configstring of the level, empty for none. */
    String configString(int index) {
        return shared.strings.get(index);
    }

    private void receive(long now, InetSocketAddress from, byte[] data) {
        if (data.length > Netchan.MAX_PACKET_BYTES || from.getPort() == 0) {
            shared.counters.count("drop.size");
            return;
        }
        Optional<OutOfBand> outOfBand = OutOfBand.of(data);
        if (outOfBand.isPresent()) {
            handlers.outOfBands.receive(now, from, outOfBand.get());
            return;
        }
        if (data.length < MIN_PACKET_BYTES) {
            shared.counters.count("drop.short");
            return;
        }
        NetchanHeader header = NetchanHeader.wire(new Reader(data), NetchanHeader.FROM_CLIENT);
        Quake2Session session = shared.clients.sender(now, from, header);
        if (session == null) {
            shared.counters.count("drop.unknown");
            return;
        }
        handlers.messages.receive(now, session, data);
        session.answer(now);
    }

    /** Starts a map for all clients. */
    private void start(long now, Quake2Map map) {
        shared.level.begin(now, map);
        ticks.restart();
        shared.entityTable.beginLevel();
        for (Quake2Session session : shared.clients.all()) {
            session.changeMap(now, sessions.newServerCount());
        }
    }
}
