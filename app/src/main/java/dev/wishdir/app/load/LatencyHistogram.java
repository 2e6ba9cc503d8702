package dev.wishdir.app.load;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A histogram of latencies in buckets of equal width.
 *
 * @param step the width of a bucket, in milliseconds
 * @param shares the share of each bucket, the first from 0 ms
 * @param beyond the share of latencies beyond the last bucket
 */
record LatencyHistogram(double step, List<Double> shares, double beyond) {
    private static final double MIN_MILLIS = 0.01;
    private static final double[] ROUND_STEPS = {1, 2, 5, 10};

    /** The useful range of buckets, in milliseconds: all latencies except a few far longer ones. */
    static double range(Histogram nanos) {
        double range = Math.min(nanos.getValueAtPercentile(99), 3 * nanos.getValueAtPercentile(90));
        return Math.max(range / 1e6, MIN_MILLIS);
    }

    /**
     * A round bucket width that divides a range into about the given number of buckets.
     *
     * @param millis the range, positive
     */
    static double step(double millis, int buckets) {
        double exact = millis / buckets;
        double power = Math.pow(10, Math.floor(Math.log10(exact)));
        for (double round : ROUND_STEPS) {
            if (round * power >= exact * (1 - 1e-9)) {
                return round * power;
            }
        }
        return 10 * power;
    }

    /**
     * Sorts latencies into buckets.
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
