package dev.wishdir.quake3.server;

import dev.wishdir.arena.ArenaListener;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.FailedAttemptLimiter;
import dev.wishdir.net.MemoryConsumer;
import dev.wishdir.net.ResolvedHost;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.quake3.map.Pak;
import dev.wishdir.quake3.map.Quake3Map;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.ServerMessage.Snapshot;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.quake3.protocol.ServerConnection;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/**
 * The Quake III server endpoint: unmodified clients of protocol 68 and both protocols 71 join the
 * arena. Movement is server-authoritative by the game's own physics ({@code Pmove}); there is no
 * damage.
 */
public final class Quake3Endpoint implements Endpoint, DatagramHandler {
    private static final long MILLI = 1_000_000;
    private static final long FRAME_NANOS = 1_000 * MILLI / RunningLevel.FRAMES_PER_SECOND;

    /** Snapshots a second of all clients together; with 48 players each gets 72. */
    private static final int TOTAL_SNAPSHOTS_PER_SECOND = 3_500;

    private static final long IDLE_TIMEOUT_NANOS = 60_000 * MILLI;

    /** Download blocks of all clients in one server frame; each client gets at least one. */
    private static final int MAX_BLOCKS_PER_FRAME = 64;

    private static final int MAX_BLOCKS_PER_FRAME_AND_CLIENT = 16;

    /** Time in which a client must load the level, unless it downloads files. */
    private static final long LOADING_TIMEOUT_NANOS = 300_000 * MILLI;

    /** Idle time-out of a client that has sent no message since {@code connect}. */
    private static final long FIRST_PACKET_TIMEOUT_NANOS = 10_000 * MILLI;

    private static final int MIN_PACKET_BYTES = 6;
    private static final int DISCONNECT_REPEATS = 2;

    private final EndpointContext context;
    private final UdpSocket socket;
    private final Clients clients;
    private final RunningLevel running;
    private final UsercmdExecutor executor;
    private final ClientCommands commands;
    private final RconConsole console;
    private final Connectionless connectionless;
    private final Heartbeat heartbeat;
    private int announcedServerId;
    private long nextFrame;
    private final ArenaListener listener;
    private int frames;

    /**
     * Loads the map and opens the UDP socket.
     *
     * @param catalog that contains the map
     * @param game the folder of the game that clients must have: {@code baseoa} or {@code baseq3}
     * @param paks that clients must have, empty if the server is not pure: Quake III, pure
     * @param masters the master servers that get heartbeats
     * @throws IOException if the map can't be loaded or the port can't be bound
     */
    public static Quake3Endpoint open(
            EndpointContext context,
            Quake3MapCatalog catalog,
            String game,
            List<Pak> paks,
            List<ResolvedHost> masters)
            throws IOException {
        Quake3Map map = catalog.load(context.map());
        return context.cycle()
                .open(
                        context.address(),
                        socket ->
                                new Quake3Endpoint(
                                        context, socket, catalog, map, game, paks, masters));
    }

    private Quake3Endpoint(
            EndpointContext context,
            UdpSocket socket,
            Quake3MapCatalog catalog,
            Quake3Map map,
            String game,
            List<Pak> paks,
            List<ResolvedHost> masters) {
        this.context = context;
        this.socket = socket;
        clients = new Clients(context);
        listener = clients::onEvent;
        running = new RunningLevel(context, map, game, paks);
        context.arena().setLevel(context.cycle().now(), Quake3Codec.GAME, map.played());
        context.arena().addListener(listener);
        executor = new UsercmdExecutor(context, running);
        nextFrame = context.cycle().now();
        heartbeat = new Heartbeat(masters, socket, context.cycle());
        console = new RconConsole(context, catalog, clients, running, executor);
        commands = new ClientCommands(context, clients, running, executor, console::isShared);
        connectionless = new Connectionless(context, socket, clients, running, console);
    }

    @Override
    public InetSocketAddress address() {
        return socket.local();
    }

    private void count(String what) {
        context.counters().count("quake3." + what);
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        if (from.getPort() == 0 || from.equals(socket.local())) {
            count("drop.address");
            return;
        }
        try {
            Bytes bytes = Bytes.wrap(data);
            if (OutOfBand.is(bytes)) {
                connectionless.receive(now, from, OutOfBand.read(bytes));
            } else {
                receiveInBand(now, from, data);
            }
        } catch (MalformedPacketException _) {
            count("drop.malformed");
        }
    }

