package dev.wishdir.bench;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Cost of a proxy: our server under the same load through {@code wishdir proxy} and directly, in
 * turns of one run, each after a warm-up of 15 s; then the same with {@link Forwarder}, the least
 * that a proxy can do on this machine. CPU is that of the proxy's process. Prints a table in
 * Markdown.
 *
 * <p>Usage, from the project's root after {@code mvn verify}: {@code java -cp
 * bench/target/benchmarks.jar dev.wishdir.bench.ProxyCost [GAME,GAME…] [CLIENTS,CLIENTS…] [SECONDS]
 * [TURNS]}
 */
public final class ProxyCost {
    private static final int SERVER_PORT = 28_970;
    private static final int PROXY_PORT = 28_980;
    private static final int WARM_UP_SECONDS = 15;

    private static final String SERVER = "127.0.0.1:" + SERVER_PORT;
    private static final String PROXY = "127.0.0.1:" + PROXY_PORT;
    private static final List<String> FORWARDER =
            List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    Forwarder.class.getName(),
                    Integer.toString(PROXY_PORT),
                    Integer.toString(SERVER_PORT));

    private ProxyCost() {}

    public static void main(String[] arguments) throws Exception {
        String games = arguments.length > 0 ? arguments[0] : "sauerbraten,quake2,quake3,bedrock";
        String counts = arguments.length > 1 ? arguments[1] : "16";
        int seconds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 10;
        int turns = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 3;
        System.out.println(
                "| game, through | clients | p50 ms direct, through, added | p99 ms direct,"
                    + " through, added | datagrams/s to the clients | CPU % proxy | CPU % server |"
                    + " generator held |");
        System.out.println("|---|---|---|---|---|---|---|---|");
        for (String game : games.split(",")) {
            for (int clients :
                    Arrays.stream(counts.split(",")).mapToInt(Integer::parseInt).toArray()) {
                List<String> proxy =
                        List.of("./wishdir", "proxy", game, "--to", SERVER, "--listen", PROXY);
                System.out.println(row(game, "proxy", proxy, clients, seconds, turns));
                System.out.println(row(game, "forwarder", FORWARDER, clients, seconds, turns));
            }
        }
    }

    private static String row(
            String game, String name, List<String> proxy, int clients, int seconds, int turns)
            throws Exception {
        Path home = Files.createTempDirectory("proxy-cost");
        List<String> serve =
                List.of(
                        "./wishdir",
                        "serve",
                        "--arena",
                        "flat",
                        "--trust",
                        "127.0.0.1",
                        "--" + game,
                        SERVER,
                        "--max-players",
                        // The server still has places of the turn before.
                        Integer.toString(2 * clients + 2));
        try (ServerProcess _ = start(serve, home.resolve("server.log"), SERVER_PORT);
                ServerProcess _ = start(proxy, home.resolve("proxy.log"), PROXY_PORT)) {
            JsonArray measured =
                    Generator.start(
                                    game,
                                    PROXY,
                                    clients,
                                    WARM_UP_SECONDS,
                                    seconds,
                                    "--compare",
                                    SERVER,
                                    "--turns",
                                    Integer.toString(turns))
                            .result()
                            .getAsJsonArray("turns");
            List<JsonObject> through = every(measured, 0);
            List<JsonObject> direct = every(measured, 1);
            return String.format(
                    Locale.ROOT,
                    "| %s, %s | %d | %s | %s | %.0f | %.1f | %.1f | %s |",
                    game,
                    name,
                    clients,
                    latency(through, direct, "p50"),
                    latency(through, direct, "p99"),
                    clients * mean(through, "viewer_packets"),
                    mean(through, "server_cpu"),
                    mean(direct, "server_cpu"),
                    measured.asList().stream()
                                    .allMatch(turn ->
                                            turn.getAsJsonObject().get("held").getAsBoolean())
                            ? "yes"
                            : "no");
        }
    }

    private static ServerProcess start(List<String> command, Path log, int port) throws Exception {
        return ServerProcess.start(command, Path.of(""), log, port);
    }

    /** Every second turn: those of one of the two addresses. */
    private static List<JsonObject> every(JsonArray turns, int first) {
        return IntStream.range(0, turns.size())
                .filter(i -> i % 2 == first)
                .mapToObj(i -> turns.get(i).getAsJsonObject())
                .toList();
    }

    private static double mean(List<JsonObject> turns, String name) {
        return mean(turns, turn -> turn.get(name).getAsDouble());
    }

    private static double mean(List<JsonObject> turns, ToDoubleFunction<JsonObject> value) {
        return turns.stream().mapToDouble(value).average().orElse(Double.NaN);
    }

    private static String latency(
            List<JsonObject> through, List<JsonObject> direct, String percentile) {
        ToDoubleFunction<JsonObject> value =
                turn -> turn.getAsJsonObject("latency").get(percentile).getAsDouble();
        double with = mean(through, value);
        double without = mean(direct, value);
        return String.format(Locale.ROOT, "%.2f, %.2f, %+.2f", without, with, with - without);
    }
}
