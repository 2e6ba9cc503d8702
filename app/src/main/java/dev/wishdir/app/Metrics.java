package dev.wishdir.app;

import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.Player;
import dev.wishdir.net.Counters;
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

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * What a server does, for Prometheus at {@code /metrics}, and whether it still does it at {@code
 * /healthz}. Labels are games, directions and reasons of the code's own; never a name or an
 * address.
 */
final class Metrics implements Page {
    private static final String DROP = "drop.";
    private static final String GAME = "game";
    private static final String REASON = "reason";

    private final ServerMetrics metrics;
    private final Counters counters;
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Set<String> bound = new HashSet<>();

    /**
     * @param games by name, those that are served
     * @param counters what was counted, drops among it
     * @param waiting how much work waits for a thread
     */
    Metrics(
            Collection<String> games,
            ServerMetrics metrics,
            Counters counters,
            IntSupplier waiting) {
        this.metrics = metrics;
        this.counters = counters;
        // Micrometer's names for these are not as Prometheus has them.
        registry.config()
                .meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"))
                .meterFilter(MeterFilter.denyNameStartsWith("system.cpu.count"));
        games.forEach(this::bind);
        Gauge.builder("wishdir.executor.queued.tasks", waiting::getAsInt)
                .description("Work that waits for a thread, as checking signatures, making maps")
                .register(registry);
        histogram(
                "wishdir_duty_cycle_seconds",
                "What one turn of the server took, from the first datagram to the sending",
                metrics.turns());
        histogram(
                "wishdir_relay_delay_seconds",
                "What a movement waited in the server until it was shown to another player",
                metrics.relays());
        lines("log", LogAppender::lost);
        new JvmMemoryMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    /** Counts the lines that were lost on the way to a file or a reader. */
    void lines(String sink, LongSupplier lost) {
        FunctionCounter.builder("wishdir.lines.dropped", lost, LongSupplier::getAsLong)
                .description("Lines that were lost, as their reader was slow or their disk full")
                .tag("sink", sink)
                .register(registry);
    }

    private void bind(String game) {
        Gauge.builder("wishdir.players", metrics, from -> pings(from, game, _ -> 1).count())
                .description("Players who are here")
                .tag(GAME, game)
                .register(registry);
        Gauge.builder(
                        "wishdir.round.trip.seconds",
                        metrics,
                        from -> known(from, game).average().orElse(Double.NaN))
                .description("The round trip to the players in the mean")
                .tag(GAME, game)
                .register(registry);
        Gauge.builder(
                        "wishdir.round.trip.max.seconds",
                        metrics,
                        from -> known(from, game).max().orElse(Double.NaN))
                .description("The round trip to the player who has the longest")
                .tag(GAME, game)
                .register(registry);
        counter("wishdir.joins", "Players who came in", from -> from.joins(game), GAME, game);
        for (LeaveReason.Code why : EnumSet.complementOf(EnumSet.of(LeaveReason.Code.LEFT))) {
            counter(
                    "wishdir.refusals",
                    "Players who were not let in",
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
                "Datagrams that came and went",
                _ -> count.datagrams(),
                GAME,
                game,
                "direction",
                direction);
        counter(
                "wishdir.datagram.bytes",
                "Bytes in the datagrams that came and went, without the headers of UDP and IP",
                _ -> count.bytes(),
                GAME,
                game,
                "direction",
                direction);
        counter(
                "wishdir.lost.packets",
                "Packets that were lost on the way, as far as the transport finds out",
                all -> all.lost(game, direction),
                GAME,
                game,
                "direction",
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
        double[] bounds =
                Arrays.copyOf(DurationHistogram.BOUNDS, DurationHistogram.BOUNDS.length + 1);
        bounds[DurationHistogram.BOUNDS.length] = Double.POSITIVE_INFINITY;
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

    /** Binds what has been counted for the first time; a name is a constant of the code's. */
    private void bindCounted() {
        for (String name : counters.snapshot().keySet()) {
            if (!bound.add(name)) {
                continue;
            }
            int dot = Math.max(0, name.indexOf('.'));
            String rest = name.substring(Math.min(name.length(), dot + 1));
            if (rest.contains(DROP)) {
                counted(
                        "wishdir.dropped.datagrams",
                        "Datagrams, or parts of them, that were dropped",
                        name,
                        GAME,
                        name.substring(0, dot),
                        REASON,
                        rest.replace(DROP, ""));
            } else {
                counted("wishdir.counts", "What else was counted, by name", name, "name", name);
            }
        }
    }

    private void counted(String metric, String help, String name, String... tags) {
        counter(metric, help, _ -> counters.get(name), tags);
    }

    /** All that is known, in the format of Prometheus. */
    synchronized String scrape() {
        bindCounted();
        return registry.scrape();
    }

    boolean isHealthy() {
        return metrics.isTurning();
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
                .result(healthy ? "ok\n" : "the server's loop does not turn\n");
    }

    @Override
    public void close() {
        registry.close();
    }
}
