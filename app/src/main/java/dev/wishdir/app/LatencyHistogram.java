package dev.wishdir.app;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How latencies are spread over buckets of one width.
 *
 * @param step the width of a bucket, milliseconds
 * @param shares of each bucket from 0 ms on
 * @param beyond the share of what is longer than the last of them
 */
record LatencyHistogram(double step, List<Double> shares, double beyond) {
    private static final double MIN_MILLIS = 0.01;
    private static final double[] NICE = {1, 2, 5, 10};

    /** Up to where buckets are of use, milliseconds: all but the few that took far longer. */
    static double most(Histogram nanos) {
        double most = Math.min(nanos.getValueAtPercentile(99), 3 * nanos.getValueAtPercentile(90));
        return Math.max(most / 1e6, MIN_MILLIS);
    }

    /**
     * The width of about so many buckets up to a time.
     *
     * @param millis positive
     */
    static double step(double millis, int buckets) {
        double least = millis / buckets;
        double power = Math.pow(10, Math.floor(Math.log10(least)));
        for (double nice : NICE) {
            if (nice * power >= least * (1 - 1e-9)) {
                return nice * power;
            }
        }
        return 10 * power;
    }

    /**
     * Puts what was measured into buckets.
     *
     * @param nanos latencies in nanoseconds
     */
    static LatencyHistogram of(Histogram nanos, double step, int buckets) {
        List<Double> shares = new ArrayList<>(Collections.nCopies(buckets, 0.0));
        double all = Math.max(1, nanos.getTotalCount());
        double beyond = 0;
        for (HistogramIterationValue each : nanos.recordedValues()) {
            double millis = nanos.medianEquivalentValue(each.getValueIteratedTo()) / 1e6;
            double share = each.getCountAtValueIteratedTo() / all;
            int bucket = (int) (millis / step);
            if (bucket < buckets) {
                shares.set(bucket, shares.get(bucket) + share);
            } else {
                beyond += share;
            }
        }
        return new LatencyHistogram(step, List.copyOf(shares), beyond);
    }
}