    @Override
    public Optional<MemoryConsumer> payer(InetSocketAddress from, byte[] data) {
        if (data.length < MIN_PACKET_BYTES || OutOfBand.is(Bytes.wrap(data))) {
            return Optional.empty();
        }
        Quake3Player client = clients.at(from.getAddress(), qport(data));
        return client != null && client.line().sends(from, data)
                ? Optional.of(client)
                : Optional.empty();
    }

    /**
     * Whether a packet from an unknown port of a client's address does not continue the client's
     * sequence numbers, or the address has made too many such guesses.
     */
    private boolean isGuess(
            long now, InetSocketAddress from, @Nullable Quake3Player client, byte[] data) {
        if (client != null && client.address().equals(from)) {
            return false;
        }
        FailedAttemptLimiter ports = context.addressLimits().portGuesses();
        if (!ports.isAllowed(now, from.getAddress())) {
            return true;
        }
        boolean guess =
                client == null
                        ? clients.isKnown(from.getAddress())
                        : !client.line().continues(client.silence(now), data);
        if (guess) {
            ports.recordFailure(now, from.getAddress());
        }
        return guess;
    }

    private static int qport(byte[] data) {
        return data[4] & 0xFF | (data[5] & 0xFF) << 8;
    }

    private void receiveInBand(long now, InetSocketAddress from, byte[] data) {
        if (data.length < MIN_PACKET_BYTES) {
            count("drop.short");
            return;
        }
        Quake3Player client = clients.at(from.getAddress(), qport(data));
        if (isGuess(now, from, client, data) || client == null || client.isZombie()) {
            count("drop.stranger");
            return;
        }
        if (!client.line().isFrom(now, from.getPort(), client.silence(now), data)) {
            count("drop.port");
            return;
        }
        if (!client.maySend(now)) {
            count("drop.flood");
            return;
        }
        ClientMessage message = client.line().receive(from, data);
        ServerConnection c = client.line().connection();
        if (message == null || c == null) {
            count("drop.packet");
            return;
        }
        client.recordActivity(now);
        if (client.id() == null && !clients.enter(now, client)) {
            clients.drop(now, client, Connectionless.FULL);
            return;
        }
        handle(now, client, c, message);
    }

    private void handle(long now, Quake3Player client, ServerConnection c, ClientMessage message) {
        PlayerId id = client.id();
        if (id != null) {
            context.arena().recordActivity(now, id);
        }
        for (String command : c.commands(message)) {
            commands.execute(now, client, command);
            if (client.isZombie() || !clients.has(client)) {
                return;
            }
        }
        if (c.lostCommands()) {
            clients.drop(
                    now,
                    client,
                    new LeaveReason(LeaveReason.Code.PROTOCOL_ERROR, "Lost reliable commands"));
            return;
        }
        if (c.isNotAcknowledging(now)) {
            clients.drop(now, client, LeaveReason.NOT_ACKNOWLEDGING);
            return;
        }
        if (message.serverId() != running.serverId()) {
            if (!running.isBeforeRestart(message.serverId())
                    && !client.line().downloads()
                    && !client.plays()) {
                requestGamestate(now, client, message);
            }
            return;
        }
        for (ClientMessage.Op op : message.ops()) {
            if (op instanceof ClientMessage.Move move) {
                if (!client.line().hasGamestate()) {
                    // It moves in a level whose gamestate it has not acknowledged.
                    count("drop.blind");
                    return;
                }
                if (!running.purity().wanted() || client.isProved()) {
                    client.line().wantGamestate(false);
                    c.moved(message, move.delta(), running.time(now));
                    executor.advance(now, clients);
                    executor.execute(now, client, move.commands());
                } else if (client.plays()) {
                    // It has played, and must load the level again to prove its paks.
                    requestGamestate(now, client, message);
                }
                // Clients send only one move in a message.
                return;
            }
        }
    }

    private void requestGamestate(long now, Quake3Player client, ClientMessage message) {
        if (client.line().needsGamestate(message.messageAcknowledge())) {
            client.sendGamestate(now, running);
        }
    }

