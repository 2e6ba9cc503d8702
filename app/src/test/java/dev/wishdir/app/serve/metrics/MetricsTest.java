package dev.wishdir.app.serve.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.app.cluster.ClusterFigures;
import dev.wishdir.app.command.Games;
import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.FlagCause;
import dev.wishdir.arena.event.FlagChange;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.flag.FlagClaim;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.record.recorder.RecorderStatus;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** The metrics of a server, compared with what was seen on the wire. */
@Tag("slow")
class MetricsTest {
    private static final long SECOND = 1_000_000_000;

    /** How long a datagram is on its way in the perfect network. */
    private static final long DELAY = 1_000_000;

    /**
     * A datagram of the capture.
     *
     * @param key {@code GAME in} or {@code GAME out}
     * @param counted when it passes the server's socket
     */
    private record Captured(String key, long counted, int bytes) {}

    private final List<Captured> capture = new ArrayList<>();

    private final Random random = new Random(3);
    private final SimulatedNetwork network = new SimulatedNetwork(3);
    private final DutyCycle cycle = network.cycle();
    private final Counters counters = new Counters();
    private final AtomicLong clock = new AtomicLong(-SECOND);
    private final ServerMetrics tally = new ServerMetrics(clock::get);
    private final Arena arena = new Arena(Level.of(ArenaCatalog.FLAT), 32);
    private final AddressLimits addressLimits =
            AddressLimits.trusting(List.of(AddressRange.parse("127.0.0.1")), 1);
    private final Map<InetSocketAddress, String> served = new HashMap<>();

    private void capture(long now, InetSocketAddress from, InetSocketAddress to, byte[] data) {
        String into = served.get(to);
        capture.add(
                into == null
                        ? new Captured(served.get(from) + " out", now, data.length)
                        : new Captured(into + " in", now + DELAY, data.length));
    }

