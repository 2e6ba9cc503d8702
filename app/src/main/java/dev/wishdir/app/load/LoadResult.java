package dev.wishdir.app.load;

import com.google.gson.annotations.SerializedName;

import dev.wishdir.app.command.CountedReason;
import dev.wishdir.net.simulation.LinkCounters;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * The result of a load on one server, printed as JSON. Times are in milliseconds, rates per second.
 *
 * @param joined number of joined clients at the end
 * @param sent movements that all clients sent
 * @param relayed movements of visible clients that other clients received
 * @param superseded movements that were not received because a newer one of the same client was: a
 *     server that sends positions at its own rate skips those between
 * @param loss share of the movements of visible clients that were neither received nor superseded
 *     within two seconds
 * @param updates movements of each visible client that a client received
 * @param visibleClients average number of clients that were visible to a client
 * @param flickers number of times that a client vanished and appeared again within five seconds
 * @param rate movements that a client sent
 * @param p99Delay delay of the generator, the 99th percentile
 * @param rateKept whether the generator kept its rate; if not, the figures are not the server's
 * @param viewerPackets datagrams to one client
 * @param viewerBytes bytes to one client
 * @param faults datagrams that the faults of the links concerned; null, and not printed, if none
 * @param problems reasons why clients could not join or were disconnected, the most frequent first
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
        @SerializedName("shown") double visibleClients,
        long flickers,
        Latency latency,
        double rate,
        @SerializedName("slip") double p99Delay,
        @SerializedName("held") boolean rateKept,
        double packetsIn,
        double packetsOut,
        double bytesIn,
        double bytesOut,
        double viewerPackets,
        double viewerBytes,
        @Nullable Faults faults,
        List<CountedReason> problems) {

    /**
     * Datagrams that the clients sent to the server and that were sent to them, and what the faults
     * of the links did to them.
     */
    record Faults(LinkCounters up, LinkCounters down) {
        /** The faults of both directions; null if there were none. */
        static @Nullable Faults of(LinkCounters up, LinkCounters down) {
            return isAny(up) || isAny(down) ? new Faults(up, down) : null;
        }

        private static boolean isAny(LinkCounters counters) {
            return counters.lost()
                            + counters.overflowed()
                            + counters.duplicated()
                            + counters.reordered()
                    > 0;
        }
    }

    /**
     * Latencies from one client to another, in milliseconds; all 0 without movements.
     *
     * @param waiting share of the mean that is above the first percentile: the wait for the
     *     server's next relay
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

    /**
     * One interval of the measurement, about a second.
     *
     * @param at its end, in nanoseconds on the clients' clock
     * @param seconds its duration
     * @param joined number of joined clients
     * @param relayed movements that another client received
     * @param datagrams datagrams from the server
     */
    record Interval(
            long at, double seconds, int joined, long relayed, long datagrams, Latency latency) {}

    /**
     * The figures of one client.
     *
     * @param relayed movements of others that it received, per second
     * @param p50 median of their latencies, in milliseconds; 0 without movements
     * @param joined whether the client was joined at the end
     */
    record Share(String name, double relayed, double p50, double p99, boolean joined) {}
}
