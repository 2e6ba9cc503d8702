package dev.wishdir.app.load;

import dev.wishdir.app.terminal.Columns;
import dev.wishdir.net.simulation.LinkCounters;

import org.HdrHistogram.Histogram;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Formats the result of {@code load} as lines that fit a terminal. */
final class LoadText {
    private static final int BUCKETS = 12;

    /** Width of a column of values in a comparison. */
    private static final int VALUE_COLUMN_CHARS = 12;

    private static final int TITLE_COLUMN_CHARS = 27;

    private static final String COMPARED_ROW =
            "%-"
                    + TITLE_COLUMN_CHARS
                    + "s%"
                    + VALUE_COLUMN_CHARS
                    + "s%"
                    + VALUE_COLUMN_CHARS
                    + "s%8s   %s";

    private LoadText() {}

    private static String text(LinkCounters counters) {
        long lost = counters.lost() + counters.overflowed();
        return String.format(
                Locale.ROOT,
                "%d of %d datagrams lost (%.2f %%)",
                lost,
                counters.sent(),
                counters.sent() == 0 ? 0.0 : 100.0 * lost / counters.sent());
    }

    /** The text about one server. */
    static List<String> of(LoadRound.Measured measured, int columns) {
        LoadResult result = measured.result();
        LoadResult.Latency latency = result.latency();
        List<String> lines = new ArrayList<>();
        lines.add(
                String.format(
                        Locale.ROOT,
                        "%s %s: %d clients for %.1f s",
                        result.game(),
                        result.server(),
                        result.joined(),
                        result.seconds()));
        if (result.relayed() == 0) {
            lines.add("relay latency  unknown: nothing was relayed");
        } else {
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "relay latency  mean %.2f ms  p50 %.2f ms  p95 %.2f ms  p99 %.2f ms",
                            latency.mean(),
                            latency.p50(),
                            latency.p95(),
                            latency.p99()));
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "               max %.2f ms; %.0f %% of the mean is the wait for the"
                                    + " next relay",
                            latency.max(),
                            100 * latency.waiting()));
        }
        lines.add(
                String.format(
                        Locale.ROOT,
                        "relayed        %d movements, %.1f/s of each visible player;",
                        result.relayed(),
                        result.updates()));
        lines.add(
                String.format(
                        Locale.ROOT,
                        "               %d superseded by newer ones, %.2f %% lost",
                        result.superseded(),
                        100 * result.loss()));
        lines.add(
                String.format(
                        Locale.ROOT,
                        "traffic        in %.0f packets/s %.0f KiB/s, out %.0f packets/s %.0f"
                                + " KiB/s",
                        result.packetsIn(),
                        result.bytesIn() / 1024,
                        result.packetsOut(),
                        result.bytesOut() / 1024));
        LoadResult.Faults faults = result.faults();
        if (faults != null) {
            lines.add("faults         to the server: " + text(faults.up()));
            lines.add("               to the clients: " + text(faults.down()));
        }
        lines.add(
                String.format(
                        Locale.ROOT,
                        "per client     %.1f visible players, %.1f packets/s, %.1f KiB/s,",
                        result.visibleClients(),
                        result.viewerPackets(),
                        result.viewerBytes() / 1024));
        lines.add(
                String.format(
                        Locale.ROOT, "               %d flickers in total", result.flickers()));
        lines.add(
                String.format(
                        Locale.ROOT,
                        "generator      %.1f movements/s per client, p99 delay %.1f ms",
                        result.rate(),
                        result.p99Delay()));
        lines.add("CPU            " + cpu(new LoadSide(List.of(measured))));
        lines.addAll(histogram(measured.latency(), columns));
        lines.addAll(warnings(new LoadSide(List.of(measured))));
        return List.copyOf(lines);
    }

    private static String cpu(LoadSide side) {
        return "server "
                + percent(LoadFigure.SERVER_CPU.of(side))
                + ", this generator "
                + percent(LoadFigure.OWN_CPU.of(side))
                + " of a core";
    }

    private static String percent(OptionalDouble value) {
        return value.isPresent()
                ? String.format(Locale.ROOT, "%.1f %%", value.getAsDouble())
                : "unknown";
    }

    /** The text that compares two servers. */
    static List<String> of(LoadComparison comparison, int columns) {
        LoadSide first = comparison.first();
        LoadSide second = comparison.second();
        LoadResult any = first.turns().getFirst().result();
        List<String> lines = new ArrayList<>();
        lines.add(
                String.format(
                        Locale.ROOT,
                        "%s, %d clients, in turns of %.0f s: A %d times, B %d times",
                        any.game(),
                        any.clients(),
                        any.seconds(),
                        first.turns().size(),
                        second.turns().size()));
        lines.add("A  " + first.server());
        lines.add("B  " + second.server());
        lines.add(String.format(Locale.ROOT, COMPARED_ROW, "", "A", "B", "A / B", "turn by turn"));
        for (LoadComparison.Row row : comparison.rows()) {
            lines.add(
                    String.format(
                            Locale.ROOT,
                            COMPARED_ROW,
                            row.figure().title() + " " + row.figure().unit(),
                            number(row.first()),
                            number(row.second()),
                            number(row.ratio()),
                            row.min().isPresent()
                                    ? number(row.min()) + " to " + number(row.max())
                                    : ""));
        }
        for (LoadSide side : List.of(first, second)) {
            String name = side.equals(first) ? "A" : "B";
            lines.add("");
            lines.add(name + ", all turns:");
            lines.addAll(histogram(side.latency(), columns));
            warnings(side).forEach(warning -> lines.add(name + ": " + warning));
        }
        return List.copyOf(lines);
    }

    private static String number(OptionalDouble value) {
        return value.isPresent() ? String.format(Locale.ROOT, "%.2f", value.getAsDouble()) : "-";
    }

    /** A histogram of latencies; the longest bar fills the width of the terminal. */
    static List<String> histogram(Histogram nanos, int columns) {
        if (nanos.getTotalCount() == 0) {
            return List.of();
        }
        double range = LatencyHistogram.range(nanos);
        double step = LatencyHistogram.step(range, BUCKETS);
        int buckets = (int) (range / step) + 1;
        LatencyHistogram spread = LatencyHistogram.of(nanos, step, buckets);
        String format = "%." + (step < 0.1 ? 2 : step < 1 ? 1 : 0) + "f";
        String last = format(format, buckets * step);
        int number = last.length();
        int barColumns = Math.max(1, columns - 1 - 2 * number - " to  ms 100.0 % ".length());
        double longest =
                Math.max(
                        spread.beyond(),
                        spread.shares().stream().mapToDouble(it -> it).max().orElse(0));
        int first = 0;
        while (spread.shares().get(first) == 0) {
            first++;
        }
        List<String> lines = new ArrayList<>();
        for (int i = first; i < buckets; i++) {
            String from = format(format, i * step);
            String to = format(format, (i + 1) * step);
            lines.add(
                    bar(
                            " ".repeat(number - from.length())
                                    + from
                                    + " to "
                                    + " ".repeat(number - to.length())
                                    + to,
                            spread.shares().get(i),
                            longest,
                            barColumns));
        }
        String beyond = "over " + last;
        if (spread.beyond() > 0) {
            lines.add(
                    bar(
                            " ".repeat(Math.max(0, 2 * number + 4 - beyond.length())) + beyond,
                            spread.beyond(),
                            longest,
                            barColumns));
        }
        return lines;
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    private static String bar(String title, double share, double longest, int barColumns) {
        return (title
                        + " ms "
                        + String.format(Locale.ROOT, "%5.1f %% ", 100 * share)
                        + Columns.bar(share / longest, barColumns))
                .stripTrailing();
    }

    private static List<String> warnings(LoadSide side) {
        List<String> lines = new ArrayList<>();
        if (!side.isRateKept()) {
            lines.add("THE GENERATOR COULD NOT HOLD ITS RATE: the figures are not the server's");
        }
        if (!side.problems().isEmpty()) {
            lines.add("clients that could not join or were disconnected:");
            side.problems().forEach(problem -> lines.add("    " + problem));
        }
        return lines;
    }
}
