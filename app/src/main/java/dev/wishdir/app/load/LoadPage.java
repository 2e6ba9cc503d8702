package dev.wishdir.app.load;

import com.google.gson.Gson;

import dev.wishdir.app.command.Version;
import dev.wishdir.app.machine.Machine;

import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * The result of a load as one HTML file with plots. It contains the script, uPlot, and the figures
 * as JSON that cannot be taken for markup.
 */
final class LoadPage {
    private static final int BUCKETS = 50;

    /** With Gson's default HTML escaping, so that strings contain no {@code <}. */
    private static final Gson GSON = new Gson();

    private final Map<String, Object> data = new LinkedHashMap<>();

    private LoadPage(List<LoadSide> sides) {
        LoadSide first = sides.getFirst();
        LoadResult result = first.turns().getFirst().result();
        data.put("game", result.game());
        data.put("clients", result.clients());
        data.put("seconds", Math.round(result.seconds()));
        data.put("turns", first.turns().size());
        data.put("when", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        data.put("wishdir", Version.text());
        data.put("java", Runtime.version().toString());
        data.put(
                "machine",
                System.getProperty("os.name")
                        + " "
                        + System.getProperty("os.version")
                        + ", "
                        + Runtime.getRuntime().availableProcessors()
                        + " cores");
        long begin =
                sides.stream()
                        .mapToLong(side -> begin(side.turns().getFirst()))
                        .min()
                        .orElseThrow();
        double range =
                sides.stream()
                        .mapToDouble(side -> LatencyHistogram.range(side.latency()))
                        .max()
                        .orElseThrow();
        data.put("sides", sides.stream().map(side -> side(side, begin, range)).toList());
    }

    /** A page about one server. */
    static LoadPage of(LoadSide side) {
        LoadPage page = new LoadPage(List.of(side));
        page.data.put(
                "figures",
                Arrays.stream(LoadFigure.values())
                        .map(figure -> figure(figure, number(figure.of(side))))
                        .toList());
        return page;
    }

    /** A page that compares two servers. */
    static LoadPage of(LoadComparison comparison) {
        LoadPage page = new LoadPage(List.of(comparison.first(), comparison.second()));
        page.data.put(
                "figures",
                comparison.rows().stream()
                        .map(row ->
                                figure(
                                        row.figure(),
                                        number(row.first()),
                                        number(row.second()),
                                        number(row.ratio()),
                                        number(row.min()),
                                        number(row.max())))
                        .toList());
        return page;
    }

    private static Map<String, Object> figure(LoadFigure figure, Object... values) {
        return Map.of("title", figure.title(), "unit", figure.unit(), "values", values);
    }

    /** The start of a turn's measurement, on the clients' clock. */
    private static long begin(LoadRound.Measured turn) {
        LoadResult.Interval first = turn.samples().getFirst().interval();
        return first.at() - (long) (first.seconds() * 1e9);
    }

    private static Map<String, Object> side(LoadSide side, long begin, double range) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("server", side.server());
        data.put("process", side.process().map(Machine.Owner::toString).orElse(""));
        data.put("held", side.rateHeld());
        data.put("problems", side.problems());
        data.put(
                "complaints", side.turns().stream().flatMap(it -> it.failures().stream()).toList());
        data.put("samples", samples(side, begin));
        Histogram latency = side.latency();
        double step = LatencyHistogram.step(range, BUCKETS);
        data.put("spread", LatencyHistogram.of(latency, step, (int) (range / step) + 1));
        data.put("shares", side.turns().stream().map(LoadRound.Measured::shares).toList());
        return data;
    }

    /** Columns of figures over time. */
    private static Map<String, List<Object>> samples(LoadSide side, long begin) {
        Map<String, List<Object>> columns = new LinkedHashMap<>();
        for (LoadRound.Measured turn : side.turns()) {
            for (LoadRound.Sample sample : turn.samples()) {
                LoadResult.Interval interval = sample.interval();
                LoadResult.Latency latency = interval.latency();
                boolean any = interval.relayed() > 0;
                add(columns, "time", (interval.at() - begin) / 1e9);
                add(columns, "p50", any ? round(latency.p50()) : "");
                add(columns, "p95", any ? round(latency.p95()) : "");
                add(columns, "p99", any ? round(latency.p99()) : "");
                add(columns, "max", any ? round(latency.max()) : "");
                add(columns, "relayed", round(interval.relayed() / interval.seconds()));
                add(columns, "joined", interval.joined());
                add(columns, "serverCpu", number(sample.serverCpu()));
                add(columns, "ownCpu", number(sample.ownCpu()));
            }
        }
        return columns;
    }

    private static void add(Map<String, List<Object>> columns, String name, Object value) {
        columns.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
    }

    /** A number with three decimals, or an empty text. */
    private static Object number(OptionalDouble value) {
        return value.isPresent() ? round(value.getAsDouble()) : "";
    }

    private static Object round(double value) {
        return Math.round(value * 1000) / 1000.0;
    }

    /** The content of the HTML file. */
    String html() {
        return resource("load.html")
                .replace("/*uplot.css*/", resource("uplot/uPlot.min.css"))
                .replace("/*uplot.js*/", resource("uplot/uPlot.iife.min.js"))
                .replace("/*load.js*/", resource("load.js"))
                .replace("uplot.license", resource("uplot/LICENSE"))
                .replace("{\"data\":0}", GSON.toJson(data));
    }

    private static String resource(String name) {
        try (InputStream in =
                Objects.requireNonNull(LoadPage.class.getResourceAsStream("/load/" + name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
