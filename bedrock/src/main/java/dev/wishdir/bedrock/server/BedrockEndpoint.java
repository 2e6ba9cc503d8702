package dev.wishdir.bedrock.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.Level;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerAction;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.bedrock.map.BlockWorld;
import dev.wishdir.bedrock.message.LevelChunk;
import dev.wishdir.bedrock.message.Skin;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.LoginKeys;
import dev.wishdir.bedrock.protocol.SessionKey;
import dev.wishdir.bedrock.protocol.Transport;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.OperatorConsole;
import dev.wishdir.game.SharedArena;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.AddressLimits;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.MemoryConsumer;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.nethernet.NetherNetPeer;
import dev.wishdir.raknet.RakNetPeer;
import dev.wishdir.wire.AddressText;
import dev.wishdir.wire.Bytes;
import dev.wishdir.world.blocks.BlockArena;
import dev.wishdir.world.blocks.MoveTrigger;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The server side of Bedrock: clients of the spoken versions join the arena through it. Its options
 * are those of the game.
 */
public final class BedrockEndpoint implements Endpoint {
    /** How often another port is tried where any would do, but its number is taken for TCP. */
    private static final int TRIES = 8;

    /**
     * The smallest batch that is compressed, bytes: what a datagram carries anyway goes as it is.
     * The movements of 40 players, 400 bytes, lose a third, for more work than all else of them.
     */
    static final int THRESHOLD = 1_024;

    private static final int SALT = 16;

    private final EndpointContext context;
    private final TransportDemultiplexer demultiplexer;
    private final Map<Transport, BedrockSession> sessions = new LinkedHashMap<>();
    private final Map<PlayerId, BedrockSession> byPlayer = new HashMap<>();

    /** By where a client connected from. */
    private final Map<InetSocketAddress, BedrockSession> byAddress = new HashMap<>();

    private final SkinLimiter skins = new SkinLimiter();
    private final MovementCache movementCache = new MovementCache();
    private final Transport.Listener listener = new Connections();
    private final LoginVerifier checks;
    private final SharedArena.Participant participant = blocks -> world(World.of(blocks));
    private World world;
    private final LoginKeys keys;
    private final InstantSource clock;
    private final BedrockOptions options;
    private final long begun;
    private final long uuids;
    private long sessionsBegun;
    private boolean closed;

    /**
     * Checks the settings of the game.
     *
     * @throws IllegalArgumentException if a value is wrong; the message names the option
     */
    public static void check(Map<String, String> options) {
        BedrockOptions.of(options, false);
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
        for (int tries = 1; ; tries++) {
            try {
                return context.cycle()
                        .open(
                                context.address(),
                                socket -> new BedrockEndpoint(context, clock, socket).new Handler())
                        .endpoint();
            } catch (IOException e) {
                if (context.address().getPort() != 0 || tries == TRIES) {
                    throw e;
                }
            }
        }
    }

    private BedrockEndpoint(EndpointContext context, InstantSource clock, UdpSocket socket)
            throws IOException {
        this.context = context;
        this.clock = clock;
        options =
                BedrockOptions.of(
                        context.options(), !context.address().getAddress().isLoopbackAddress());
        checks = new LoginVerifier(context.cycle());
        world = World.of(context.blocks());
        begun = context.cycle().now();
        demultiplexer =
                new TransportDemultiplexer(
                        context, options, socket, listener, this::entry, this::seconds);
        uuids = context.random().nextLong();
        keys = LoginKeys.generate(context.random());
        arena().setLevel(begun, BedrockCodec.NAME, world.level());
        context.sharedArena().enter(participant, world(world));
    }

    /**
     * What is played.
     *
     * @param chunks all that there is of it
     * @param passages what of it takes bodies elsewhere
     */
    record World(Level level, List<LevelChunk> chunks, List<MoveTrigger> passages) {
        static World of(BlockArena blocks) {
            return new World(
                    Level.of(blocks), BlockWorld.chunks(blocks.blocks()), blocks.moveTriggers());
        }
    }

