package dev.wishdir.net.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

class LoopClockTest {
    private static final long SECOND = 1_000_000_000;

    private final AtomicLong real = new AtomicLong(7 * SECOND);
    private final LoopClock clock = new LoopClock(real::get);

    @Test
    void runsAsLongAsItIsRead() {
        long begun = clock.tick();
        for (int i = 0; i < 10; i++) {
            real.addAndGet(SECOND);
            clock.tick();
        }
        assertThat(clock.tick() - begun).isEqualTo(10 * SECOND);
        assertThat(clock.sleptNanos()).isZero();
    }

    @Test
    @DisplayName("R6 stands still while its thread does, and never goes back for another thread")
    void standsStillInAPause() {
        long begun = clock.tick();
        List<Long> read = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            real.addAndGet(SECOND);
            read.add(clock.read());
        }
        assertThat(clock.tick() - begun).isEqualTo(LoopClock.MAX_GAP_NANOS);
        assertThat(clock.sleptNanos()).isEqualTo(60 * SECOND - LoopClock.MAX_GAP_NANOS);
        read.add(clock.read());
        assertThat(read).isSorted();
    }

    @Test
    @DisplayName(
            "R6 a cycle that is stalled passes no deadline meanwhile, and knows how long it slept")
    void simulatesStall() {
        SimulatedNetwork network = new SimulatedNetwork(1);
        DutyCycle cycle = network.cycle();
        List<Long> turns = new ArrayList<>();
        cycle.add(now -> {
            turns.add(now);
            return now + SECOND / 10;
        });
        network.run(SECOND);
        network.stall(cycle, 10 * SECOND);
        network.run(SECOND);
        AtomicLong executed = new AtomicLong();
        cycle.execute(() -> {
            executed.set(network.now());
            turns.add(cycle.now());
        });
        assertThat(cycle.offload(() -> SECOND, _ -> turns.add(cycle.now()), _ -> {})).isTrue();
        network.run(11 * SECOND);
        assertThat(executed).as("tasks wait, too").hasValue(11 * SECOND);
        assertThat(cycle.sleptNanos()).isEqualTo(10 * SECOND - LoopClock.MAX_GAP_NANOS);
        assertThat(cycle.now() + cycle.sleptNanos()).isEqualTo(network.now());
        for (int i = 1; i < turns.size(); i++) {
            assertThat(turns.get(i) - turns.get(i - 1)).isBetween(0L, LoopClock.MAX_GAP_NANOS);
        }
    }
}
