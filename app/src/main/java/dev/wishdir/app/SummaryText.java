package dev.wishdir.app;

import dev.wishdir.inspect.FlowSummary;
import dev.wishdir.inspect.TextListing;

import java.io.PrintWriter;
import java.util.Locale;

/** What went between a client and its server, for people. */
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
                    "    round trip     %.1f ms at least, %.1f mean, %.1f at most, of %d%n",
                    flow.leastMillis(),
                    flow.meanMillis(),
                    flow.mostMillis(),
                    flow.roundTrips());
        }
    }

    private static void print(String way, FlowSummary.Way told, FlowSummary flow, PrintWriter out) {
        out.printf(
                Locale.ROOT,
                "    %s  %d packets%s, %d bytes%s, %d sent again%s%n",
                way,
                told.packets(),
                rate(told.packets(), flow),
                told.bytes(),
                rate(told.bytes(), flow),
                told.resent(),
                missing(told));
    }

    private static String rate(long count, FlowSummary flow) {
        return flow.hasRates()
                ? String.format(Locale.ROOT, " (%.1f/s)", count / flow.seconds())
                : "";
    }

    /** Where datagrams have no numbers nobody can say. */
    private static String missing(FlowSummary.Way told) {
        long all = told.packets() + told.lost();
        return told.isNumbered() && all > 0
                ? String.format(
                        Locale.ROOT,
                        ", %d missing (%.2f %%)",
                        told.lost(),
                        told.lost() * 100.0 / all)
                : "";
    }
}
