package dev.wishdir.app.inspect;

import dev.wishdir.inspect.FlowSummary;
import dev.wishdir.inspect.output.TextListing;
import dev.wishdir.wire.Quantity;

import java.io.PrintWriter;
import java.util.Locale;

/** Prints the totals of a connection as text. */
final class SummaryText {
    private SummaryText() {}

    static void print(FlowSummary flow, PrintWriter out) {
        out.printf(
                Locale.ROOT,
                "%s  %s  %s to %s  %.3f to %.3f s%n",
                flow.game(),
                flow.name().isEmpty() ? "(no name)" : TextListing.quoted(flow.name()),
                flow.client(),
                flow.server(),
                flow.from(),
                flow.to());
        print("to the server", flow.c2s(), flow, out);
        print("to the client", flow.s2c(), flow, out);
        if (flow.roundTrips() > 0) {
            out.printf(
                    Locale.ROOT,
                    "    round trip     min %.1f ms, mean %.1f, max %.1f, of %d%n",
                    flow.leastMillis(),
                    flow.meanMillis(),
                    flow.mostMillis(),
                    flow.roundTrips());
        }
    }

    private static void print(
            String label, FlowSummary.Way direction, FlowSummary flow, PrintWriter out) {
        out.printf(
                Locale.ROOT,
                "    %s  %s%s, %s%s, %d retransmitted%s%n",
                label,
                Quantity.of(direction.packets(), "packet"),
                rate(direction.packets(), flow),
                Quantity.of(direction.bytes(), "byte"),
                rate(direction.bytes(), flow),
                direction.resent(),
                missing(direction));
    }

    private static String rate(long count, FlowSummary flow) {
        return flow.hasRates()
                ? String.format(Locale.ROOT, " (%.1f/s)", count / flow.seconds())
                : "";
    }

    /** The number of lost datagrams, which is unknown if they are not numbered. */
    private static String missing(FlowSummary.Way direction) {
        long all = direction.packets() + direction.lost();
        return direction.isNumbered() && all > 0
                ? String.format(
                        Locale.ROOT,
                        ", %d missing (%.2f %%)",
                        direction.lost(),
                        direction.lost() * 100.0 / all)
                : "";
    }
}
