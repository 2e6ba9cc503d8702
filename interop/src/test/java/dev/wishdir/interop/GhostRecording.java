package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.file.EventCursor;
import dev.wishdir.record.file.Recording;
import dev.wishdir.wire.TestPort;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A recording of bots that original clients are shown as ghosts, made as an operator makes it. */
final class GhostRecording {
    private static final Duration SOON = Duration.ofMinutes(2);

    /** Which the bots walk, metres in all. */
    private static final double MIN_WAY_METRES = 15;

    private static final int MIN_MOVEMENTS = 100;

    /** From the last player's first position to where the replay begins. */
    private static final long SETTLE_NANOS = 100_000_000;

    /** Quake III shows a player of another game at whole units, a 32nd of a metre an axis. */
    private static final double QUANTUM_METRES = Math.sqrt(3) / 32 + 1e-6;

    private GhostRecording() {}

    /** Records a bot of each game, {@code ofGAME}, until each has walked. */
    static Path make(Path here, List<String> games) throws Exception {
        Path folder = here.resolve("recordings");
        List<String> arguments =
                new ArrayList<>(List.of("serve", "--arena", "flat", "--record", folder.toString()));
        Map<String, String> addresses = new HashMap<>();
        for (String game : games) {
            addresses.put(game, "127.0.0.1:" + TestPort.free());
            arguments.addAll(List.of("--" + game, addresses.get(game)));
        }
        try (Peer server = Peer.wishdir(here, arguments.toArray(String[]::new))) {
            server.awaitLine("players connect to", SOON);
            List<Peer> bots = new ArrayList<>();
            try {
                for (String game : games) {
                    Peer bot =
                            Peer.wishdir(
                                    here,
                                    "bot",
                                    game,
                                    String.valueOf(addresses.get(game)),
                                    "--name",
                                    "of" + game);
                    bots.add(bot);
                    bot.awaitLine("join of" + game, SOON);
                }
                Path part = only(folder, ".mcap.part");
                Peer.await(
                        "the bots to walk",
                        SOON,
                        () -> {
                            Map<String, List<Vec3>> ways = ways(part, start(part));
                            return ways.size() == games.size()
                                    && ways.values().stream()
                                            .allMatch(way ->
                                                    way.size() > MIN_MOVEMENTS
                                                            && length(way) > MIN_WAY_METRES);
                        });
            } finally {
                bots.forEach(Peer::close);
            }
            server.terminate();
            assertThat(server.awaitExit(SOON)).isZero();
        }
        return only(folder, ".mcap");
    }

    /** The value of {@code --replay}: from when all are in the arena. */
    static String option(Path recording) throws IOException {
        try (Recording file = Recording.open(recording)) {
            long nanos = start(recording) - file.startNanos();
            return recording + ",from=" + String.format(Locale.ROOT, "%.3f", nanos / 1e9);
        }
    }

    /** When all are in the arena. */
    private static long start(Path recording) {
        Map<String, Long> spawned = new HashMap<>();
        read(
                recording,
                event -> {
                    if (event instanceof ArenaEvent.Spawned e) {
                        spawned.putIfAbsent(e.player().name(), e.time());
                    }
                });
        return spawned.isEmpty() ? 0 : Collections.max(spawned.values()) + SETTLE_NANOS;
    }

    static Path only(Path folder, String suffix) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(suffix)).findFirst().orElseThrow();
        }
    }

    private static double length(List<Vec3> way) {
        double metres = 0;
        for (int i = 1; i < way.size(); i++) {
            metres += way.get(i).distance(way.get(i - 1));
        }
        return metres;
    }

    /** Where the players were since a time, by name; none if it cannot be read yet. */
    private static Map<String, List<Vec3>> ways(Path file, long since) {
        Map<String, List<Vec3>> ways = new HashMap<>();
        read(
                file,
                event -> {
                    if (event.time() < since) {
                        return;
                    }
                    switch (event) {
                        case ArenaEvent.Spawned e ->
                                add(ways, e.player().name(), e.movement().position());
                        case ArenaEvent.Moved e ->
                                add(ways, e.player().name(), e.movement().position());
                        case ArenaEvent.Teleported e ->
                                add(ways, e.player().name(), e.movement().position());
                        default -> {}
                    }
                });
        return ways;
    }

    private static void read(Path file, Consumer<ArenaEvent> reader) {
        try (Recording recording = Recording.open(file)) {
            EventCursor events = recording.events();
            while (events.next()) {
                reader.accept(events.event());
            }
        } catch (IOException _) {
            // Its first second is not written yet.
        }
    }

    /**
     * Has {@code wishdir record} watch a server for some seconds, and checks that the recording has
     * the movement of a player there, and not its own.
     */
    static void assertRecords(Path here, String game, InetSocketAddress server, String walker)
            throws Exception {
        Path file = here.resolve("watched.mcap");
        String address = "127.0.0.1:" + server.getPort();
        try (Peer record =
                Peer.wishdir(
                        here,
                        "record",
                        game,
                        address,
                        "--out",
                        file.toString(),
                        "--seconds",
                        "8")) {
            assertThat(record.awaitExit(SOON)).as("%s", record.lines()).isZero();
        }
        Map<String, List<Vec3>> seen = ways(file, Long.MIN_VALUE);
        assertThat(seen).containsKey(walker).doesNotContainKey("recorder");
        assertThat(length(seen.getOrDefault(walker, List.of()))).isGreaterThan(2);
    }

    private static void add(Map<String, List<Vec3>> ways, String name, Vec3 place) {
        ways.computeIfAbsent(name, _ -> new ArrayList<>()).add(place);
    }

    /** Checks that a client's demo or capture has each ghost where the recording has the player. */
    static void assertSeen(Path here, Path recording, Path demo) throws Exception {
        Path seen = here.resolve("seen.mcap");
        try (Peer convert =
                Peer.wishdir(here, "record", "--from", demo.toString(), "--out", seen.toString())) {
            assertThat(convert.awaitExit(SOON)).as("%s", convert.lines()).isZero();
        }
        Map<String, List<Vec3>> shown = ways(seen, Long.MIN_VALUE);
        ways(recording, Long.MIN_VALUE)
                .forEach((name, recorded) -> {
                    List<Vec3> places =
                            shown.entrySet().stream()
                                    .filter(entry -> entry.getKey().endsWith("~" + name))
                                    .flatMap(entry -> entry.getValue().stream())
                                    .toList();
                    assertThat(places).as("%s of %s", name, shown.keySet()).hasSizeGreaterThan(10);
                    assertThat(places)
                            .as("places of %s", name)
                            .allSatisfy(place ->
                                    assertThat(
                                                    recorded.stream()
                                                            .mapToDouble(
                                                                    each -> each.distance(place))
                                                            .min()
                                                            .orElseThrow())
                                            .isLessThanOrEqualTo(QUANTUM_METRES));
                });
    }
}
