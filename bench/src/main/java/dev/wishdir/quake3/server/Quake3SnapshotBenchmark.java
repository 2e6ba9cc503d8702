package dev.wishdir.quake3.server;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.Level;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.AddressLimits;
import dev.wishdir.net.AddressRange;
import dev.wishdir.net.SimulatedNetwork;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.movement.CircleWalk;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.movement.Quake3Movement;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.protocol.Configstrings;
import dev.wishdir.quake3.protocol.Frame;
import dev.wishdir.quake3.protocol.Protocol;
import dev.wishdir.quake3.protocol.ServerConnection;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A server frame's work for its viewers: 32 players have moved, and each of 32 viewers is built a
 * frame and sent it as a delta against the one before the last. Times are for all 32 viewers.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class Quake3SnapshotBenchmark {
    private static final int PLAYERS = 32;
    private static final int CHALLENGE = 12_345;

    private final Arena arena = new Arena(Level.BOX, PLAYERS);
    private final List<Quake3Session> clients = new ArrayList<>();
    private final List<ArenaPlayer> players = new ArrayList<>();
    private final List<ServerConnection> connections = new ArrayList<>();
    private final EndpointContext context;
    private final AddressLimits addressLimits;
    private final RunningLevel running;
    private long now;
    private long bytes;

    /** An empty server. */
    public Quake3SnapshotBenchmark() {
        InetAddress home = InetAddress.getLoopbackAddress();
        addressLimits =
                AddressLimits.trusting(List.of(AddressRange.parse(home.getHostAddress())), 1);
        context =
                EndpointContext.builder(
                                new SimulatedNetwork(1).cycle(),
                                new InetSocketAddress(home, 1),
                                arena)
                        .addressLimits(addressLimits)
                        .build();
        try {
            running =
                    new RunningLevel(
                            context,
                            new Quake3MapCatalog(Optional.empty()).load(""),
                            "baseoa",
                            List.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The benchmark counts what is sent; what is sent here is not read. */
    private static final class Nowhere implements UdpSocket {
        @Override
        public InetSocketAddress local() {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        }

        @Override
        public void send(InetSocketAddress to, byte[] data, int offset, int length) {}

        @Override
        public void close() {}
    }

    /** Adds 32 players, each of which sees all others. */
    @Setup
    public void join() {
        UdpSocket socket = new Nowhere();
        ClientTable table = new ClientTable(PLAYERS);
        SessionLifecycle lifecycle =
                new SessionLifecycle(arena, table, context.memoryBudget(), context.httpDownloads());
        MovementCache movementCache = new MovementCache(() -> now);
        Quake3Session.Shared shared =
                new Quake3Session.Shared(
                        arena,
                        movementCache,
                        table::find,
                        new PlayerConfigstrings(arena, table::find, true),
                        true,
                        lifecycle);
        for (int i = 0; i < PLAYERS; i++) {
            InetSocketAddress address =
                    new InetSocketAddress(context.address().getAddress(), 4_000 + i);
            InfoString userinfo = new InfoString();
            ClientTransport transport =
                    new ClientTransport(socket, address, userinfo, 1, movementCache.deltas());
            Quake3Session client =
                    new Quake3Session(
                            shared,
                            i,
                            new ClientChannel(transport, userinfo, Optional.empty()),
                            userinfo,
                            requireNonNull(addressLimits.enter(0, address.getAddress())),
                            0);
            lifecycle.add(client);
            lifecycle.join(0, client);
            client.activate(0);
            clients.add(client);
            players.add(client.player().orElseThrow());
        }
        for (int i = 0; i < PLAYERS; i++) {
            ServerConnection connection =
                    new ServerConnection(
                            Protocol.OPENARENA_71, CHALLENGE, 4_000 + i, 1, movementCache.deltas());
            connection.level(i, running.entities().states());
            connections.add(connection);
            players.get(i).spawn(0, Quake3Motion.movement(clients.get(i).playerState()));
        }
        Set<Integer> sent = new HashSet<>();
        for (int slot = 0; slot < EntityState.MAX_CLIENTS; slot++) {
            sent.add(Configstrings.PLAYERS + slot);
        }
        for (Quake3Session client : clients) {
            ArenaPlayer self = client.player().orElseThrow();
            client.configstrings().assignSlots(0, self.visiblePlayers(), self.visibilityVersion());
            client.configstrings().onGamestateSent(self.name(), sent);
        }
        frame();
        long before = bytes;
        frame();
        if (frame(clients.getFirst()).size() != PLAYERS - 1 || bytes == before) {
            throw new IllegalStateException("the players do not see each other");
        }
    }

    private void walk() {
        now += 25_000_000;
        int time = running.time(now);
        for (int i = 0; i < PLAYERS; i++) {
            Quake3Session client = clients.get(i);
            CircleWalk.move(client.body(), time * 0.01f + i, time);
            players.get(i)
                    .move(
                            0,
                            Quake3Motion.movement(client.playerState()),
                            new Quake3Movement(client.body().entity(i)));
        }
    }

    private Frame frame(Quake3Session client) {
        return client.frame(now, running, client.visiblePlayers());
    }

    /** One server frame for everyone; also the movement, which is a hundredth of it. */
    @Benchmark
    public long frame() {
        walk();
        int time = running.time(now);
        for (int i = 0; i < PLAYERS; i++) {
            ServerConnection connection = connections.get(i);
            int acknowledge = Math.max(0, connection.outgoing() - 2);
            connection.moved(new ClientMessage(0, acknowledge, 0, List.of()), true, time);
            connection.send(frame(clients.get(i)), 0, (data, offset, length) -> bytes += length);
            while (connection.hasPendingFragments()) {
                connection.sendFragment((data, offset, length) -> bytes += length);
            }
        }
        return bytes;
    }
}
