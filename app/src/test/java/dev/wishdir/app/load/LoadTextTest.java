package dev.wishdir.app.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.app.command.CountedReason;
import dev.wishdir.app.machine.Machine;
import dev.wishdir.net.simulation.LinkCounters;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The text that people read of a load. */
final class LoadTextTest {
    private static final long MILLI = 1_000_000;

    /** As many latencies of each number of milliseconds. */
    static Histogram latencies(int... millis) {
        Histogram nanos = new Histogram(60_000 * MILLI, 3);
        for (int each : millis) {
            nanos.recordValue(each * MILLI + MILLI / 2);
        }
        return nanos;
    }

    /** A turn on a server with the latencies and reasons that it says. */
    static LoadRound.Measured measured(String server, Histogram latency, String... problems) {
        LoadResult.Latency summary = LoadResult.Latency.of(latency);
        long count = latency.getTotalCount();
        return new LoadRound.Measured(
                new LoadResult(
                        "red",
                        server,
                        4,
                        4,
                        1,
                        count,
                        count,
                        0,
                        0,
                        10,
                        3,
                        0,
                        summary,
                        50,
                        0,
                        true,
                        100,
                        200,
                        1024,
                        2048,
                        25,
                        256,
                        LoadResult.Faults.of(new LinkCounters(200, 9, 1, 0, 0), LinkCounters.ZERO),
                        CountedReason.group(List.of(problems))),
                Optional.of(new Machine.Owner(7, "server")),
                latency,
                List.of(
                        new LoadRound.Sample(
                                new LoadResult.Interval(2_000_000_000L, 1, 4, count, 100, summary),
                                OptionalDouble.of(12.5),
                                OptionalDouble.empty())),
                List.of(new LoadResult.Share("loadx0", 30, 5, 9, true)),
                List.of());
    }

    @Test
    void drawsHistogramRowPerBucketAndFillsTerminal() {
        List<String> lines = LoadText.histogram(latencies(1, 1, 1, 1, 2, 2, 3, 11), 60);

        assertThat(lines.getFirst()).startsWith(" 1 to  2 ms  50.0 % ███").hasSize(59);
        assertThat(lines.get(1)).startsWith(" 2 to  3 ms  25.0 % ███");
        assertThat(lines.get(1).chars().filter(each -> each == '█').count())
                .isCloseTo(
                        lines.getFirst().chars().filter(each -> each == '█').count() / 2,
                        within(1L));
        assertThat(lines.getLast()).startsWith("11 to 12 ms  12.5 % ███");
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 60, 80, 110, 200})
    void fitsHistogramIntoTerminal(int columns) {
        for (Histogram each :
                List.of(
                        latencies(0),
                        latencies(1, 2, 3, 4),
                        latencies(5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 1900),
                        latencies(100, 5_000, 59_000))) {
            assertThat(LoadText.histogram(each, columns))
                    .isNotEmpty()
                    .hasSizeLessThanOrEqualTo(16)
                    .allMatch(line -> line.length() < columns);
        }
    }

    @Test
    void groupsOutliersIntoOneRow() {
        int[] millis = new int[100];
        Arrays.fill(millis, 5);
        millis[99] = 1900;

        List<String> lines = LoadText.histogram(latencies(millis), 80);

        assertThat(lines.getFirst()).startsWith("5.0 to 5.5 ms  99.0 % ███");
        assertThat(lines.getLast()).startsWith("  over 6.0 ms   1.0 % ");
    }

    @Test
    void reportsThatNothingWasRelayed() {
        assertThat(LoadText.of(measured("10.0.0.1:1", latencies()), 80))
                .contains("relay latency  unknown: nothing was relayed")
                .noneMatch(line -> line.contains(" 0.00 ms"));
    }

    @Test
    void fitsAllLinesIntoTerminal() {
        assertThat(LoadText.of(measured("10.0.0.1:1", latencies(1, 2, 900)), 80))
                .allMatch(line -> line.length() < 80)
                .contains("CPU            server 12.5 %, this generator unknown of a core");
    }

    @Test
    void groupsReasonsMostFrequentFirst() {
        assertThat(LoadText.of(measured("10.0.0.1:1", latencies(1), "full", "late", "late"), 80))
                .endsWith(
                        "clients that could not join or were disconnected:",
                        "    2 × late",
                        "    1 × full");
    }

    @Test
    void printsTwoServersSideBySide() {
        LoadComparison comparison =
                new LoadComparison(
                        new LoadSide(
                                List.of(
                                        measured("10.0.0.1:1", latencies(1, 1)),
                                        measured("10.0.0.1:1", latencies(3, 3)))),
                        new LoadSide(
                                List.of(
                                        measured("10.0.0.2:2", latencies(4, 4)),
                                        measured("10.0.0.2:2", latencies(4, 4)))));

        List<String> lines = LoadText.of(comparison, 80);

        assertThat(lines)
                .contains("A  10.0.0.1:1", "B  10.0.0.2:2")
                .allMatch(it -> it.length() < 80);
        assertThat(lines)
                .filteredOn(line -> line.startsWith("latency mean ms"))
                .singleElement()
                .asString()
                .matches("latency mean ms +2\\.50 +4\\.50 +0\\.56   0\\.33 to 0\\.78");
    }

    @ParameterizedTest
    @CsvSource({"12, 12, 1", "13, 12, 2", "100, 12, 10", "0.6, 12, 0.05", "55, 12, 5"})
    void usesRoundSteps(double most, int buckets, double step) {
        assertThat(LatencyHistogram.step(most, buckets)).isCloseTo(step, within(1e-9));
    }

    @Test
    void accountsForAllInSharesAndRest() {
        LatencyHistogram spread = LatencyHistogram.of(latencies(0, 1, 1, 9), 1, 3);

        assertThat(spread.shares()).containsExactly(0.25, 0.5, 0.0);
        assertThat(spread.beyond()).isEqualTo(0.25);
    }

    @Test
    void namesWhatFaultsLost() {
        assertThat(LoadText.of(measured("127.0.0.1:1", latencies(1)), 80))
                .contains(
                        "faults         to the server: 10 of 200 datagrams lost (5.00 %)",
                        "               to the clients: 0 of 0 datagrams lost (0.00 %)");
    }
}
