package dev.wishdir.quake3.server;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.MasterServer;
import dev.wishdir.net.limit.FailedAttemptLimiter;
import dev.wishdir.net.limit.MemoryConsumer;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.net.loop.TurnDefects;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.quake3.combat.Weapon;
import dev.wishdir.quake3.map.Pak;
import dev.wishdir.quake3.map.Quake3Map;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.ServerMessage.Snapshot;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.quake3.protocol.ServerConnection;
import dev.wishdir.quake3.server.session.ClientActivity;
import dev.wishdir.quake3.server.session.ClientTransport;
import dev.wishdir.quake3.server.session.Quake3Session;
import dev.wishdir.quake3.server.view.RunningLevel;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The Quake III server endpoint: unmodified clients of protocol 68 and both protocols 71 join the
 * arena. Movement is server-authoritative by the game's own physics ({@code Pmove}). In a match the
 * server decides shots, damage and lives by the game's rules.
 */
public final class Quake3Endpoint implements Endpoint, DatagramHandler {
    /** The option that chooses the weapons of a match. */
    public static final String WEAPONS = "weapons";

    /** Snapshots a second of all clients together; with 48 players each gets 72. */
    private static final int TOTAL_SNAPSHOTS_PER_SECOND = 3_500;

    private static final int MIN_PACKET_BYTES = 6;
    private static final int DISCONNECT_REPEATS = 2;

