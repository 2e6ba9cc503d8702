package dev.wishdir.app;

import org.HdrHistogram.Histogram;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One server and all its turns under load.
 *
 * @param turns at least one
 */
record LoadSide(List<LoadRound.Measured> turns) {
    String server() {
        return turns.getFirst().result().server();
    }

    /** How long the movements of all turns were on their way, nanoseconds. */
    Histogram latency() {
        Histogram all = turns.getFirst().latency().copy();
        turns.stream().skip(1).forEach(turn -> all.add(turn.latency()));
        return all;
    }

    boolean held() {
        return turns.stream().allMatch(turn -> turn.result().held());
    }

    /** Why clients did not get in, or are gone, in all turns. */
    List<LoadResult.Reason> problems() {
        return LoadResult.Reason.group(
                turns.stream()
                        .flatMap(turn -> turn.result().problems().stream())
                        .flatMap(each -> Stream.generate(each::reason).limit(each.count()))
                        .toList());
    }

    /** The server's process; empty where it was not seen. */
    Optional<Machine.Owner> process() {
        return turns.getFirst().process();
    }

    LoadSide turn(int index) {
        return new LoadSide(List.of(turns.get(index)));
    }

    /** The mean over the turns of what they have; empty where none has it. */
    OptionalDouble mean(Function<LoadRound.Measured, OptionalDouble> value) {
        return turns.stream().flatMapToDouble(turn -> value.apply(turn).stream()).average();
    }
}
