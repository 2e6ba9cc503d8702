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
 * The server of Quake II: unmodified clients of protocol 34 join the arena through it. Commands run
 * as they come; every tenth of a second each client is sent a frame, a delta of the newest one that
 * it has, in which everyone in the arena is a player of this game.
 */
public final class Quake2Endpoint implements Endpoint {
    /** The most frames a second, for clients that ask for more than the game's ten. */
    public static final int MAX_FRAMES_PER_SECOND = 120;

    /** How often a client may be sent a frame. */
    static final int TICKS_A_SECOND = MAX_FRAMES_PER_SECOND;

    /** Ticks from one of the game's frames to the next. */
    static final int TICKS_OF_FRAME = TICKS_A_SECOND / 10;

    /** Where the game keeps the files of its clients. */
    private static final String FOLDER = "baseq2";

    /** A packet of a client with nothing in it: its header. */
    private static final int MIN_PACKET_BYTES = 10;

    private static final long FRAME_NANOS = 100_000_000;
    private static final long TICK_NANOS = FRAME_NANOS / TICKS_OF_FRAME;

    private final EndpointContext context;
    private final Quake2MapCatalog catalog;
    private final ConfigStrings strings = new ConfigStrings(this::changed);
    private final PlayerEntityTable entityTable;
    private final Sessions sessions;
    private final PlayerObstacles obstacles;
    private final Connectionless connectionless;
    private final PlayerListings listings = new PlayerListings(this);
    private final ArenaListener listener;
    private final SharedArena.Participant participant = this::prepare;
    private final UdpSocket socket;
    private final int mostFrames;
    private Quake2Map map;

    /** What clients may download, by path. */
    private Map<String, Bytes> files = Map.of();

    private FrameEntities frameEntities;
    private int tick;
    private int step = TICKS_OF_FRAME;
    private long nextTick;
    private boolean started;
    private boolean closed;

    /**
     * Opens the server.
     *
     * @param mostFrames frames a second, 10 to {@link #MAX_FRAMES_PER_SECOND}, for clients that ask
     *     for more than ten
     * @throws IOException if the port can't be bound or the map can't be read
     */
    public static Quake2Endpoint open(
            EndpointContext context, Quake2MapCatalog catalog, int mostFrames) throws IOException {
        Quake2Map map = catalog.load(context.map());
        return context.cycle()
                .open(
                        context.address(),
                        socket ->
                                new Quake2Endpoint(context, socket, catalog, map, mostFrames)
                                .new Handler())
                .endpoint();
    }

