package dev.wishdir.net.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

@Timeout(180)
class OffloadTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private static void unexpected(Object what) {
        fail("not expected: " + what);
    }

    @Test
    @DisplayName(
            "G7: work is done in another thread, its result is delivered on the cycle's, then a"
                    + " turn")
    void runsWorkOffLoop() throws Exception {
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle cycle = loop.cycle()) {
            BlockingQueue<String> events = new LinkedBlockingQueue<>();
            AtomicInteger turns = new AtomicInteger();
            Duty counts =
                    _ -> {
                        turns.incrementAndGet();
                        return Duty.NEVER;
                    };
            cycle.execute(() -> {
                cycle.add(counts);
                String mine = Thread.currentThread().getName();
                int before = turns.get();
                boolean taken =
                        cycle.offload(
                                () -> Thread.currentThread().getName(),
                                theirs -> {
                                    events.add(theirs.equals(mine) ? "same" : "other");
                                    String here = Thread.currentThread().getName();
                                    events.add(here.equals(mine) ? "back" : "lost");
                                    cycle.execute(() ->
                                            events.add(turns.get() > before + 1 ? "turn" : "none"));
                                },
                                OffloadTest::unexpected);
                events.add("" + taken);
            });
            assertThat(events.poll(60, TimeUnit.SECONDS)).isEqualTo("true");
            assertThat(events.poll(60, TimeUnit.SECONDS)).isEqualTo("other");
            assertThat(events.poll(60, TimeUnit.SECONDS)).isEqualTo("back");
            assertThat(events.poll(60, TimeUnit.SECONDS)).isEqualTo("turn");
        }
    }

    @Test
    @DisplayName("G7: work that throws, an Error too")
    void reportsThrownError() throws Exception {
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle cycle = loop.cycle()) {
            BlockingQueue<Throwable> thrown = new LinkedBlockingQueue<>();
            cycle.offload(
                    () -> {
                        throw new IOException("on purpose");
                    },
                    OffloadTest::unexpected,
                    thrown::add);
            assertThat(thrown.poll(60, TimeUnit.SECONDS)).isInstanceOf(IOException.class);
            try (LogLines log = new LogLines(DistinctErrorLog.class)) {
                cycle.offload(
                        () -> {
                            throw new OutOfMemoryError("on purpose");
                        },
                        OffloadTest::unexpected,
                        thrown::add);
                assertThat(thrown.poll(60, TimeUnit.SECONDS)).isInstanceOf(OutOfMemoryError.class);
                assertThat(log.traces()).isEqualTo(1);
            }
        }
    }

    @Test
    @DisplayName("G7: bounded in number; the loop goes on while all workers hang")
    void boundsNumber() throws Exception {
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle cycle = loop.cycle()) {
            CountDownLatch gate = new CountDownLatch(1);
            BlockingQueue<Integer> done = new LinkedBlockingQueue<>();
            int taken = 0;
            while (cycle.offload(
                    () -> {
                        gate.await();
                        return 1;
                    },
                    done::add,
                    OffloadTest::unexpected)) {
                taken++;
            }
            assertThat(taken)
                    .isBetween(DutyCycle.MAX_OFFLOADED_TASKS, DutyCycle.MAX_OFFLOADED_TASKS + 2);
            CountDownLatch alive = new CountDownLatch(1);
            cycle.execute(alive::countDown);
            assertThat(alive.await(60, TimeUnit.SECONDS)).isTrue();
            gate.countDown();
            for (int i = 0; i < taken; i++) {
                assertThat(done.poll(60, TimeUnit.SECONDS)).isEqualTo(1);
            }
        }
    }

    @Test
    @DisplayName("G7: bounded in time, of what runs and of what waits; then there is room again")
    void boundsTime() throws Exception {
        try (WorkerPool workers = new WorkerPool("test", 1, TimeUnit.MILLISECONDS.toNanos(20))) {
            CountDownLatch never = new CountDownLatch(1);
            BlockingQueue<Throwable> thrown = new LinkedBlockingQueue<>();
            for (int i = 0; i < 10; i++) {
                workers.submit(
                        () -> {
                            never.await();
                            return 1;
                        },
                        (_, failure) -> {
                            if (failure != null) {
                                thrown.add(failure);
                            }
                        });
            }
            for (int i = 0; i < 10; i++) {
                assertThat(thrown.poll(60, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
            }
            BlockingQueue<Integer> done = new LinkedBlockingQueue<>();
            do {
                workers.submit(
                        () -> 1,
                        (result, _) -> {
                            if (result != null) {
                                done.add(result);
                            }
                        });
            } while (done.poll(1, TimeUnit.SECONDS) == null);
        }
    }

    @Test
    void runsInVirtualTimeInOrder() {
        SimulatedNetwork network = new SimulatedNetwork(1);
        DutyCycle cycle = network.cycle();
        List<String> events = new ArrayList<>();
        cycle.add(now -> {
            events.add("turn " + now / SECOND);
            return Duty.NEVER;
        });
        network.run(1);
        network.offloading(2 * SECOND);
        assertThat(cycle.offload(() -> "slow", events::add, OffloadTest::unexpected)).isTrue();
        network.offloading(0);
        cycle.offload(() -> "first", events::add, OffloadTest::unexpected);
        cycle.offload(
                () -> {
                    throw new IOException("broken");
                },
                OffloadTest::unexpected,
                thrown -> events.add(String.valueOf(thrown.getMessage())));
        assertThat(events).containsExactly("turn 0");
        network.run(3 * SECOND);
        assertThat(events).containsExactly("turn 0", "first", "broken", "turn 0", "slow", "turn 2");
    }

    @Test
    void boundsNumberAndTimeInSimulation() {
        SimulatedNetwork network = new SimulatedNetwork(1);
        network.offloading(6 * SECOND);
        DutyCycle cycle = network.cycle();
        List<Throwable> thrown = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            boolean taken = cycle.offload(() -> 1, OffloadTest::unexpected, thrown::add);
            assertThat(taken).isEqualTo(i < DutyCycle.MAX_OFFLOADED_TASKS);
        }
        network.run(5 * SECOND - 1);
        assertThat(thrown).isEmpty();
        network.run(1);
        assertThat(thrown)
                .hasSize(DutyCycle.MAX_OFFLOADED_TASKS)
                .allMatch(TimeoutException.class::isInstance);
        cycle.offload(() -> 1, OffloadTest::unexpected, thrown::add);
        cycle.close();
        network.run(10 * SECOND);
        assertThat(thrown).hasSize(DutyCycle.MAX_OFFLOADED_TASKS);
    }
}
