package dev.wishdir.app;

import com.google.gson.Gson;

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
 * What a load measured, as a page with plots. All of it is one file: the script that draws, uPlot,
 * and the figures as JSON in which nothing can be taken for markup.
 */
final class LoadPage {
    private static final int BUCKETS = 50;

    /** Of Gson's own setting, by which no {@code <} is left in a string. */
    private static final Gson GSON = new Gson();

    private final Map<String, Object> told = new LinkedHashMap<>();

    private LoadPage(List<LoadSide> sides) {
        LoadSide first = sides.getFirst();
        LoadResult result = first.turns().getFirst().result();
        told.put("game", result.game());
        told.put("clients", result.clients());
        told.put("seconds", Math.round(result.seconds()));
        told.put("turns", first.turns().size());
        told.put("when", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        told.put("wishdir", Main.Version.text());
        told.put("java", Runtime.version().toString());
        told.put(
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
        double most =
                sides.stream()
                        .mapToDouble(side -> LatencyHistogram.most(side.latency()))
                        .max()
                        .orElseThrow();
        told.put("sides", sides.stream().map(side -> side(side, begin, most)).toList());
    }

    /** One server. */
    static LoadPage of(LoadSide side) {
        LoadPage page = new LoadPage(List.of(side));
        page.told.put(
                "figures",
                Arrays.stream(LoadFigure.values())
                        .map(figure -> figure(figure, number(figure.of(side))))
                        .toList());
        return page;
    }

    /** Two servers beside each other. */
    static LoadPage of(LoadComparison comparison) {
        LoadPage page = new LoadPage(List.of(comparison.first(), comparison.second()));
        page.told.put(
                "figures",
                comparison.rows().stream()
                        .map(row ->
                                figure(
                                        row.figure(),
                                        number(row.first()),
                                        number(row.second()),
                                        number(row.ratio()),
                                        number(row.least()),
                                        number(row.most())))
                        .toList());
        return page;
    }

    private static Map<String, Object> figure(LoadFigure figure, Object... values) {
        return Map.of("title", figure.title(), "unit", figure.unit(), "values", values);
    }

    /** When its measuring began, on the clients' clock. */
    private static long begin(LoadRound.Measured turn) {
        LoadResult.Interval first = turn.samples().getFirst().interval();
        return first.at() - (long) (first.seconds() * 1e9);
    }

    private static Map<String, Object> side(LoadSide side, long begin, double most) {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("server", side.server());
        told.put("process", side.process().map(Machine.Owner::toString).orElse(""));
        told.put("held", side.held());
        told.put("problems", side.problems());
        told.put(
                "complaints",
                side.turns().stream().flatMap(it -> it.complaints().stream()).toList());
        told.put("samples", samples(side, begin));
        Histogram latency = side.latency();
        double step = LatencyHistogram.step(most, BUCKETS);
        told.put("spread", LatencyHistogram.of(latency, step, (int) (most / step) + 1));
        told.put("shares", side.turns().stream().map(LoadRound.Measured::shares).toList());
        return told;
    }

    /** Columns over time; between two turns a gap. */
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

    /** A number to three places; empty text where there is none. */
    private static Object number(OptionalDouble value) {
        return value.isPresent() ? round(value.getAsDouble()) : "";
    }

    private static Object round(double value) {
        return Math.round(value * 1000) / 1000.0;
    }

    /** The file. */
    String html() {
        return resource("load.html")
                .replace("/*uplot.css*/", resource("uplot/uPlot.min.css"))
                .replace("/*uplot.js*/", resource("uplot/uPlot.iife.min.js"))
                .replace("/*load.js*/", resource("load.js"))
                .replace("uplot.license", resource("uplot/LICENSE"))
                .replace("{\"data\":0}", GSON.toJson(told));
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
