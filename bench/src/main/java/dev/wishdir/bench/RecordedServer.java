package dev.wishdir.bench;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.record.file.EventCursor;
import dev.wishdir.record.file.Recording;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * One server that records bots of all four games: the size of the recording, also as Parquet, and
 * the share of a core of each thread, warm-up included. Prints a table in Markdown.
 *
 * <p>Usage, from the project's root after {@code mvn verify} and {@code mvn -Prun,query -pl app -am
 * package}: {@code java -cp bench/target/benchmarks.jar dev.wishdir.bench.RecordedServer [BOTS]
 * [SECONDS] [MIN_PERCENT]}
 */
public final class RecordedServer {
    private static final List<String> GAMES = List.of("sauerbraten", "quake2", "quake3", "bedrock");
    private static final int FIRST_PORT = 28_960;
    private static final double NANOS_AN_HOUR = 3.6e12;

    private RecordedServer() {}

    public static void main(String[] arguments) throws Exception {
        int bots = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 40;
        String seconds = arguments.length > 1 ? arguments[1] : "60";
        double minPercent = arguments.length > 2 ? Double.parseDouble(arguments[2]) : 0.5;
        Path home = Files.createTempDirectory("recorded-server");
        Path recordings = home.resolve("recordings");
        System.out.println("| what | result |");
        System.out.println("|---|---|");
        threads(bots, seconds, home, recordings)
                .forEach((thread, percent) -> {
                    if (percent >= minPercent || thread.equals("recorder")) {
                        print(
                                "thread " + thread,
                                String.format(Locale.ROOT, "%.2f %% of a core", percent));
                    }
                });
        try (var files = Files.list(recordings)) {
            for (Path file : files.filter(it -> it.toString().endsWith(".mcap")).toList()) {
                size(file, home.resolve("tables"));
            }
        }
    }

    private static void print(String what, String result) {
        System.out.println("| " + what + " | " + result + " |");
    }

    /** Records, and returns the share of a core of the server's threads, in percent. */
    private static Map<String, Double> threads(int bots, String seconds, Path home, Path recordings)
            throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "./wishdir",
                                "serve",
                                "--arena",
                                "hall",
                                "--trust",
                                "127.0.0.1",
                                "--max-players",
                                Integer.toString(bots + 8),
                                "--record",
                                recordings.toString()));
        for (int i = 0; i < GAMES.size(); i++) {
            command.add("--" + GAMES.get(i));
            command.add(address(i));
        }
        try (ServerProcess server =
                ServerProcess.start(
                        command,
                        Path.of(""),
                        home.resolve("server.log"),
                        FIRST_PORT,
                        FIRST_PORT + 10,
                        FIRST_PORT + 20,
                        FIRST_PORT + 30)) {
            List<Process> clients = new ArrayList<>();
            Map<String, Double> before = server.cpuSecondsOfThreads();
            long began = System.nanoTime();
            for (int i = 0; i < GAMES.size(); i++) {
                clients.add(
                        new ProcessBuilder(
                                        "./wishdir",
                                        "bot",
                                        GAMES.get(i),
                                        address(i),
                                        "--count",
                                        Integer.toString(bots / GAMES.size()),
                                        "--path",
                                        "random",
                                        "--seconds",
                                        seconds)
                                .redirectErrorStream(true)
                                .redirectOutput(home.resolve(GAMES.get(i) + ".log").toFile())
                                .start());
            }
            // The first game that leaves ends the measurement.
            while (clients.stream().allMatch(Process::isAlive)) {
                clients.getFirst().waitFor(100, TimeUnit.MILLISECONDS);
            }
            double span = (System.nanoTime() - began) / 1e9;
            Map<String, Double> used = new TreeMap<>();
            server.cpuSecondsOfThreads()
                    .forEach((thread, cpu) ->
                            used.put(
                                    thread, 100 * (cpu - before.getOrDefault(thread, 0.0)) / span));
            for (Process client : clients) {
                client.waitFor();
            }
            return used;
        }
    }

    private static String address(int game) {
        return "127.0.0.1:" + (FIRST_PORT + 10 * game);
    }

    private static void size(Path file, Path tables) throws Exception {
        Map<PlayerId, Long> joined = new HashMap<>();
        long movements = 0;
        double hours = 0;
        try (Recording recording = Recording.open(file)) {
            EventCursor events = recording.events();
            while (events.next()) {
                switch (events.event()) {
                    case ArenaEvent.Joined e -> joined.put(e.id(), e.time());
                    case ArenaEvent.Left e -> {
                        Long since = joined.remove(e.id());
                        hours += since == null ? 0 : (e.time() - since) / NANOS_AN_HOUR;
                    }
                    case ArenaEvent.Moved _ -> movements++;
                    default -> {}
                }
            }
            for (long since : joined.values()) {
                hours += (recording.endNanos() - since) / NANOS_AN_HOUR;
            }
        }
        long bytes = Files.size(file);
        print("movements", String.format(Locale.ROOT, "%d in %.3f player-hours", movements, hours));
        print(
                "recording",
                String.format(
                        Locale.ROOT,
                        "%.2f MB a player-hour, %.1f bytes a movement",
                        bytes / 1e6 / hours,
                        bytes / (double) movements));
        CommandRun.of("./wishdir", "export", file.toString(), "--parquet", tables.toString());
        print(
                "movements.parquet",
                String.format(
                        Locale.ROOT,
                        "%.1f bytes a movement",
                        Files.size(tables.resolve("movements.parquet")) / (double) movements));
    }
}
