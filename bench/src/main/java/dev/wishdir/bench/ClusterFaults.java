package dev.wishdir.bench;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.cluster.Node;
import dev.wishdir.cluster.nats.NatsBus;
import dev.wishdir.cluster.nats.NatsSettings;
import dev.wishdir.cluster.publish.NodeSettings;
import dev.wishdir.wire.Bytes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Duration of faults of a cluster, with real nats-servers and two nodes in one process, each with a
 * player that walks. Each figure has its control: the longest time between two turns of the same
 * loop, which is what the machine adds. Prints a table in Markdown.
 *
 * <p>Usage, after {@code mvn verify}: {@code java -cp bench/target/benchmarks.jar
 * dev.wishdir.bench.ClusterFaults}
 */
public final class ClusterFaults {
    private static final int FIRST_PORT = 28_993;
    private static final int SERVERS = 3;

    /** A node's movement that is older is not to be shown. */
    private static final long MAX_AGE_NANOS = 250_000_000;

    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long TURN_NANOS = 1_000_000;
    private static final long WALK_NANOS = 30_000_000;
    private static final long LIMIT_NANOS = 60 * SECOND_NANOS;

    private final List<Walk> nodes = new ArrayList<>();

    /** Longest time between two turns of this phase. */
    private long control;

    /** Longest time between two movements of the other's player, of this phase. */
    private long gap;

    /** Movements of this phase that were shown too late. */
    private long stale;

    private long lastTurn = System.nanoTime();

    private ClusterFaults() {}

    /** A node with a player. */
    private final class Walk implements AutoCloseable {
        private final Arena arena = new Arena(Walker.HALL, 1);
        private final NatsBus bus;
        private final Node node;
        private final Walker walker;
        private long nextWalk;
        private long lastShown;

        Walk(List<String> servers, String name) throws IOException {
            bus =
                    NatsBus.connect(
                            new NatsSettings(
                                    servers, "", "", Optional.empty(), NatsSettings.Tls.DEFAULT),
                            () -> {});
            NoClients clients = new NoClients();
            node =
                    new Node(
                            arena,
                            bus,
                            new NodeSettings("faults", name, "1"),
                            "hall",
                            clients,
                            new Random());
            walker =
                    new Walker(
                            arena.join(System.nanoTime(), "quake3", name, clients), new Random(1));
            walker.player().spawn(System.nanoTime(), walker.next(WALK_NANOS));
            arena.addListener(event -> onEvent(event));
        }

        private void onEvent(ArenaEvent event) {
            if (event instanceof ArenaEvent.Moved moved && moved.id().isOfOtherServer()) {
                long now = System.nanoTime();
                gap = Math.max(gap, lastShown == 0 ? 0 : now - lastShown);
                lastShown = now;
                Bytes made = moved.player().nativeMovement().bytes();
                if (made.length() == 8) {
                    long age = now - ByteBuffer.wrap(made.toArray()).getLong();
                    stale += age > MAX_AGE_NANOS + 2 * control ? 1 : 0;
                }
            }
        }

        void turn() {
            long now = System.nanoTime();
            if (now >= nextWalk) {
                nextWalk = now + WALK_NANOS;
                walker.player().recordActivity(now);
                walker.player()
                        .move(
                                now,
                                walker.next(WALK_NANOS),
                                new NativeMovement.Stored(
                                        "bench/1",
                                        Bytes.wrap(ByteBuffer.allocate(8).putLong(now).array())));
            }
            node.advance(now);
            arena.advance(now);
        }

        boolean seesOther() {
            return arena.players().stream()
                    .anyMatch(player -> player.id().isOfOtherServer() && player.spawned());
        }

        boolean isAlone() {
            return arena.players().stream().map(Player::id).noneMatch(id -> id.isOfOtherServer());
        }

        @Override
        public void close() {
            bus.close();
        }
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println("| fault | what | ms | control ms |");
        System.out.println("|---|---|---|---|");
        new ClusterFaults().oneServer();
        new ClusterFaults().threeServers();
    }