    private static InetSocketAddress at(Game game) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), game.port());
    }

    private Client join(Game game, String name) throws IOException {
        DutyCycle own = network.cycle();
        return game.connect(
                ClientConfig.builder(own, at(game))
                        .name(name)
                        .controller((now, _) -> PlayerInput.walk(now / 1e9 * 60 % 360, 0, 0))
                        .listener(new ClientListener() {})
                        .random(random)
                        .build());
    }

    /** The value of a line of the exposition, e.g. {@code wishdir_players{game="quake2"}}. */
    private static double value(String scraped, String series) {
        return scraped.lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + series + " in\n" + scraped));
    }

    private Metrics serve() throws IOException {
        cycle.add(arena::advance);
        cycle.add(tally.sampler(arena::players, arena::connectionStats));
        arena.addListener(tally);
        arena.onRelayDelay(tally::recordRelayDelay);
        SharedArena sharedArena =
                new SharedArena(cycle, arena, ArenaCatalog.FLAT, List.of(ArenaCatalog.FLAT));
        for (Game game : Games.ALL) {
            Endpoint endpoint =
                    game.serve(
                            EndpointContext.builder(
                                            tally.counted(game.name(), cycle), at(game), arena)
                                    .sharedArena(sharedArena)
                                    .addressLimits(addressLimits)
                                    .counters(counters)
                                    .random(random)
                                    .build());
            served.put(endpoint.address(), game.name());
        }
        // Sauerbraten's server browser is asked on a port of its own.
        served.put(new InetSocketAddress(InetAddress.getLoopbackAddress(), 28_786), "sauerbraten");
        return new Metrics(Games.ALL.stream().map(Game::name).toList(), tally, counters, () -> 7);
    }

    private void threeOfEachJoin() throws IOException {
        for (Game game : Games.ALL) {
            for (int i = 0; i < 3; i++) {
                join(game, "walker" + i);
            }
        }
    }

    /** What is said of packets that were lost, by game. */
    private static Map<String, Double> lost(String scraped) {
        Map<String, Double> lost = new TreeMap<>();
        DIRECTIONS.forEach((game, direction) ->
                lost.put(
                        game,
                        value(
                                scraped,
                                "wishdir_lost_packets_total{direction=\""
                                        + direction
                                        + "\",game=\""
                                        + game
                                        + "\"}")));
        return lost;
    }

    /** The way on which a game's transport sees what is lost. */
    private static final Map<String, String> DIRECTIONS =
            Map.of("sauerbraten", "out", "quake2", "in", "quake3", "in", "bedrock", "out");

    private static ArenaEvent flagChanged(
            Team flag, FlagChange change, Optional<Player> player, Duration carried) {
        return new ArenaEvent.FlagChanged(
                0, flag, change, FlagCause.TOUCH, player, Vec3.ZERO, 1, carried);
    }

    @Test
    void countsFlags() {
        Player anna = arena.join(0, "quake3", "anna", new NoOpViewer()).snapshot();
        Metrics metrics = new Metrics(List.of("quake3"), tally, counters, () -> 0);
        metrics.flags(List.of("quake3"), answer -> answer == FlagClaim.WALL ? 3 : 0);
        tally.onEvent(flagChanged(Team.RED, FlagChange.TAKEN, Optional.of(anna), Duration.ZERO));
        String taken = metrics.scrape();
        assertThat(value(taken, "wishdir_flag_state{flag=\"red\"}")).isEqualTo(1);
        tally.onEvent(
                flagChanged(
                        Team.RED, FlagChange.DROPPED, Optional.of(anna), Duration.ofSeconds(12)));
        assertThat(value(metrics.scrape(), "wishdir_flag_state{flag=\"red\"}")).isEqualTo(2);
        tally.onEvent(flagChanged(Team.RED, FlagChange.RESET, Optional.empty(), Duration.ZERO));
        String all = metrics.scrape();
        assertThat(value(all, "wishdir_flag_state{flag=\"red\"}")).isZero();
        assertThat(value(all, "wishdir_flag_state{flag=\"blue\"}")).isZero();
        assertThat(
                        value(
                                all,
                                "wishdir_flag_events_total{flag=\"red\",game=\"quake3\","
                                        + "kind=\"taken\"}"))
                .isEqualTo(1);
        assertThat(
                        value(
                                all,
                                "wishdir_flag_events_total{flag=\"red\",game=\"none\","
                                        + "kind=\"reset\"}"))
                .isEqualTo(1);
        assertThat(value(all, "wishdir_flag_refused_total{reason=\"wall\"}")).isEqualTo(3);
        assertThat(value(all, "wishdir_flag_held_seconds_count")).isEqualTo(1);
        assertThat(value(all, "wishdir_flag_held_seconds_sum")).isEqualTo(12);
        assertThat(value(all, "wishdir_flag_held_seconds_bucket{le=\"10.0\"}")).isZero();
        assertThat(value(all, "wishdir_flag_held_seconds_bucket{le=\"15.0\"}")).isEqualTo(1);
    }

    @Test
    void countsLostPackets() throws IOException {
        Metrics metrics = serve();
        threeOfEachJoin();
        network.run(5 * SECOND);
        String before = metrics.scrape();
        assertThat(lost(before).values()).containsOnly(0.0);
        network.conditions(new Conditions(0.1, 0, 0, 0));
        network.run(20 * SECOND);
        String scraped = metrics.scrape();
        Map<String, Double> lost = lost(scraped);
        for (String game : List.of("quake2", "quake3", "bedrock")) {
            String of =
                    "wishdir_datagrams_total{direction=\""
                            + DIRECTIONS.get(game)
                            + "\",game=\""
                            + game
                            + "\"}";
            double packets = value(scraped, of) - value(before, of);
            // Of what goes out the server has counted those that were lost too, and one whose
            // acknowledgement was lost looks the same: at most 1 - 0.9 * 0.9 of all.
            boolean out = game.equals("bedrock");
            double gone = requireNonNull(lost.get(game));
            assertThat(gone / (out ? packets : packets + gone))
                    .as(game)
                    .isBetween(0.07, out ? 0.19 : 0.13);
        }
        assertThat(lost.get("sauerbraten")).isBetween(10.0, 1000.0);
    }

    @Test
    void agreesWithCapture() throws IOException {
        network.tap(this::capture);
        Metrics metrics = serve();
        threeOfEachJoin();
        network.run(20 * SECOND);
        InetSocketAddress stranger =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 50_000);
        for (Game game : Games.ALL) {
            network.inject(stranger, at(game), new byte[] {-1, -2, -3, -4, -5});
            capture.add(new Captured(game.name() + " in", network.now(), 5));
        }
        network.run(SECOND / 10);
        String scraped = metrics.scrape();

        for (Game game : Games.ALL) {
            String name = game.name();
            String label = "{game=\"" + name + "\"";
            assertThat(value(scraped, "wishdir_players" + label + "}")).as(name).isEqualTo(3);
            assertThat(value(scraped, "wishdir_joins_total" + label + "}")).isEqualTo(3);
            for (String direction : List.of("in", "out")) {
                List<Captured> seen =
                        capture.stream()
                                .filter(each -> each.key.equals(name + " " + direction))
                                .filter(each -> each.counted <= network.now())
                                .toList();
                String of = "{direction=\"" + direction + "\",game=\"" + name + "\"}";
                double datagrams = value(scraped, "wishdir_datagrams_total" + of);
                double bytes = value(scraped, "wishdir_datagram_bytes_total" + of);
                assertThat(seen).hasSizeGreaterThan(100);
                assertThat(datagrams).as(name + direction).isEqualTo(seen.size());
                assertThat(bytes)
                        .as(name + direction)
                        .isEqualTo(seen.stream().mapToDouble(Captured::bytes).sum());
            }
        }
        assertThat(value(scraped, "wishdir_executor_queued_tasks")).isEqualTo(7);
        assertThat(value(scraped, "wishdir_relay_delay_seconds_count")).isGreaterThan(1000);
        assertThat(scraped).contains("wishdir_dropped_datagrams_total{");
        // Neither a name nor an address.
        assertThat(scraped).doesNotContain("walker", "127.0.0.1", "50000");
    }

    /** Whatever the texts are, and in whatever language. */
    @ParameterizedTest
    @EnumSource(names = "LEFT", mode = EnumSource.Mode.EXCLUDE)
    void countsRefusalsByCodeAndNotByText(LeaveReason.Code code) {
        for (String text : List.of("Server is full.", "whatever <script> says", "")) {
            tally.onEvent(
                    new ArenaEvent.JoinRefused(
                            1, "quake3", "192.0.2.1", new LeaveReason(code, text)));
        }
        Metrics metrics = new Metrics(List.of("quake3"), tally, counters, () -> 0);
        String scraped = metrics.scrape();
        String label = "{game=\"quake3\",reason=\"" + code + "\"}";
        assertThat(value(scraped, "wishdir_refusals_total" + label)).isEqualTo(3);
        assertThat(scraped).doesNotContain("192.0.2.1", "script");
    }

    @Test
    void countsDropsByGameAndReason() {
        Metrics metrics = new Metrics(List.of(), tally, counters, () -> 0);
        assertThat(metrics.scrape()).doesNotContain("wishdir_dropped");
        counters.add("sauerbraten.info.drop.budget", 4);
        counters.count("quake3.implausible");
        String scraped = metrics.scrape();
        String of = "{game=\"sauerbraten\",reason=\"info.budget\"}";
        assertThat(value(scraped, "wishdir_dropped_datagrams_total" + of)).isEqualTo(4);
        counters.count("sauerbraten.info.drop.budget");
        assertThat(value(metrics.scrape(), "wishdir_dropped_datagrams_total" + of)).isEqualTo(5);
        assertThat(value(scraped, "wishdir_counts_total{name=\"quake3.implausible\"}"))
                .isEqualTo(1);
    }

    @Test
    void putsWaitsIntoTheirBuckets() {
        DurationHistogram histogram = new DurationHistogram();
        histogram.record(100_000);
        histogram.record(100_001);
        histogram.record(-5);
        histogram.record(10 * SECOND);
        assertThat(histogram.counts()).startsWith(2, 1).endsWith(1);
        assertThat(histogram.seconds()).isEqualTo(10.000200001);
    }

    @Test
    void reportsStalledServerUnhealthy() {
        Metrics metrics = new Metrics(List.of(), tally, counters, () -> 0);
        clock.addAndGet(4 * SECOND);
        assertThat(metrics.isHealthy()).isTrue();
        clock.addAndGet(2 * SECOND);
        assertThat(metrics.isHealthy()).isFalse();
        tally.recordCycle(1);
        assertThat(metrics.isHealthy()).isTrue();
    }

    /** The registry itself would not: after a collection, they would be NaN. */
    @Test
    void keepsWhatItMeasures() throws IOException {
        Metrics metrics = serve();
        RecorderStatus status = new RecorderStatus(Optional.empty(), 7, 2, 3, "");
        AtomicReference<RecorderStatus> current = new AtomicReference<>(status);
        WeakReference<Object> collected = new WeakReference<>(new Object());
        metrics.recording(() -> requireNonNull(current.get()));
        metrics.lines("test", () -> requireNonNull(current.get()).bytes());
        while (collected.get() != null) {
            System.gc();
        }
        String scraped = metrics.scrape();
        assertThat(value(scraped, "wishdir_recording_up")).isEqualTo(1);
        assertThat(value(scraped, "wishdir_recording_file_bytes")).isEqualTo(7);
        assertThat(value(scraped, "wishdir_recording_files_total")).isEqualTo(2);
        assertThat(value(scraped, "wishdir_recording_lost_events_total")).isEqualTo(3);
        assertThat(value(scraped, "wishdir_lines_dropped_total{sink=\"test\"}")).isEqualTo(7);
    }

    @Test
    void exportsWhatNodeOfClusterDoes() throws IOException {
        Metrics metrics = serve();
        assertThat(metrics.scrape()).doesNotContain("wishdir_cluster");
        ClusterFigures figures = new ClusterFigures(true, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
        metrics.cluster(() -> figures);
        tally.clusterAges().record(3_000_000);
        String scraped = metrics.scrape();
        Map<String, Double> expected =
                Map.ofEntries(
                        Map.entry("nats_up", 1.0),
                        Map.entry("nodes", 2.0),
                        Map.entry("players", 3.0),
                        Map.entry("messages_total{direction=\"out\"}", 4.0),
                        Map.entry("messages_total{direction=\"in\"}", 5.0),
                        Map.entry("bytes_total{direction=\"out\"}", 6.0),
                        Map.entry("bytes_total{direction=\"in\"}", 7.0),
                        Map.entry("dropped_total{direction=\"out\"}", 8.0),
                        Map.entry("dropped_total{direction=\"in\"}", 9.0),
                        Map.entry("faults_total", 10.0),
                        Map.entry("stale_total", 11.0),
                        Map.entry("gaps_total", 12.0),
                        Map.entry("rosters_total", 13.0),
                        Map.entry("age_seconds_count", 1.0),
                        Map.entry("age_seconds_sum", 0.003),
                        Map.entry("age_seconds_bucket{le=\"0.0025\"}", 0.0),
                        Map.entry("age_seconds_bucket{le=\"0.005\"}", 1.0));
        expected.forEach((name, count) ->
                assertThat(value(scraped, "wishdir_cluster_" + name)).as(name).isEqualTo(count));
    }
}
