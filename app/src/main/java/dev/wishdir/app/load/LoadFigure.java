package dev.wishdir.app.load;

import org.HdrHistogram.Histogram;

import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The figures by which two servers are compared. */
enum LoadFigure {
    MEAN("latency mean", "ms", latency(LoadResult.Latency::mean)),
    P50("latency p50", "ms", latency(LoadResult.Latency::p50)),
    P95("latency p95", "ms", latency(LoadResult.Latency::p95)),
    P99("latency p99", "ms", latency(LoadResult.Latency::p99)),
    MAX("latency max", "ms", latency(LoadResult.Latency::max)),
    LOSS("lost", "%", mean(turn -> 100 * turn.result().loss())),
    UPDATES("updates of each player", "/s", mean(turn -> turn.result().updates())),
    SHOWN("visible players", "", mean(turn -> turn.result().shown())),
    PACKETS("datagrams to a client", "/s", mean(turn -> turn.result().viewerPackets())),
    BYTES("bytes to a client", "KiB/s", mean(turn -> turn.result().viewerBytes() / 1024)),
    SERVER_CPU("server's CPU", "%", side -> side.mean(LoadRound.Measured::serverCpu)),
    OWN_CPU("this generator's CPU", "%", side -> side.mean(LoadRound.Measured::ownCpu));

    private final String title;
    private final String unit;
    private final Function<LoadSide, OptionalDouble> value;

    LoadFigure(String title, String unit, Function<LoadSide, OptionalDouble> value) {
        this.title = title;
        this.unit = unit;
        this.value = value;
    }

    /** A percentile of the latencies of all turns together. */
    private static Function<LoadSide, OptionalDouble> latency(
            ToDoubleFunction<LoadResult.Latency> value) {
        return side -> {
            Histogram all = side.latency();
            return all.getTotalCount() == 0
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(value.applyAsDouble(LoadResult.Latency.of(all)));
        };
    }

    private static Function<LoadSide, OptionalDouble> mean(
            ToDoubleFunction<LoadRound.Measured> value) {
        return side -> side.mean(turn -> OptionalDouble.of(value.applyAsDouble(turn)));
    }

    String title() {
        return title;
    }

    String unit() {
        return unit;
    }

    /** The value for a server; empty if unknown. */
    OptionalDouble of(LoadSide side) {
        return value.apply(side);
    }
}