    /** Runs turns while something is not so, and returns for how long it was not, nanoseconds. */
    private long until(BooleanSupplier condition) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            long now = System.nanoTime();
            control = Math.max(control, now - lastTurn - TURN_NANOS);
            lastTurn = now;
            if (now - begin > LIMIT_NANOS) {
                throw new IllegalStateException("it did not come within a minute");
            }
            nodes.forEach(Walk::turn);
            LockSupport.parkNanos(TURN_NANOS);
        }
        return System.nanoTime() - begin;
    }

    private void run(long nanos) {
        long end = System.nanoTime() + nanos;
        until(() -> System.nanoTime() >= end);
    }

    private boolean isWhole() {
        return nodes.stream().allMatch(Walk::seesOther);
    }

    private void begin() {
        control = 0;
        gap = 0;
        stale = 0;
        lastTurn = System.nanoTime();
    }

    private void print(String fault, String what, long nanos) {
        System.out.printf(
                Locale.ROOT,
                "| %s | %s | %.0f | %.0f |%n",
                fault,
                what,
                nanos / 1e6,
                control / 1e6);
    }

    private void oneServer() throws Exception {
        ServerProcess nats = NatsProcess.start(FIRST_PORT);
        try {
            nodes.add(new Walk(List.of(NatsProcess.address(FIRST_PORT)), "a"));
            nodes.add(new Walk(List.of(NatsProcess.address(FIRST_PORT)), "b"));
            until(this::isWhole);
            run(5 * SECOND_NANOS);

            String fault = "nats-server killed for 3 s";
            begin();
            nats.signal("KILL");
            run(3 * SECOND_NANOS);
            nats.close();
            nats = NatsProcess.start(FIRST_PORT);
            begin();
            print(fault, "until both are whole", until(this::isWhole));
            run(SECOND_NANOS);
            System.out.printf(
                    Locale.ROOT, "| %s | movements shown too late | %d | |%n", fault, stale);

            fault = "nats-server stopped for 6 s";
            begin();
            nats.signal("STOP");
            run(6 * SECOND_NANOS);
            begin();
            nats.signal("CONT");
            print(fault, "until both are whole", until(this::isWhole));
            run(SECOND_NANOS);
            System.out.printf(
                    Locale.ROOT, "| %s | movements shown too late | %d | |%n", fault, stale);

            Walk killed = nodes.removeLast();
            Walk other = nodes.getFirst();
            begin();
            killed.close();
            print("a node is killed", "until its players are gone", until(other::isAlone));
        } finally {
            nodes.forEach(Walk::close);
            nats.close();
        }
    }

    private void threeServers() throws Exception {
        List<ServerProcess> servers = new ArrayList<>();
        String routes =
                IntStream.range(0, SERVERS)
                        .mapToObj(i -> NatsProcess.address(FIRST_PORT + 10 + i))
                        .collect(Collectors.joining(","));
        try {
            for (int i = 0; i < SERVERS; i++) {
                servers.add(
                        NatsProcess.start(
                                FIRST_PORT + i,
                                "--cluster_name",
                                "bench",
                                "--cluster",
                                NatsProcess.address(FIRST_PORT + 10 + i),
                                "--routes",
                                routes));
            }
            // Each node prefers another server.
            nodes.add(new Walk(List.of(NatsProcess.address(FIRST_PORT)), "a"));
            nodes.add(new Walk(List.of(NatsProcess.address(FIRST_PORT + 1)), "b"));
            until(this::isWhole);
            run(5 * SECOND_NANOS);
            begin();
            run(3 * SECOND_NANOS);
            print("none", "longest gap between movements", gap);
            begin();
            servers.getFirst().signal("KILL");
            run(3 * SECOND_NANOS);
            print("one of three servers killed", "longest gap between movements", gap);
        } finally {
            nodes.forEach(Walk::close);
            servers.forEach(ServerProcess::close);
        }
    }
}