    private final Shared shared;
    private final Combat combat;
    private final Handlers handlers;
    private final ServerFrame frame;
    private long nextFrame;

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
            List<MasterServer> masters)
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
            List<MasterServer> masters) {
        shared = new Shared(context, socket, map, game, paks);
        combat = new Combat(shared, weapons(context.options()));
        combat.listeners.forEach(shared.arena::addListener);
        nextFrame = context.cycle().now();
        handlers = new Handlers(shared, combat, catalog, masters);
        frame =
                new ServerFrame(
                        shared.clients,
                        shared.lifecycle,
                        shared.running,
                        combat.executor,
                        shared.combatEntities,
                        combat.foreignMissiles,
                        combat.scores,
                        combat.flags,
                        context.cycle());
    }

    /**
     * The weapons with which a life in a match begins.
     *
     * @throws IllegalArgumentException if the option's value is not known
     */
    public static Set<Weapon> weapons(Map<String, String> options) {
        String value = options.getOrDefault(WEAPONS, "spawn");
        return switch (value) {
            case "spawn" -> EnumSet.of(Weapon.GAUNTLET, Weapon.MACHINE_GUN);
            case "all" -> EnumSet.allOf(Weapon.class);
            default ->
                    throw new IllegalArgumentException(
                            "option weapons is '" + value + "', must be spawn or all");
        };
    }

    @Override
    public InetSocketAddress address() {
        return shared.socket.local();
    }

    private void count(String what) {
        shared.context.counters().count("quake3." + what);
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        if (from.getPort() == 0 || from.equals(shared.socket.local())) {
            count("drop.address");
            return;
        }
        try {
            Bytes bytes = Bytes.wrap(data);
            if (OutOfBand.is(bytes)) {
                receiveOutOfBand(now, from, OutOfBand.read(bytes));
            } else {
                receiveInBand(now, from, data);
            }
        } catch (MalformedPacketException _) {
            count("drop.malformed");
        }
    }

    private void receiveOutOfBand(long now, InetSocketAddress from, OutOfBand packet) {
        List<String> words = packet.words();
        switch (words.getFirst()) {
            case "getchallenge" -> handlers.handshake.getChallenge(now, from, words);
            case "connect" -> handlers.handshake.connect(now, from, words);
            case "getinfo" -> {
                handlers.heartbeat.onQuery(from);
                handlers.queries.getInfo(now, from, words);
            }
            case "getstatus" -> {
                handlers.heartbeat.onQuery(from);
                handlers.queries.getStatus(now, from, words);
            }
            case "rcon" -> handlers.rcon.receive(now, from, words, packet.text());
            default -> count("drop.unknown");
        }
    }

    @Override
    public Optional<MemoryConsumer> payer(InetSocketAddress from, byte[] data) {
        if (data.length < MIN_PACKET_BYTES || OutOfBand.is(Bytes.wrap(data))) {
            return Optional.empty();
        }
        Quake3Session client = shared.clients.find(from.getAddress(), qport(data));
        return client != null && client.channel().transport().isNew(from, data)
                ? Optional.of(client)
                : Optional.empty();
    }

    /**
     * Whether a packet from an unknown port of a client's address does not continue the client's
     * sequence numbers, or the address has made too many such guesses.
     */
    private boolean isGuess(
            long now, InetSocketAddress from, @Nullable Quake3Session client, byte[] data) {
        if (client != null && client.address().equals(from)) {
            return false;
        }
        FailedAttemptLimiter ports = shared.context.addressLimits().portGuesses();
        if (!ports.isAllowed(now, from.getAddress())) {
            return true;
        }
        boolean guess =
                client == null
                        ? shared.clients.isKnown(from.getAddress())
                        : !client.channel()
                                .transport()
                                .continues(client.activity().idleNanos(now), data);
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
        Quake3Session client = shared.clients.find(from.getAddress(), qport(data));
        if (isGuess(now, from, client, data) || client == null || client.isZombie()) {
            count("drop.stranger");
            return;
        }
        ClientTransport transport = client.channel().transport();
        ClientActivity activity = client.activity();
        if (!transport.accepts(now, from.getPort(), activity.idleNanos(now), data)) {
            count("drop.port");
            return;
        }
        if (!activity.maySend(now)) {
            count("drop.flood");
            return;
        }
        ClientMessage message = transport.receive(from, data);
        ServerConnection c = transport.connection();
        if (message == null || c == null) {
            count("drop.packet");
            return;
        }
        activity.record(now);
        if (client.player().isEmpty() && !shared.lifecycle.join(now, client)) {
            shared.lifecycle.drop(now, client, shared.context.full(Quake3Codec.GAME));
        }
        if (!client.isZombie()) {
            handlers.messages.handle(now, client, c, message);
        }
    }

    @Override
    public long advance(long now) {
        if (now >= nextFrame) {
            nextFrame =
                    Math.max(nextFrame + RunningLevel.FRAME_NANOS, now - RunningLevel.FRAME_NANOS);
            handlers.heartbeat.advance(now, shared.running.serverId());
            handlers.console.advance(now);
            frame.run(now);
        }
        combat.executor.advance(now, shared.clients);
        long next = nextFrame;
        int snapshotsPerClient = TOTAL_SNAPSHOTS_PER_SECOND / Math.max(1, shared.clients.players());
        for (Quake3Session client : shared.clients) {
            try {
                next = Math.min(next, client.sendSnapshot(now, shared.running, snapshotsPerClient));
            } catch (RuntimeException | Error e) {
                // The others get theirs.
                shared.context.cycle().report(client, e);
                next = Math.min(next, now + Duty.DEFECT_RETRY_NANOS);
            }
        }
        return next;
    }

    @Override
    public void close(String reason) {
        shared.context.cycle().checkThread("closes an endpoint");
        Objects.requireNonNull(reason, "reason");
        long now = shared.context.cycle().now();
        LeaveReason closed = new LeaveReason(LeaveReason.Code.SERVER_CLOSED, reason);
        TurnDefects defects = new TurnDefects();
        for (Quake3Session client : shared.clients) {
            defects.guard(() -> {
                if (!client.isZombie()) {
                    shared.lifecycle.drop(now, client, closed);
                }
                for (int i = 0; i < DISCONNECT_REPEATS; i++) {
                    client.sendSnapshotNow(now, shared.running, Snapshot.NOT_ACTIVE);
                }
            });
            defects.guard(() -> shared.lifecycle.remove(now, client, closed));
        }
        combat.listeners.forEach(shared.arena::removeListener);
        defects.guard(handlers.console::close);
        defects.guard(handlers.heartbeat::close);
        shared.socket.close();
        defects.rethrow();
    }
}
