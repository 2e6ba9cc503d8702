package dev.wishdir.app;

import org.HdrHistogram.Histogram;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a load measured on one server. Times in milliseconds, rates a second.
 *
 * @param joined how many were in at the end
 * @param relayed movements that another client saw
 * @param superseded movements that a newer one of the same client replaced before they were seen: a
 *     server that tells positions by its own clock passes over those between
 * @param loss share of the movements of others whom the client was shown after which nothing was
 *     seen for two seconds, neither they nor a newer one
 * @param updates movements of one other client that a client saw a second, of those it was shown
 * @param shown how many others a client was shown, on the average
 * @param flickers how often somebody vanished and was back within five seconds
 * @param rate movements that a client sent a second
 * @param slip by how much they were late, of the latest hundredth
 * @param held whether the load was what it should be: else the figures are not the server's
 * @param viewerPackets datagrams a second to one client
 * @param viewerBytes bytes a second to one client
 * @param problems why clients did not get in, or are gone, the most frequent first
 */
record LoadResult(
        String game,
        String server,
        int clients,
        int joined,
        double seconds,
        long sent,
        long relayed,
        long superseded,
        double loss,
        double updates,
        double shown,
        long flickers,
        Latency latency,
        double rate,
        double slip,
        boolean held,
        double packetsIn,
        double packetsOut,
        double bytesIn,
        double bytesOut,
        double viewerPackets,
        double viewerBytes,
        List<Reason> problems) {

    /**
     * How long a movement was on its way from one client to another, milliseconds; all 0 where none
     * was seen.
     *
     * @param waiting share of the mean that is waiting for the server's turn: what the mean is
     *     above the time of the fastest hundredth
     */
    record Latency(double mean, double p50, double p95, double p99, double max, double waiting) {
        static Latency of(Histogram nanos) {
            double fastest = nanos.getValueAtPercentile(1);
            double mean = nanos.getMean();
            return new Latency(
                    mean / 1e6,
                    nanos.getValueAtPercentile(50) / 1e6,
                    nanos.getValueAtPercentile(95) / 1e6,
                    nanos.getValueAtPercentile(99) / 1e6,
                    nanos.getMaxValue() / 1e6,
                    mean > 0 ? Math.max(0, 1 - fastest / mean) : 0);
        }
    }

    /** Why something happened, and to how many. */
    record Reason(long count, String reason) {
        /** Each reason once, the most frequent first. */
        static List<Reason> group(List<String> reasons) {
            Map<String, Long> counts =
                    reasons.stream()
                            .collect(
                                    Collectors.groupingBy(
                                            Columns::plain,
                                            LinkedHashMap::new,
                                            Collectors.counting()));
            return counts.entrySet().stream()
                    .map(entry -> new Reason(entry.getValue(), entry.getKey()))
                    .sorted(Comparator.comparingLong(Reason::count).reversed())
                    .toList();
        }

        @Override
        public String toString() {
            return count + " × " + reason;
        }
    }

    /**
     * One interval of the measuring, about a second.
     *
     * @param at its end, nanoseconds on the clients' clock
     * @param seconds how long it was
     * @param joined how many clients were in
     * @param relayed movements that another client saw
     * @param datagrams that came from the server
     */
    record Interval(
            long at, double seconds, int joined, long relayed, long datagrams, Latency latency) {}

    /**
     * What one client saw of the others.
     *
     * @param relayed their movements, a second
     * @param p50 how long these were on their way, milliseconds; 0 where there were none
     * @param joined whether it was in at the end
     */
    record Share(String name, double relayed, double p50, double p99, boolean joined) {}
}
