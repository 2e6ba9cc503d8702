package dev.wishdir.app.load;

import dev.wishdir.app.command.CountedReason;
import dev.wishdir.app.machine.Machine;

import org.HdrHistogram.Histogram;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The turns of one server under load.
 *
 * @param turns at least one
 */
record LoadSide(List<LoadRound.Measured> turns) {
    String server() {
        return turns.getFirst().result().server();
    }

    /** The latencies of all turns, in nanoseconds. */
    Histogram latency() {
        Histogram all = turns.getFirst().latency().copy();
        turns.stream().skip(1).forEach(turn -> all.add(turn.latency()));
        return all;
    }

    boolean isRateKept() {
        return turns.stream().allMatch(turn -> turn.result().rateKept());
    }

    /** Reasons why clients could not join or were disconnected, in all turns. */
    List<CountedReason> problems() {
        return CountedReason.group(
                turns.stream()
                        .flatMap(turn -> turn.result().problems().stream())
                        .flatMap(each -> Stream.generate(each::reason).limit(each.count()))
                        .toList());
    }

    /** The server's process; empty if it is not visible. */
    Optional<Machine.Owner> process() {
        return turns.getFirst().process();
    }

    LoadSide turn(int index) {
        return new LoadSide(List.of(turns.get(index)));
    }

    /** The mean of a figure over the turns that have it; empty if none has. */
    OptionalDouble mean(Function<LoadRound.Measured, OptionalDouble> value) {
        return turns.stream().flatMapToDouble(turn -> value.apply(turn).stream()).average();
    }
}
