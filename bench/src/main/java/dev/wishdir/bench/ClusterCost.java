package dev.wishdir.bench;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.cluster.Node;
import dev.wishdir.cluster.bus.MemoryBroker;
import dev.wishdir.cluster.publish.NodeSettings;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Cost of a cluster: nodes as processes of their own with simulated players, connected by a
 * nats-server of this machine, in turns with the same processes without a cluster. A movement is
 * measured from its node's arena to that of each other node; its transit from the publication of
 * its batch; the control is how late the same processes are woken by the machine. Prints a table in
 * Markdown, then how long a server's thread works in one turn while 2,000 players of others join.
 *
 * <p>Usage, after {@code mvn verify}: {@code java -cp bench/target/benchmarks.jar
 * dev.wishdir.bench.ClusterCost [NODESxPLAYERS,...] [SECONDS] [TURNS]}
 */
public final class ClusterCost {
    private static final int NATS_PORT = 28_992;
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final int WARM_UP_SECONDS = 15;
    private static final int JOINING_NODES = 4;
    private static final int JOINING_PLAYERS = 500;
    private static final int OWN_PLAYERS = 250;
    private static final long TURN_NANOS = 5_000_000;

    private ClusterCost() {}

    /** Measurements of the nodes of one run. */
    private record Run(List<JsonObject> nodes, double natsCpu) {
        double mean(String name) {
            return nodes.stream()
                    .mapToDouble(node -> node.get(name).getAsDouble())
                    .average()
                    .orElse(Double.NaN);
        }

        double max(String name) {
            return nodes.stream()
                    .mapToDouble(node -> node.get(name).getAsDouble())
                    .max()
                    .orElse(Double.NaN);
        }

        double sum(String name) {
            return nodes.stream().mapToDouble(node -> node.get(name).getAsDouble()).sum();
        }
    }

    public static void main(String[] arguments) throws Exception {
        String sizes = arguments.length > 0 ? arguments[0] : "2x80,4x3,4x250";
        int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 10;
        int turns = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 2;
        System.out.println(
                "| nodes | players each | added p50, p99 ms | transit p50, p99 ms | control p99 ms"
                        + " | CPU of a node without a cluster | in the cluster | nats-server | MB/s"
                        + " from it | batches/s, movements/s to a node |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|");
        for (String size : sizes.split(",")) {
            int[] numbers = Arrays.stream(size.split("x")).mapToInt(Integer::parseInt).toArray();
            for (int turn = 0; turn < turns; turn++) {
                Run apart = run(ClusterCostNode.NO_CLUSTER, numbers[0], numbers[1], seconds);
                System.out.println(row(numbers, apart, inCluster(numbers, seconds)));
            }
        }
        System.out.printf(
                Locale.ROOT,
                "Longest turns while %d players of %d other nodes join, ms: %s%n",
                JOINING_NODES * JOINING_PLAYERS,
                JOINING_NODES,
                longestTurns());
    }

    private static String row(int[] numbers, Run apart, Run together) {
        return String.format(
                Locale.ROOT,
                "| %d | %d | %.2f, %.2f | %.2f, %.2f | %.2f | %.1f %% | %.1f %% | %.1f %% | %.2f |"
                        + " %.0f, %.0f |",
                numbers[0],
                numbers[1],
                together.mean("added_p50"),
                together.max("added_p99"),
                together.mean("transit_p50"),
                together.max("transit_p99"),
                together.max("control_p99"),
                apart.mean("cpu"),
                together.mean("cpu"),
                together.natsCpu(),
                together.sum("received"),
                together.mean("batches"),
                together.mean("movements"));
    }

    private static Run inCluster(int[] numbers, int seconds) throws Exception {
        try (ServerProcess nats = NatsProcess.start(NATS_PORT)) {
            double before = nats.cpuSeconds();
            long began = System.nanoTime();
            Run run = run(NatsProcess.address(NATS_PORT), numbers[0], numbers[1], seconds);
            double span = (System.nanoTime() - began) / 1e9;
            return new Run(run.nodes(), 100 * (nats.cpuSeconds() - before) / span);
        }
    }

    private static Run run(String address, int nodes, int players, int seconds) throws Exception {
        long begin = System.nanoTime() + WARM_UP_SECONDS * NANOS_PER_SECOND;
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            processes.add(
                    new ProcessBuilder(
                                    ProcessHandle.current().info().command().orElse("java"),
                                    "-XX:+UseSerialGC",
                                    "-Xmx256m",
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    ClusterCostNode.class.getName(),
                                    address,
                                    Integer.toString(players),
                                    Integer.toString(i),
                                    Long.toString(begin),
                                    Long.toString(begin + seconds * NANOS_PER_SECOND))
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start());
        }
        List<JsonObject> results = new ArrayList<>();
        for (Process process : processes) {
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IOException("a node failed: " + output);
            }
            results.add(JsonParser.parseString(output).getAsJsonObject());
        }
        return new Run(results, 0);
    }

    private record Server(Arena arena, Node node) {
        void turn(long now) {
            node.advance(now);
            arena.advance(now);
        }
    }

    private static Server server(MemoryBroker broker, String name, int players) {
        Arena arena = new Arena(Walker.HALL, players);
        NoClients clients = new NoClients();
        Random random = new Random(players);
        for (int i = 0; i < players; i++) {
            ArenaPlayer player = arena.join(broker.now(), "quake3", name + i, clients);
            player.spawn(broker.now(), new Walker(player, random).next(TURN_NANOS));
        }
        return new Server(
                arena,
                new Node(
                        arena,
                        broker.connect(),
                        new NodeSettings("bench", "bench", "1"),
                        "hall",
                        clients,
                        new Random()));
    }

    /** The longest turn of a server that joins, by CPU time, in virtual time; several times. */
    private static String longestTurns() {
        return String.join(
                ", ",
                IntStream.range(0, 5)
                        .mapToObj(_ -> String.format(Locale.ROOT, "%.1f", longestTurn() / 1e6))
                        .toList());
    }

    private static long longestTurn() {
        MemoryBroker broker = new MemoryBroker(1);
        List<Server> others =
                IntStream.range(0, JOINING_NODES)
                        .mapToObj(i -> server(broker, "other " + i + " ", JOINING_PLAYERS))
                        .toList();
        Server late = server(broker, "own ", OWN_PLAYERS);
        long longest = 0;
        while (late.arena().players().size() < OWN_PLAYERS + JOINING_NODES * JOINING_PLAYERS) {
            broker.advance(TURN_NANOS);
            others.forEach(other -> other.turn(broker.now()));
            long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            late.turn(broker.now());
            longest =
                    Math.max(
                            longest,
                            ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before);
        }
        return longest;
    }
}
