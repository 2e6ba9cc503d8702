package dev.wishdir.app.serve.metrics;

import dev.wishdir.app.cluster.ClusterFigures;
import dev.wishdir.app.log.LogAppender;
import dev.wishdir.app.machine.DatagramCounters;
import dev.wishdir.arena.event.FlagChange;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.flag.FlagClaim;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.record.recorder.RecorderStatus;
import dev.wishdir.web.Page;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * The pages {@code /metrics}, in the format of Prometheus, and {@code /healthz}. Label values are
 * games, directions, reasons and names of counters, never names or addresses of players.
 */
public final class Metrics implements Page {
    private static final String DROP = "drop.";
    private static final String GAME = "game";
    private static final String DIRECTION = "direction";
    private static final String REASON = "reason";
    private static final String FLAG = "flag";

    private final ServerMetrics metrics;
    private final Counters counters;
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Set<String> bound = new HashSet<>();

    /** Measured objects: the registry has only weak references, of which a collected one is NaN. */
    private final List<Object> measured = new ArrayList<>();

    /**
     * @param games names of the served games
     * @param counters all counters, among them those of drops
     * @param queuedTasks number of tasks that wait for a thread
     */
    public Metrics(
            Collection<String> games,
            ServerMetrics metrics,
            Counters counters,
            IntSupplier queuedTasks) {
        this.metrics = metrics;
        this.counters = counters;
        // Their names in Micrometer do not follow the conventions of Prometheus.
        registry.config()
                .meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"))
                .meterFilter(MeterFilter.denyNameStartsWith("system.cpu.count"));
        games.forEach(this::bind);
        Gauge.builder("wishdir.executor.queued.tasks", queuedTasks::getAsInt)
                .description(
                        "Tasks that wait for a thread, such as checks of signatures or compilation"
                                + " of maps")
                .register(registry);
        histogram(
                "wishdir_duty_cycle_seconds",
                "Duration of a cycle of the server's loop, from the first datagram to the sending",
                metrics.cycles());
        histogram(
                "wishdir_relay_delay_seconds",
                "Time from the arrival of a movement until it is relayed to another player",
                metrics.relayDelays());
        lines("log", LogAppender::lost);
        new JvmMemoryMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    /** Adds a counter of lines that were lost on the way to a file or a reader. */
    public void lines(String sink, LongSupplier lost) {
        measured.add(lost);
        FunctionCounter.builder("wishdir.lines.dropped", lost, LongSupplier::getAsLong)
                .description(
                        "Lines that were lost because their reader was too slow or their disk full")
                .tag("sink", sink)
                .register(registry);
    }

    /** Adds what the recorder does. */
    public void recording(Supplier<RecorderStatus> status) {
        measured.add(status);
        Gauge.builder(
                        "wishdir.recording.up",
                        status,
                        from -> from.get().failure().isEmpty() ? 1 : 0)
                .description("1 while events are recorded, 0 after a failure")
                .register(registry);
        Gauge.builder("wishdir.recording.file.bytes", status, from -> from.get().bytes())
                .description("Size of the recording that is written")
                .register(registry);
        FunctionCounter.builder("wishdir.recording.files", status, from -> from.get().files())
                .description("Recordings that were begun")
                .register(registry);
        FunctionCounter.builder(
                        "wishdir.recording.lost.events", status, from -> from.get().lostEvents())
                .description("Events that were not recorded: the disk was too slow or full")
                .register(registry);
    }

    /** Adds what the node of a cluster does. */
    public void cluster(Supplier<ClusterFigures> figures) {
        measured.add(figures);
        Gauge.builder("wishdir.cluster.nats.up", figures, from -> from.get().isConnected() ? 1 : 0)
                .description("1 while NATS is connected")
                .register(registry);
        Gauge.builder("wishdir.cluster.nodes", figures, from -> from.get().nodes())
                .description("Other nodes")
                .register(registry);
        Gauge.builder("wishdir.cluster.players", figures, from -> from.get().players())
                .description("Players of other nodes")
                .register(registry);
        String messages = "Messages to and from other nodes";
        clustered(figures, "messages", messages, ClusterFigures::received, DIRECTION, "in");
        clustered(figures, "messages", messages, ClusterFigures::sent, DIRECTION, "out");
        String bytes = "Bytes of these messages";
        clustered(figures, "bytes", bytes, ClusterFigures::receivedBytes, DIRECTION, "in");
        clustered(figures, "bytes", bytes, ClusterFigures::sentBytes, DIRECTION, "out");
        String dropped = "Messages that were lost at this node: NATS was away, or a queue full";
        clustered(figures, "dropped", dropped, ClusterFigures::discarded, DIRECTION, "in");
        clustered(figures, "dropped", dropped, ClusterFigures::dropped, DIRECTION, "out");
        clustered(
                figures,
                "faults",
                "Messages of other nodes that were not accepted",
                ClusterFigures::faults);
        clustered(
                figures,
                "stale",
                "Movements of other nodes that were not shown, as they were older than 250 ms",
                ClusterFigures::stale);
        clustered(figures, "gaps", "Missed events of other nodes", ClusterFigures::gaps);
        clustered(figures, "rosters", "Rosters sent to other nodes", ClusterFigures::rosters);
        histogram(
                "wishdir_cluster_age_seconds",
                "How much longer the batches of other nodes were under way than the fastest ones",
                metrics.clusterAges());
    }

    /**
     * Adds the flags of a match.
     *
     * @param games names of the served games
     * @param claims numbers of the answers to clients that claimed to touch a flag
     */
    public void flags(Collection<String> games, ToLongFunction<FlagClaim> claims) {
        for (Team flag : Team.values()) {
            String team = flag.toString();
            Gauge.builder("wishdir.flag.state", metrics, from -> from.flags().state(flag))
                    .description("0 while the flag is at home, 1 carried, 2 dropped")
                    .tag(FLAG, team)
                    .register(registry);
            for (FlagChange change : FlagChange.values()) {
                Stream.concat(games.stream(), Stream.of(FlagMetrics.NO_GAME))
                        .forEach(game ->
                                counter(
                                        "wishdir.flag.events",
                                        "Changes of flags",
                                        from -> from.flags().changes(flag, change, game),
                                        FLAG,
                                        team,
                                        "kind",
                                        change.toString(),
                                        GAME,
                                        game));
            }
        }
        measured.add(claims);
        for (FlagClaim answer : EnumSet.complementOf(EnumSet.of(FlagClaim.ACCEPTED))) {
            FunctionCounter.builder(
                            "wishdir.flag.refused", claims, from -> from.applyAsLong(answer))
                    .description("Touches of flags that clients claimed and that had no effect")
                    .tag(REASON, answer.toString())
                    .register(registry);
        }
        histogram(
                "wishdir_flag_held_seconds",
                "For how long players carried a flag, each time",
                metrics.flags().held());
    }

    private void clustered(
            Supplier<ClusterFigures> figures,
            String name,
            String help,
            ToDoubleFunction<ClusterFigures> value,
            String... tags) {
        FunctionCounter.builder(
                        "wishdir.cluster." + name, figures, from -> value.applyAsDouble(from.get()))
                .description(help)
                .tags(tags)
                .register(registry);
    }

    private void bind(String game) {
        Gauge.builder("wishdir.players", metrics, from -> pings(from, game, _ -> 1).count())
                .description("Connected players")
                .tag(GAME, game)
                .register(registry);
        Gauge.builder(
                        "wishdir.round.trip.seconds",
                        metrics,
                        from -> known(from, game).average().orElse(Double.NaN))
                .description("Mean round-trip time of the players")
                .tag(GAME, game)
                .register(registry);
        Gauge.builder(
                        "wishdir.round.trip.max.seconds",
                        metrics,
                        from -> known(from, game).max().orElse(Double.NaN))
                .description("Longest round-trip time of a player")
                .tag(GAME, game)
                .register(registry);
        counter("wishdir.joins", "Players that joined", from -> from.joins(game), GAME, game);
        counter(
                "wishdir.hits",
                "Hits by players that took effect",
                from -> from.hits(game),
                GAME,
                game);
        counter("wishdir.deaths", "Deaths of players", from -> from.deaths(game), GAME, game);
        for (LeaveReason.Code why : EnumSet.complementOf(EnumSet.of(LeaveReason.Code.LEFT))) {
            counter(
                    "wishdir.refusals",
                    "Players that were refused",
                    from -> from.refusals(game, why),
                    GAME,
                    game,
                    REASON,
                    why.toString());
        }
        DatagramCounters traffic = metrics.traffic().get(game);
        if (traffic != null) {
            bind(game, "in", traffic.in());
            bind(game, "out", traffic.out());
        }
    }

    private void bind(String game, String direction, DatagramCounters.Count count) {
        counter(
                "wishdir.datagrams",
                "Received and sent datagrams",
                _ -> count.datagrams(),
                GAME,
                game,
                DIRECTION,
                direction);
        counter(
                "wishdir.datagram.bytes",
                "Bytes of received and sent datagrams, without the headers of UDP and IP",
                _ -> count.bytes(),
                GAME,
                game,
                DIRECTION,
                direction);
        counter(
                "wishdir.lost.packets",
                "Packets that the transport knows to be lost",
                all -> all.lost(game, direction),
                GAME,
                game,
                DIRECTION,
                direction);
    }

    private void counter(
            String name, String help, ToDoubleFunction<ServerMetrics> value, String... tags) {
        FunctionCounter.builder(name, metrics, value)
                .description(help)
                .tags(tags)
                .register(registry);
    }

    private static DoubleStream pings(
            ServerMetrics metrics, String game, ToDoubleFunction<Player> value) {
        return metrics.players().stream()
                .filter(player -> player.game().equals(game))
                .mapToDouble(value);
    }

    private static DoubleStream known(ServerMetrics metrics, String game) {
        return pings(metrics, game, Player::ping).filter(ping -> ping > 0).map(ping -> ping / 1000);
    }

    private void histogram(String name, String help, DurationHistogram histogram) {
        double[] finite = histogram.bounds();
        double[] bounds = Arrays.copyOf(finite, finite.length + 1);
        bounds[finite.length] = Double.POSITIVE_INFINITY;
        registry.getPrometheusRegistry()
                .register(() ->
                        HistogramSnapshot.builder()
                                .name(name)
                                .help(help)
                                .dataPoint(
                                        HistogramDataPointSnapshot.builder()
                                                .classicHistogramBuckets(
                                                        ClassicHistogramBuckets.of(
                                                                bounds, histogram.counts()))
                                                .sum(histogram.seconds())
                                                .build())
                                .build());
    }

    /** Binds new counters. Their names are constants of the code, so their number is bounded. */
    private void bindNewCounters() {
        for (String name : counters.snapshot().keySet()) {
            if (!bound.add(name)) {
                continue;
            }
            int dot = Math.max(0, name.indexOf('.'));
            String rest = name.substring(Math.min(name.length(), dot + 1));
            if (rest.contains(DROP)) {
                counted(
                        "wishdir.dropped.datagrams",
                        "Dropped datagrams, or parts of them",
                        name,
                        GAME,
                        name.substring(0, dot),
                        REASON,
                        rest.replace(DROP, ""));
            } else {
                counted("wishdir.counts", "Other counters, by name", name, "name", name);
            }
        }
    }

    private void counted(String metric, String help, String name, String... tags) {
        counter(metric, help, _ -> counters.get(name), tags);
    }

    /** All metrics, in the format of Prometheus. */
    synchronized String scrape() {
        bindNewCounters();
        return registry.scrape();
    }

    boolean isHealthy() {
        return metrics.isRunning();
    }

    @Override
    public void add(RoutesConfig routes) {
        routes.get(
                "/metrics",
                context ->
                        context.contentType("text/plain; version=0.0.4; charset=utf-8")
                                .result(scrape()));
        routes.get("/healthz", this::health);
    }

    private void health(Context context) {
        boolean healthy = isHealthy();
        context.status(healthy ? 200 : 503)
                .contentType("text/plain; charset=utf-8")
                .result(healthy ? "ok\n" : "the server's loop does not run\n");
    }

    @Override
    public void close() {
        registry.close();
    }
}