    private Quake2Endpoint(
            EndpointContext context,
            UdpSocket socket,
            Quake2MapCatalog catalog,
            Quake2Map map,
            int mostFrames) {
        this.context = context;
        this.socket = socket;
        this.mostFrames = mostFrames;
        this.catalog = catalog;
        entityTable = new PlayerEntityTable(context.arena(), strings);
        listener = entityTable::onEvent;
        sessions = new Sessions(context, this, entityTable);
        obstacles = new PlayerObstacles(context.arena(), entityTable);
        connectionless = new Connectionless(context, this, sessions);
        this.map = map;
        frameEntities = new FrameEntities(map.areaBytes());
        strings.describe(map);
        context.arena().setLevel(now(), Quake2Codec.GAME, map.played());
        offer();
        context.arena().addListener(listener);
        if (map.blocks().isPresent()) {
            context.sharedArena().enter(participant, time -> begin(time, map));
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
            return sessions.of(from)
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
        for (Quake2Session session : sessions.now()) {
            session.closing(reason);
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

    int mostFrames() {
        return mostFrames;
    }

    /** A number of the map for one client, which only it is told. */
    int newServerCount() {
        return context.random().nextInt() & Integer.MAX_VALUE;
    }

    /** A configstring of the map, empty where there is none. */
    String configString(int index) {
        return strings.get(index);
    }

    void count(String what) {
        count(what, 1);
    }

    void count(String what, int times) {
        context.counters().add("quake2." + what, times);
    }

    void send(InetSocketAddress to, byte[] data, int length) {
        socket.send(to, data, 0, length);
    }

    /** Sends to somebody who has not proved to receive it, as far as the budget goes. */
    void sendUnproven(long now, InetSocketAddress to, byte[] data, int length) {
        send(
                to,
                data,
                length,
                context.addressLimits()
                        .amplificationLimiter()
                        .tryAcquire(now, to.getAddress(), length));
    }

    /** The same for who has repeated his challenge. */
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

    private void changed(int index) {
        for (Quake2Session session : sessions.now()) {
            session.configure(index);
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

    /** A client has named the number that it was sent. */
    void proved(Quake2Session session) {
        sessions.proved(session);
    }

    Collection<Quake2Session> sessions() {
        return sessions.all();
    }

    /** The settings that clients and server lists may know. */
    InfoString serverInfo() {
        SequencedMap<String, String> info = new LinkedHashMap<>();
        info.put("hostname", Quake2Text.value(context.name(), 63));
        info.put("mapname", map.name());
        info.put("protocol", Integer.toString(Quake2Codec.PROTOCOL));
        info.put("maxclients", Integer.toString(context.maxPlayers()));
        info.put("deathmatch", "1");
        info.put("gamename", FOLDER);
        info.put("needpass", context.password().isEmpty() ? "0" : "1");
        info.put("version", "Wishdir");
        return InfoString.of(info);
    }

    /** What everyone in the arena is to clients. */
    PlayerEntityTable cast() {
        return entityTable;
    }

    /** What program a player says to play with; empty for who has no session here. */
    String program(PlayerId player) {
        return sessions.of(player).map(Quake2Session::version).orElse("");
    }

    /** Who is here, of all games. */
    PlayerListings attendance() {
        return listings;
    }

    /**
     * The operator wants another map, for all who are here; one of blocks for all games.
     *
     * @return what to tell the operator
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
                sharedArena.enter(participant, time -> begin(time, next));
            }
            begin(now, next);
            return "playing " + next.name();
        } catch (IOException e) {
            return "cannot load the map: " + e.getMessage();
        }
    }

    /** Whether other games play the same arena, so that none chooses alone. */
    boolean isShared() {
        return context.sharedArena().isShared(participant);
    }

    private SharedArena.PreparedMap prepare(BlockArena blocks) throws IOException {
        Quake2Map next = catalog.of(blocks);
        return time -> begin(time, next);
    }

    private void begin(long now, Quake2Map next) {
        map = next;
        arena().setLevel(now, Quake2Codec.GAME, map.played());
        offer();
        frameEntities = new FrameEntities(map.areaBytes());
        strings.describe(map);
        entityTable.dressAll();
        for (Quake2Session session : sessions.now()) {
            session.changeMap(now);
        }
    }

    /** Over HTTP files are asked for by their game's folder, too. */
    private void offer() {
        List<File> given = map.files();
        files = given.stream().collect(Collectors.toUnmodifiableMap(File::path, File::content));
        context.httpDownloads()
                .offer(
                        Quake2Codec.GAME,
                        given.stream()
                                .map(file -> new File(FOLDER + "/" + file.path(), file.content()))
                                .toList());
    }

    /** A file that clients may have: that of the map, and no other. */
    Optional<Bytes> download(String path) {
        return Optional.ofNullable(files.get(path));
    }

    /** Brings a client into the arena, if it has room. */
    Optional<PlayerId> join(long now, Quake2Session session, String name, String skin) {
        return sessions.join(now, session, name, skin);
    }

    /** A client wishes for another skin. */
    void wear(long now, PlayerId player, String skin) {
        entityTable.wear(now, player, skin);
    }

    /**
     * Where a client's next body appears.
     *
     * @param watches whether it is a spectator, which takes no place
     */
    Movement spawnPoint(long now, Quake2Session session, boolean watches) {
        List<Movement> spawns = map.spawns();
        if (watches) {
            return spawns.getFirst();
        }
        List<Vec3> places = spawns.stream().map(Movement::position).toList();
        return spawns.get(context.arena().choosePlace(now, session.player(), places));
    }

    /**
     * The bodies of others that a player is shown.
     *
     * @param state of its own body
     * @param reach how far away they are at most, eighths of a unit
     */
    List<PlayerState> bodiesNear(PlayerId player, PlayerState state, int reach) {
        return obstacles.near(player, state.origin(), reach);
    }

    /** Sends a client away with a reason. */
    void drop(Quake2Session session, LeaveReason why) {
        sessions.drop(session, why);
    }

    /** Forgets a client. */
    void remove(Quake2Session session, LeaveReason why) {
        sessions.remove(session, why);
    }

    long now() {
        return context.cycle().now();
    }

    /** How long the server has slept so far, nanoseconds. */
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
            // What was missed is not sent after it, so that who is late does not get later still.
            int missed =
                    (int) Math.min((now - nextTick) / TICK_NANOS, ticksToFrame() % TICKS_OF_FRAME);
            tick += missed;
            if (tick % TICKS_OF_FRAME == 0) {
                sessions.expire(now);
            }
            entityTable.compose(frameEntities, tick / TICKS_OF_FRAME);
            for (Quake2Session session : sessions.now()) {
                session.tick(now, tick, frameEntities);
            }
            boolean fast = sessions.all().stream().anyMatch(Quake2Session::isFast);
            step = fast ? 1 : ticksToFrame();
            nextTick += (missed + step) * TICK_NANOS;
        }
        return sessions.all().isEmpty() ? Duty.NEVER : nextTick;
    }

    /** Ticks to the next of the game's ten frames a second. */
    private int ticksToFrame() {
        return TICKS_OF_FRAME - tick % TICKS_OF_FRAME;
    }
}