    private SharedArena.PreparedMap world(World next) {
        return now -> {
            world = next;
            arena().setLevel(now, BedrockCodec.NAME, next.level());
            sessions().forEach(session -> session.changeWorld(now));
        };
    }

    /** A session is encrypted from now on. */
    void agreed(SessionKey key) {
        context.keys().accept(key.line());
    }

    /** What an operator may do. */
    OperatorConsole operations() {
        return context.operatorConsole();
    }

    /** As {@link EndpointContext#banned}. */
    Optional<LeaveReason> banned(InetAddress address, String account) {
        return context.banned(BedrockCodec.NAME, address, account);
    }

    /** Whether other games play the same arena. */
    boolean isShared() {
        return context.sharedArena().isShared(participant);
    }

    private final class Handler implements DatagramHandler {
        BedrockEndpoint endpoint() {
            return BedrockEndpoint.this;
        }

        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            demultiplexer.receive(now, from, data);
        }

        @Override
        public Optional<MemoryConsumer> payer(InetSocketAddress from, byte[] data) {
            return Optional.ofNullable(byAddress.get(from));
        }

        @Override
        public long advance(long now) {
            long next = checks.advance(now);
            for (BedrockSession session : List.copyOf(sessions.values())) {
                next = Math.min(next, session.advance(now));
            }
            return Math.min(next, demultiplexer.advance(now));
        }
    }

    private final class Connections implements Transport.Listener {
        @Override
        public void onConnected(long now, Transport transport) {
            begin(now, transport);
        }

        private BedrockSession begin(long now, Transport transport) {
            BedrockSession session = new BedrockSession(BedrockEndpoint.this, transport, now);
            sessions.put(transport, session);
            byAddress.put(transport.remote(), session);
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
            begin(now, transport).kick(LeaveReason.of(code));
        }

        @Override
        public void onReceived(long now, Transport transport, byte[] batch) {
            BedrockSession session = sessions.get(transport);
            if (session != null) {
                session.batch(now, batch);
            }
        }

        @Override
        public void onReceivedUnreliably(long now, Transport transport, byte[] batch) {
            BedrockSession session = sessions.get(transport);
            if (session != null) {
                session.unreliable(now, batch);
            }
        }

        @Override
        public void onEnded(
                long now, Transport transport, Transport.EndReason ending, String reason) {
            BedrockSession session = sessions.remove(transport);
            if (session != null) {
                byAddress.values().remove(session);
                context.memoryBudget().remove(session);
                session.ended(now, ending, reason);
            }
        }
    }

    /**
     * The entry of the server list. It counts everyone, and as many places as clients of this game
     * may still find free.
     */
    private ServerEntry entry() {
        int here = players().size();
        int others = here - byPlayer.size();
        int most = Math.min(arena().capacity(), others + context.maxPlayers());
        return new ServerEntry(context.name(), here, most, !options.trust().isProofNeeded());
    }

    @Override
    public InetSocketAddress address() {
        return demultiplexer.address();
    }

    @Override
    public void close(String reason) {
        if (closed) {
            return;
        }
        closed = true;
        context.sharedArena().leave(participant);
        long now = context.cycle().now();
        for (BedrockSession session : sessions()) {
            session.close(now, reason);
        }
        List<Transport> open = List.copyOf(sessions.keySet());
        open.forEach(Transport::close);
        demultiplexer.advance(now);
        // What is not acknowledged yet is not waited for: the socket is closed.
        open.forEach(transport -> transport.abort(now, reason));
        demultiplexer.close();
    }

    /** The listener to a transport's connections, each of which is a client of this server. */
    Transport.Listener listener() {
        return listener;
    }

    /** Connections of RakNet that exist, open or opening. */
    Collection<RakNetPeer> connections() {
        return demultiplexer.raknetPeers();
    }

    Arena arena() {
        return context.arena();
    }

    List<Player> players() {
        return arena().players();
    }

    /** Connections of the game layer, from the oldest. */
    List<BedrockSession> sessions() {
        return List.copyOf(sessions.values());
    }

    LoginVerifier checks() {
        return checks;
    }

    AddressLimits addresses() {
        return context.addressLimits();
    }

    /** Whether no more players may join; a client that has not finished its login has no place. */
    boolean isFull() {
        return arena().isFull() || byPlayer.size() >= context.maxPlayers();
    }

    PlayerId join(long now, String name, BedrockSession session) {
        PlayerId id = arena().join(now, BedrockCodec.NAME, name, session.view()).id();
        byPlayer.put(id, session);
        return id;
    }

    void leave(long now, PlayerId id, LeaveReason why) {
        byPlayer.remove(id);
        if (byPlayer.isEmpty()) {
            movementCache.forgetAll();
        }
        arena().leave(now, id, why);
    }

    /** A number for the next session's player, by which clients name it: odd, from 1. */
    long nextRuntimeId() {
        return 2 * sessionsBegun++ + 1;
    }

    /** By what number clients name a player: those of sessions here are odd, all others even. */
    long runtimeId(PlayerId id) {
        BedrockSession session = byPlayer.get(id);
        return session == null ? 2 * ((long) id.node() << 32 | id.number()) : session.runtimeId();
    }

    /** How long the server has slept so far, nanoseconds. */
    long sleptNanos() {
        return context.cycle().sleptNanos();
    }

    /** What is played. */
    World world() {
        return world;
    }

    /**
     * Where a player starts.
     *
     * @param player empty for a client that has not joined the arena
     */
    Movement start(long now, Optional<PlayerId> player) {
        List<Movement> spawns = world.level().spawns();
        List<Vec3> places = spawns.stream().map(Movement::position).toList();
        return spawns.get(arena().chooseSpawnPoint(now, player, places));
    }

    /** Whether a player is a client of this endpoint. */
    boolean isClient(PlayerId id) {
        return byPlayer.containsKey(id);
    }

    Skin skin(Player player) {
        BedrockSession session = byPlayer.get(player.id());
        return session == null ? GeneratedSkins.of(player.game(), player.name()) : session.skin();
    }

    /** The skin of a player for one more viewer. */
    Skin sentSkin(Player player) {
        Skin skin = skin(player);
        return isClient(player.id()) ? skins.next(context.cycle().now(), player, skin) : skin;
    }

    /** Where players are, as messages. */
    MovementCache movements() {
        return movementCache;
    }

    /** A player's identity towards everybody else: what clients claim may be another's. */
    UUID uuid(long runtimeId) {
        return new UUID(uuids, runtimeId);
    }

    /** Shows an arm that swings: to the players of this game each time, to others as an attack. */
    void swing(long now, PlayerId id) {
        sessions().forEach(session -> session.view().swung(id));
        arena().performAction(now, id, PlayerAction.ATTACK);
    }

    /** What players must know to come in, empty where anybody may. */
    String password() {
        return context.password();
    }

    String adminPassword() {
        return context.adminPassword();
    }

    String name() {
        return context.name();
    }

    BedrockOptions options() {
        return options;
    }

    LoginKeys keys() {
        return keys;
    }

    Bytes salt() {
        byte[] salt = new byte[SALT];
        context.random().nextBytes(salt);
        return Bytes.wrap(salt);
    }

    long now() {
        return context.cycle().now();
    }

    /** Reports to the operator that a client was refused. */
    void refused(long now, InetSocketAddress from, LeaveReason why) {
        arena().reportRefusal(now, BedrockCodec.NAME, AddressText.of(from.getAddress()), why);
    }

    /** The time, seconds since 1970. */
    long seconds() {
        return clock.instant().getEpochSecond();
    }

    /** The server's time in ticks. */
    long tick(long now) {
        return (now - begun) / BedrockMotion.TICK_NANOS;
    }

    void count(String reason) {
        context.counters().count("bedrock.drop." + reason);
    }
}
