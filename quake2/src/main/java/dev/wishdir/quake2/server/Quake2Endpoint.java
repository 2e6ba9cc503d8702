package dev.wishdir.quake2.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaListener;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.Level.File;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.SharedArena;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.AmplificationLimiter;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.Duty;
import dev.wishdir.net.MemoryConsumer;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.quake2.map.Quake2Map;
import dev.wishdir.quake2.map.Quake2MapCatalog;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.netchan.InfoString;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.netchan.NetchanHeader;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.protocol.Quake2Text;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.world.blocks.BlockArena;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/**
 * The Quake II server: unmodified clients of protocol 34 join the arena through it. Commands run
 * when they are received. Every tenth of a second each client gets a frame, a delta of the newest
 * one that it has acknowledged, in which every player of the arena is a player of this game.
 */
public final class Quake2Endpoint implements Endpoint {
    /** Maximum frames per second, for clients that request more than the game's ten. */
    public static final int MAX_FRAMES_PER_SECOND = 120;

    /** Ticks per second; each may send a frame. */
    static final int TICKS_PER_SECOND = MAX_FRAMES_PER_SECOND;

    /** Ticks per frame of the game's ten a second. */
    static final int TICKS_PER_FRAME = TICKS_PER_SECOND / 10;

    /** The game folder of the files of its clients. */
    private static final String GAME_FOLDER = "baseq2";

    /** An empty packet of a client: its header. */
    private static final int MIN_PACKET_BYTES = 10;

    private static final long FRAME_NANOS = 100_000_000;
    private static final long TICK_NANOS = FRAME_NANOS / TICKS_PER_FRAME;

    private final EndpointContext context;
    private final Quake2MapCatalog catalog;
    private final ConfigStrings strings = new ConfigStrings(this::onConfigString);
    private final PlayerEntityTable entityTable;
    private final Sessions sessions;
    private final PlayerObstacles obstacles;
    private final Connectionless connectionless;
    private final PlayerListings listings = new PlayerListings(this);
    private final ArenaListener listener;
    private final SharedArena.Participant participant = this::prepare;
    private final UdpSocket socket;
    private final int maxFrames;
    private Quake2Map map;

    /** The files that clients may download, by path. */
    private Map<String, Bytes> files = Map.of();