    @Override
    public long advance(long now) {
        if (now >= nextFrame) {
            nextFrame = Math.max(nextFrame + FRAME_NANOS, now - FRAME_NANOS);
            frames++;
            if (announcedServerId != running.serverId()) {
                announcedServerId = running.serverId();
                heartbeat.changed(now);
            }
            heartbeat.advance(now);
            int downloads = 0;
            for (Quake3Player client : clients) {
                downloads += client.line().downloads() ? 1 : 0;
            }
            int blocks =
                    Math.clamp(
                            MAX_BLOCKS_PER_FRAME / Math.max(1, downloads),
                            1,
                            MAX_BLOCKS_PER_FRAME_AND_CLIENT);
            for (Quake3Player client : clients) {
                runFrame(now, client, blocks);
            }
        }
        executor.advance(now, clients);
        long next = nextFrame;
        for (Quake3Player client : clients) {
            next = Math.min(next, sendSnapshot(now, client));
        }
        return next;
    }

    /**
     * @param blocks of a download that may be sent to the client
     */
    private void runFrame(long now, Quake3Player client, int blocks) {
        if (client.isGone(now)) {
            clients.remove(now, client, LeaveReason.LEFT);
            return;
        }
        PlayerId id = client.id();
        if (!client.isZombie()
                && client.silence(now)
                        > (id == null ? FIRST_PACKET_TIMEOUT_NANOS : IDLE_TIMEOUT_NANOS)) {
            clients.drop(now, client, LeaveReason.TIMED_OUT);
            return;
        }
        ClientChannel channel = client.line();
        if (client.loading(now) > LOADING_TIMEOUT_NANOS
                && !channel.downloads()
                && !client.isZombie()) {
            clients.drop(
                    now,
                    client,
                    new LeaveReason(
                            LeaveReason.Code.TIMED_OUT, "Loading the map took more than 300 s."));
            return;
        }
        ServerConnection c = channel.connection();
        if (c == null) {
            return;
        }
        if (c.overflowed() && !client.isZombie()) {
            clients.drop(now, client, LeaveReason.of(LeaveReason.Code.SEND_QUEUE_FULL));
            return;
        }
        executor.watch(now, client);
        if (frames % RunningLevel.FRAMES_PER_SECOND == 0 && id != null) {
            context.arena().setPing(id, c.ping());
        }
        if (channel.downloads() && !channel.sending() && !channel.wantsGamestate()) {
            if (channel.isNotAcknowledgingBlocks(now)) {
                clients.drop(now, client, LeaveReason.NOT_ACKNOWLEDGING);
            } else {
                channel.sendBlocks(now, blocks, now + FRAME_NANOS);
            }
        } else if (channel.isRateAvailable(now)) {
            if (channel.sending()) {
                channel.sendPart(now);
            } else if (channel.wantsGamestate()) {
                client.sendGamestate(now, running);
            }
            channel.chargeRate(now);
        }
    }

    /** Sends a client its next snapshot if it is due. Returns the time of the next call. */
    private long sendSnapshot(long now, Quake3Player client) {
        ClientChannel channel = client.line();
        int maxPerSecond = TOTAL_SNAPSHOTS_PER_SECOND / Math.max(1, clients.playing());
        long due = channel.snapshotDue(now, running.time(now), maxPerSecond);
        if (now < due) {
            return due;
        }
        List<Player> players = client.shown();
        client.configstrings().sendChanges(now, running, players);
        int flags = running.serverCountFlag() | (client.plays() ? 0 : Snapshot.NOT_ACTIVE);
        return channel.sendSnapshot(now, client.frame(now, running, players), flags);
    }

    @Override
    public void close(String reason) {
        long now = context.cycle().now();
        for (Quake3Player client : clients) {
            if (!client.isZombie()) {
                clients.drop(now, client, new LeaveReason(LeaveReason.Code.SERVER_CLOSED, reason));
            }
            for (int i = 0; i < DISCONNECT_REPEATS; i++) {
                client.line().send(client.frame(now, running, client.shown()), Snapshot.NOT_ACTIVE);
            }
            clients.remove(now, client, LeaveReason.SERVER_CLOSED);
        }
        context.arena().removeListener(listener);
        console.close();
        heartbeat.close();
        socket.close();
    }
}
