package dev.wishdir.bench;

import com.google.gson.JsonObject;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Bots of all four games in one arena, as many of each, on one server or on several as one arena:
 * what it costs, and how long a movement is on its way to bots of the same server, after a warm-up
 * of 20 s. Each game's bots of a server are a process of their own. Prints a table in Markdown.
 *
 * <p>Usage, from the project's root after {@code mvn verify}: {@code java -cp
 * bench/target/benchmarks.jar dev.wishdir.bench.FourGameLoad [BOTS,BOTS…] [SECONDS]
 * [SERVERS,SERVERS…]}; all numbers of servers in turn for each number of bots
 */
public final class FourGameLoad {
    private static final List<String> GAMES = List.of("sauerbraten", "quake2", "quake3", "bedrock");
    private static final int FIRST_PORT = 28_960;
    private static final int PORTS_PER_SERVER = 10 * GAMES.size();
    private static final int NATS_PORT = 28_950;
    private static final int WARM_UP = 20;

    private FourGameLoad() {}

    public static void main(String[] arguments) throws Exception {
        String counts = arguments.length > 0 ? arguments[0] : "40,80,160";
        int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 20;
        String servers = arguments.length > 2 ? arguments[2] : "1";
        System.out.println(
                "| bots | server | CPU % of a core | memory MiB | game | p50 ms | p99 ms | shown |"
                    + " flickers | never came % | packets/s a client | KiB/s a client | generator"
                    + " held |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
        for (int bots : numbers(counts)) {
            for (int count : numbers(servers)) {
                run(bots, count, seconds);
            }
        }
    }

    private static int[] numbers(String list) {
        return Arrays.stream(list.split(",")).mapToInt(Integer::parseInt).toArray();
    }

    private static void run(int bots, int count, int seconds) throws Exception {
        Path home = Files.createTempDirectory("together");
        List<ServerProcess> processes = new ArrayList<>();
        try {
            List<ServerProcess> servers = new ArrayList<>();
            List<String> cluster = List.of();
            if (count > 1) {
                processes.add(NatsProcess.start(NATS_PORT));
                cluster = List.of("--cluster", NatsProcess.address(NATS_PORT));
            }
            for (int i = 0; i < count; i++) {
                ServerProcess server =
                        server(i, bots / count + 8, cluster, home.resolve(i + ".log"));
                servers.add(server);
                processes.add(server);
            }
            List<Generator> generators = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                for (int game = 0; game < GAMES.size(); game++) {
                    generators.add(
                            Generator.start(
                                    GAMES.get(game),
                                    address(i, game),
                                    bots / count / GAMES.size(),
                                    WARM_UP,
                                    seconds));
                }
            }
            double[] cpu =
                    ServerProcess.cpuWhile(
                            processes,
                            () -> generators.stream().allMatch(Generator::isAlive),
                            seconds);
            if (count > 1) {
                System.out.printf(
                        Locale.ROOT,
                        "| %d | nats-server | %.0f |%s%n",
                        bots,
                        cpu[0],
                        " |".repeat(10));
            }
            for (int i = 0; i < generators.size(); i++) {
                int server = i / GAMES.size();
                System.out.println(
                        row(
                                bots,
                                (server + 1) + " of " + count,
                                cpu[server + processes.size() - count],
                                servers.get(server).residentMebibytes(),
                                GAMES.get(i % GAMES.size()),
                                generators.get(i).result()));
            }
        } finally {
            processes.reversed().forEach(ServerProcess::close);
        }
    }

    private static ServerProcess server(int index, int places, List<String> cluster, Path log)
            throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "./wishdir",
                                "serve",
                                "--arena",
                                "flat",
                                "--trust",
                                "127.0.0.1",
                                "--max-players",
                                Integer.toString(places)));
        command.addAll(cluster);
        int[] ports = new int[GAMES.size()];
        for (int game = 0; game < GAMES.size(); game++) {
            ports[game] = port(index, game);
            command.add("--" + GAMES.get(game));
            command.add(address(index, game));
        }
        return ServerProcess.start(command, Path.of(""), log, ports);
    }

    private static String row(
            int bots, String server, double cpu, double memory, String game, JsonObject result) {
        JsonObject latency = result.getAsJsonObject("latency");
        return String.format(
                Locale.ROOT,
                "| %d | %s | %.0f | %.0f | %s | %.2f | %.2f | %.1f | %d | %.2f | %.1f | %.1f | %s"
                        + " |",
                bots,
                server,
                cpu,
                memory,
                game,
                latency.get("p50").getAsDouble(),
                latency.get("p99").getAsDouble(),
                result.get("shown").getAsDouble(),
                result.get("flickers").getAsLong(),
                100 * result.get("loss").getAsDouble(),
                result.get("viewer_packets").getAsDouble(),
                result.get("viewer_bytes").getAsDouble() / 1024,
                result.get("held").getAsBoolean() ? "yes" : "no");
    }

    private static int port(int server, int game) {
        return FIRST_PORT + PORTS_PER_SERVER * server + 10 * game;
    }

    private static String address(int server, int game) {
        return "127.0.0.1:" + port(server, game);
    }
}
