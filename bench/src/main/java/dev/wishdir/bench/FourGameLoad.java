package dev.wishdir.bench;

import com.google.gson.JsonObject;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * One server with bots of all four games, as many of each: what it costs, and how long a movement
 * is on its way in each game, after a warm-up of 20 s. Each game's bots are a process of their own.
 * Prints a table in Markdown.
 *
 * <p>Usage, from the project's root after {@code mvn verify}: {@code java -cp
 * bench/target/benchmarks.jar dev.wishdir.bench.FourGameLoad [BOTS,BOTS…] [SECONDS]}
 */
public final class FourGameLoad {
    private static final List<String> GAMES = List.of("sauerbraten", "quake2", "quake3", "bedrock");
    private static final int FIRST_PORT = 28_960;
    private static final int WARM_UP = 20;

    private FourGameLoad() {}

    public static void main(String[] arguments) throws Exception {
        String counts = arguments.length > 0 ? arguments[0] : "40,80,160";
        int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 20;
        System.out.println(
                "| bots | CPU % of a core | memory MiB | game | p50 ms | p99 ms | shown | flickers"
                    + " | never came % | packets/s a client | KiB/s a client | generator held |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|---|---|");
        for (int bots : Arrays.stream(counts.split(",")).mapToInt(Integer::parseInt).toArray()) {
            run(bots, seconds);
        }
    }

    private static void run(int bots, int seconds) throws Exception {
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
                                Integer.toString(bots + 8)));
        for (int i = 0; i < GAMES.size(); i++) {
            command.add("--" + GAMES.get(i));
            command.add(address(i));
        }
        Path home = Files.createTempDirectory("together");
        try (ServerProcess server =
                ServerProcess.start(
                        command,
                        Path.of(""),
                        home.resolve("server.log"),
                        FIRST_PORT,
                        FIRST_PORT + 10,
                        FIRST_PORT + 20,
                        FIRST_PORT + 30)) {
            List<Generator> generators = new ArrayList<>();
            for (int i = 0; i < GAMES.size(); i++) {
                generators.add(
                        Generator.start(
                                GAMES.get(i), address(i), bots / GAMES.size(), WARM_UP, seconds));
            }
            double cpu =
                    server.cpuWhile(
                            () -> generators.stream().allMatch(Generator::isAlive), seconds);
            double memory = server.residentMebibytes();
            for (int i = 0; i < GAMES.size(); i++) {
                JsonObject result = generators.get(i).result();
                JsonObject latency = result.getAsJsonObject("latency");
                System.out.println(
                        String.format(
                                Locale.ROOT,
                                "| %d | %.0f | %.0f | %s | %.2f | %.2f | %.1f | %d | %.2f | %.1f |"
                                        + " %.1f | %s |",
                                bots,
                                cpu,
                                memory,
                                GAMES.get(i),
                                latency.get("p50").getAsDouble(),
                                latency.get("p99").getAsDouble(),
                                result.get("shown").getAsDouble(),
                                result.get("flickers").getAsLong(),
                                100 * result.get("loss").getAsDouble(),
                                result.get("viewer_packets").getAsDouble(),
                                result.get("viewer_bytes").getAsDouble() / 1024,
                                result.get("held").getAsBoolean() ? "yes" : "no"));
            }
        }
    }

    private static String address(int game) {
        return "127.0.0.1:" + (FIRST_PORT + 10 * game);
    }
}
