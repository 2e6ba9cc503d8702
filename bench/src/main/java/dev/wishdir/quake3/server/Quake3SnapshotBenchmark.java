package dev.wishdir.quake3;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Level;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.game.Serving;
import dev.wishdir.net.AddressRange;
import dev.wishdir.net.Addresses;
import dev.wishdir.net.SimulatedNetwork;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.world.Vec3f;

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

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
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
    private final List<Quake3Player> clients = new ArrayList<>();
    private final List<PlayerId> players = new ArrayList<>();
    private final List<ServerConnection> connections = new ArrayList<>();
    private final LevelEntities level = new LevelEntities(BoxMap.build(), new Random(1));
    private int time = 5_000;
    private long bytes;

    /** Brings 32 players in, each of whom sees all others. */
    @Setup
    public void join() {
        InetAddress home = InetAddress.getLoopbackAddress();
        Addresses addresses =
                Addresses.trusting(List.of(AddressRange.parse(home.getHostAddress())), 1);
        Serving serving =
                Serving.at(new SimulatedNetwork(1).cycle(), new InetSocketAddress(home, 1), arena)
                        .addresses(addresses)
                        .build();
        Clients here = new Clients(serving);
        for (int i = 0; i < PLAYERS; i++) {
            Quake3Player client =
                    new Quake3Player(
                            i,
                            new InetSocketAddress(home, 4_000 + i),
                            CHALLENGE,
                            new InfoString(),
                            here,
                            requireNonNull(addresses.enter(home)),
                            true,
                            1,
                            0);
            here.add(client);
            here.enter(0, client);
            client.state = Quake3Player.State.ACTIVE;
            clients.add(client);
            players.add(requireNonNull(client.id));
        }
        for (int i = 0; i < PLAYERS; i++) {
            ServerConnection connection =
                    new ServerConnection(
                            Protocol.OPENARENA_71, CHALLENGE, 4_000 + i, 1, here.made());
            connection.level(i, level.states());
            connections.add(connection);
            arena.spawn(0, players.get(i), Quake3Motion.movement(clients.get(i).state()));
        }
        Set<Integer> told = new HashSet<>();
        for (int slot = 0; slot < VisiblePlayers.SLOTS; slot++) {
            told.add(Configstrings.PLAYERS + slot);
        }
        for (Quake3Player client : clients) {
            client.news.settle(0, client.shown());
            client.news.gamestate(told);
        }
        frame();
        long before = bytes;
        frame();
        if (frame(clients.getFirst()).size() != PLAYERS - 1 || bytes == before) {
            throw new IllegalStateException("the players do not see each other");
        }
    }

    private void walk() {
        time += 25;
        for (int i = 0; i < PLAYERS; i++) {
            Quake3Player client = clients.get(i);
            Body body = client.body;
            float way = time * 0.01f + i;
            body.origin =
                    new Vec3f((float) Math.cos(way) * 400, (float) Math.sin(way) * 400, 24.125f);
            body.velocity = new Vec3f((float) -Math.sin(way) * 320, (float) Math.cos(way) * 320, 0);
            body.yaw = way * 57 % 180;
            body.bobCycle = time & 255;
            body.commandTime = time - 20;
            arena.move(
                    0,
                    players.get(i),
                    Quake3Motion.movement(client.state()),
                    new Quake3Movement(body.entity().set(EntityField.CLIENT_NUM, i).build()));
        }
    }

    private Frame frame(Quake3Player client) {
        return client.frame(time * 1_000_000L, time, level, client.shown());
    }

    /** One server frame for everyone; also the movement, which is a hundredth of it. */
    @Benchmark
    public long frame() {
        walk();
        for (int i = 0; i < PLAYERS; i++) {
            ServerConnection connection = connections.get(i);
            int acknowledge = Math.max(0, connection.outgoing() - 2);
            connection.moved(new ClientMessage(0, acknowledge, 0, List.of()), true, time);
            connection.send(frame(clients.get(i)), 0, (data, offset, length) -> bytes += length);
            while (connection.sending()) {
                connection.sendPart((data, offset, length) -> bytes += length);
            }
        }
        return bytes;
    }
}
