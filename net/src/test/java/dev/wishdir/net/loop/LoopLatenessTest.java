package dev.wishdir.net.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

class LoopLatenessTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final LoopLateness lateness = new LoopLateness();

    @Test
    void isNothingWithoutLateTurn() {
        lateness.observe(5 * SECOND, 5 * SECOND);
        lateness.observe(6 * SECOND, 7 * SECOND);

        assertThat(lateness.nanos(6 * SECOND)).isZero();
    }

    @Test
    void addsUpLateTurnsOfLastSecond() {
        lateness.observe(SECOND, SECOND - 200 * MILLI);
        lateness.observe(SECOND + 100 * MILLI, SECOND);

        assertThat(lateness.nanos(SECOND + 100 * MILLI)).isEqualTo(300 * MILLI);
        assertThat(lateness.nanos(2 * SECOND + MILLI)).isEqualTo(100 * MILLI);
        assertThat(lateness.nanos(3 * SECOND)).isZero();
    }

    @Test
    void countsEachLateTurnOnce() {
        lateness.observe(SECOND, SECOND - 200 * MILLI);
        lateness.observe(SECOND + 5 * MILLI, SECOND - 200 * MILLI);

        assertThat(lateness.nanos(SECOND + 5 * MILLI)).isEqualTo(205 * MILLI);
    }

    @Test
    void countsDatagramsThatComeAfterDeadlineInSimulation() {
        SimulatedNetwork network = new SimulatedNetwork(1);
        DutyCycle cycle = network.cycle();
        long[] late = new long[1];
        cycle.add(now -> {
            late[0] = cycle.lateNanos();
            return now + 10 * MILLI;
        });
        network.run(SECOND);
        assertThat(late[0]).isZero();

        cycle.execute(() -> network.holdUp(cycle, 300 * MILLI));
        network.run(400 * MILLI);
        assertThat(late[0]).isBetween(290 * MILLI, 300 * MILLI);

        network.run(2 * SECOND);
        assertThat(late[0]).isZero();
    }
}