    private FrameEntities frameEntities;
    private int tick;
    private int step = TICKS_PER_FRAME;
    private long nextTick;
    private boolean started;
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
        Quake2Map map = catalog.load(context.map());
        return context.cycle()
                .open(
                        context.address(),
                        socket ->
                                new Quake2Endpoint(context, socket, catalog, map, maxFrames)
                                .new Handler())
                .endpoint();
    }

    private Quake2Endpoint(
            EndpointContext context,
            UdpSocket socket,
            Quake2MapCatalog catalog,
            Quake2Map map,
            int maxFrames) {
        this.context = context;
        this.socket = socket;
        this.maxFrames = maxFrames;
        this.catalog = catalog;
        entityTable = new PlayerEntityTable(context.arena(), strings);
        listener = entityTable::onEvent;
        sessions = new Sessions(context, this, entityTable);
        obstacles = new PlayerObstacles(context.arena(), entityTable);
        connectionless = new Connectionless(context, this, sessions);
        this.map = map;
        frameEntities = new FrameEntities(map.areaBytes());
        strings.describe(map);
        context.arena().setLevel(now(), Quake2Codec.GAME, map.level());
        offer();
        context.arena().addListener(listener);
        if (map.blocks().isPresent()) {
            context.sharedArena().enter(participant, time -> startMap(time, map));
        }
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
            if (data.length < MIN_PACKET_BYTES || OutOfBand.of(data).isPresent()) {
                return Optional.empty();
            }
            NetchanHeader header = NetchanHeader.wire(new Reader(data), NetchanHeader.FROM_CLIENT);
            return sessions.find(from)
                    .filter(session -> session.isFrom(header))
                    .map(session -> (MemoryConsumer) session);
        }

        @Override
        public long advance(long now) {
            return Quake2Endpoint.this.advance(now);
        }
    }

    @Override
    public InetSocketAddress address() {
        return socket.local();
    }

    @Override
    public void close(String reason) {
        if (closed) {
            return;
        }
        closed = true;
        for (Quake2Session session : sessions.snapshot()) {
            session.sendShutdown(reason);
            sessions.remove(session, LeaveReason.CLOSED);
        }
        context.arena().removeListener(listener);
        context.sharedArena().leave(participant);
        socket.close();
    }

    Arena arena() {
        return context.arena();
    }

    Quake2Map level() {
        return map;
    }

    int maxFrames() {
        return maxFrames;
    }

    /** A random number of the map for one client, known only to it. */
    int newServerCount() {
        return context.random().nextInt() & Integer.MAX_VALUE;
    }

    /** A configstring of the map, empty for none. */
    String configString(int index) {
        return strings.get(index);
    }

    void count(String name) {
        count(name, 1);
    }

    void count(String name, int times) {
        context.counters().add("quake2." + name, times);
    }

    void send(InetSocketAddress to, byte[] data, int length) {
        socket.send(to, data, 0, length);
    }

    /** Sends to an unproven address, within the amplification limit. */
    void sendUnproven(long now, InetSocketAddress to, byte[] data, int length) {
        send(
                to,
                data,
                length,
                context.addressLimits()
                        .amplificationLimiter()
                        .tryAcquire(now, to.getAddress(), length));
    }

    /**
     * Sends to an address that has returned its challenge, within its higher amplification limit.
     */
    void sendAfterCookie(long now, InetSocketAddress to, byte[] data, int length) {
        AmplificationLimiter limiter = context.addressLimits().amplificationLimiter();
        send(to, data, length, limiter.tryAcquireVerified(now, to.getAddress(), length));
    }

    private void send(InetSocketAddress to, byte[] data, int length, boolean allowed) {
        if (allowed) {
            send(to, data, length);
        } else {
            count("drop.budget");
        }
    }

    private void onConfigString(int index) {
        for (Quake2Session session : sessions.snapshot()) {
            session.onConfigString(index);
        }
    }

    private void receive(long now, InetSocketAddress from, byte[] data) {
        if (data.length > Netchan.MAX_PACKET_BYTES || from.getPort() == 0) {
            count("drop.size");
            return;
        }
        Optional<OutOfBand> outOfBand = OutOfBand.of(data);
        if (outOfBand.isPresent()) {
            connectionless.receive(now, from, outOfBand.get());
            return;
        }
        if (data.length < MIN_PACKET_BYTES) {
            count("drop.short");
            return;
        }
        NetchanHeader header = NetchanHeader.wire(new Reader(data), NetchanHeader.FROM_CLIENT);
        Quake2Session session = sessions.sender(now, from, header);
        if (session == null) {
            count("drop.unknown");
            return;
        }
        session.receive(now, data);
        session.answer(now);
    }

    /** Handles that a client has proven its address. */
    void onProven(Quake2Session session) {
        sessions.onProven(session);
    }

    Collection<Quake2Session> sessions() {
        return sessions.all();
    }

    /** The settings that clients and server lists get. */
    InfoString serverInfo() {
        SequencedMap<String, String> info = new LinkedHashMap<>();
        info.put("hostname", Quake2Text.value(context.name(), 63));
        info.put("mapname", map.name());
        info.put("protocol", Integer.toString(Quake2Codec.PROTOCOL));
        info.put("maxclients", Integer.toString(context.maxPlayers()));
        info.put("deathmatch", "1");
        info.put("gamename", GAME_FOLDER);
        info.put("needpass", context.password().isEmpty() ? "0" : "1");
        info.put("version", "Wishdir");
        return InfoString.of(info);
    }

    /** The players of the arena as this game's clients see them. */
    PlayerEntityTable entityTable() {
        return entityTable;
    }

    /** The client program that a player reports; empty for foreign players. */
    String program(PlayerId player) {
        return sessions.find(player).map(Quake2Session::version).orElse("");
    }

    /** The lists of the players of all games. */
    PlayerListings listings() {
        return listings;
    }

    /**
     * Changes the map at an operator's request: an arena of blocks for all games, any other map for
     * this one.
     *
     * @return the answer for the operator
     */
    String changeMap(long now, String name) {
        SharedArena sharedArena = context.sharedArena();
        if (sharedArena.controls(participant, name)) {
            return sharedArena.change(now, name);
        }
        try {
            Quake2Map next = catalog.load(name);
            sharedArena.leave(participant);
            if (next.blocks().isPresent()) {
                sharedArena.enter(participant, time -> startMap(time, next));
            }
            startMap(now, next);
            return "playing " + next.name();
        } catch (IOException e) {
            return "can't load the map: " + e.getMessage();
        }
    }

    /** Whether other games play the same arena, so that this game can't change maps by itself. */
    boolean isShared() {
        return context.sharedArena().isShared(participant);
    }

    private SharedArena.PreparedMap prepare(BlockArena blocks) throws IOException {
        Quake2Map next = catalog.of(blocks);
        return time -> startMap(time, next);
    }

    private void startMap(long now, Quake2Map next) {
        map = next;
        arena().setLevel(now, Quake2Codec.GAME, map.level());
        offer();
        frameEntities = new FrameEntities(map.areaBytes());
        strings.describe(map);
        entityTable.updateAllSkins();
        for (Quake2Session session : sessions.snapshot()) {
            session.changeMap(now);
        }
    }

    /** Offers the files of the map; over HTTP their paths begin with the game folder. */
    private void offer() {
        List<File> mapFiles = map.files();
        files = mapFiles.stream().collect(Collectors.toUnmodifiableMap(File::path, File::content));
        context.httpDownloads()
                .offer(
                        Quake2Codec.GAME,
                        mapFiles.stream()
                                .map(file ->
                                        new File(GAME_FOLDER + "/" + file.path(), file.content()))
                                .toList());
    }

    /** A file that clients may download: only those of the current map. */
    Optional<Bytes> download(String path) {
        return Optional.ofNullable(files.get(path));
    }

    /** Adds a client's player to the arena, if there is room. */
    Optional<PlayerId> join(long now, Quake2Session session, String name, String skin) {
        return sessions.join(now, session, name, skin);
    }

    /** Sets a player's skin at its client's request. */
    void setSkin(long now, PlayerId player, String skin) {
        entityTable.setSkin(now, player, skin);
    }

    /**
     * Chooses where a client's next body spawns.
     *
     * @param spectator whether it is a spectator, which reserves no place
     */
    Movement spawnPoint(long now, Quake2Session session, boolean spectator) {
        List<Movement> spawns = map.spawns();
        if (spectator) {
            return spawns.getFirst();
        }
        List<Vec3> places = spawns.stream().map(Movement::position).toList();
        return spawns.get(context.arena().choosePlace(now, session.player(), places));
    }

    /**
     * The bodies of others that a player sees nearby.
     *
     * @param state of its own body
     * @param reach maximum distance, eighths of a unit
     */
    List<PlayerState> bodiesNear(PlayerId player, PlayerState state, int reach) {
        return obstacles.near(player, state.origin(), reach);
    }

    /** Disconnects a client with a reason. */
    void drop(Quake2Session session, LeaveReason reason) {
        sessions.drop(session, reason);
    }

    /** Removes a session. */
    void remove(Quake2Session session, LeaveReason reason) {
        sessions.remove(session, reason);
    }

    long now() {
        return context.cycle().now();
    }

    /** Total time that the server has slept, nanoseconds. */
    long sleptNanos() {
        return context.cycle().sleptNanos();
    }

    private long advance(long now) {
        if (!started || now < nextTick - 10 * FRAME_NANOS || now > nextTick + 10 * FRAME_NANOS) {
            started = true;
            nextTick = now + step * TICK_NANOS;
            return nextTick;
        }
        if (now >= nextTick) {
            tick += step;
            // Missed ticks are skipped, so that a late server does not get later.
            int missed =
                    (int) Math.min((now - nextTick) / TICK_NANOS, ticksToFrame() % TICKS_PER_FRAME);
            tick += missed;
            if (tick % TICKS_PER_FRAME == 0) {
                sessions.expire(now);
            }
            entityTable.compose(frameEntities, tick / TICKS_PER_FRAME);
            for (Quake2Session session : sessions.snapshot()) {
                session.tick(now, tick, frameEntities);
            }
            boolean fast = sessions.all().stream().anyMatch(Quake2Session::isFast);
            step = fast ? 1 : ticksToFrame();
            nextTick += (missed + step) * TICK_NANOS;
        }
        return sessions.all().isEmpty() ? Duty.NEVER : nextTick;
    }

    /** Ticks until the next of the game's ten frames a second. */
    private int ticksToFrame() {
        return TICKS_PER_FRAME - tick % TICKS_PER_FRAME;
    }
}
