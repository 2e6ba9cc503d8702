package dev.wishdir.net.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.helpers.NOPLogger;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** G21: whatever is thrown, the loop goes on, and one line says where. */
@Timeout(180)
class LoopDefectsTest {
    private static final InetSocketAddress ANY =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final LogLines log = new LogLines(DistinctErrorLog.class);
    private final BlockingQueue<VirtualMachineError> fatal = new LinkedBlockingQueue<>();

    @AfterEach
    void restoreLog() {
        log.close();
    }

    enum Thrown {
        DEFECT(false),
        NO_MEMORY(true),
        STACK_OVERFLOW(false),
        BROKEN(true),
        MISSING_CLASS(false);

        final boolean fatal;

        Thrown(boolean fatal) {
            this.fatal = fatal;
        }

        RuntimeException now() {
            switch (this) {
                case DEFECT -> throw new IllegalStateException("on purpose");
                case NO_MEMORY -> throw new OutOfMemoryError("on purpose");
                case STACK_OVERFLOW -> throw new IllegalStateException("" + deeper(1));
                case BROKEN -> throw new InternalError("on purpose");
                case MISSING_CLASS -> throw new NoClassDefFoundError("on purpose");
            }
            throw new AssertionError();
        }

        private static int deeper(int depth) {
            return depth < 0 ? 0 : depth + deeper(depth + 1);
        }
    }

    /** Answers each datagram, but throws first where a test wants it. */
    private static final class Fragile implements DatagramHandler {
        final CountDownLatch received = new CountDownLatch(20);
        final AtomicInteger advanced = new AtomicInteger();
        final UdpSocket socket;
        final Thrown thrown;

        Fragile(UdpSocket socket, Thrown thrown) {
            this.socket = socket;
            this.thrown = thrown;
        }

        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            received.countDown();
            throw thrown.now();
        }

        @Override
        public long advance(long now) {
            advanced.incrementAndGet();
            return NEVER;
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("G21: thrown for each datagram")
    void survivesDefectInReceive(Thrown thrown) throws Exception {
        try (NettyLoop loop = new NettyLoop("test", fatal::add, _ -> {});
                DutyCycle cycle = loop.cycle();
                DutyCycle client = loop.cycle()) {
            Fragile fragile = cycle.open(ANY, socket -> new Fragile(socket, thrown));
            InetSocketAddress to = fragile.socket.local();
            UdpSocket from = client.open(ANY, socket -> new Fragile(socket, Thrown.DEFECT)).socket;
            client.execute(() -> {
                for (int i = 0; i < 20; i++) {
                    from.send(to, new byte[1], 0, 1);
                }
            });
            assertThat(fragile.received.await(60, TimeUnit.SECONDS)).isTrue();
            awaitTurn(cycle);
            assertThat(fragile.advanced.get()).isPositive();
            assertLogged("Fragile");
            assertThat(fatal).hasSize(thrown.fatal ? 20 : 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("G21: thrown by a timer; it is called again, and so are the others")
    void survivesDefectInTimer(Thrown thrown) throws Exception {
        try (NettyLoop loop = new NettyLoop("test", fatal::add, _ -> {});
                DutyCycle cycle = loop.cycle()) {
            CountDownLatch again = new CountDownLatch(2);
            CountDownLatch other = new CountDownLatch(2);
            Duty broken =
                    now -> {
                        again.countDown();
                        throw thrown.now();
                    };
            Duty works =
                    now -> {
                        other.countDown();
                        return now + TimeUnit.MILLISECONDS.toNanos(5);
                    };
            cycle.execute(() -> {
                cycle.add(broken);
                cycle.add(works);
            });
            assertThat(again.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(other.await(60, TimeUnit.SECONDS)).isTrue();
            awaitTurn(cycle);
            assertLogged("");
            assertThat(fatal.isEmpty()).isNotEqualTo(thrown.fatal);
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("G21: thrown by a task")
    void survivesDefectInTask(Thrown thrown) throws Exception {
        try (NettyLoop loop = new NettyLoop("test", fatal::add, _ -> {});
                DutyCycle cycle = loop.cycle()) {
            cycle.execute(() -> {
                throw thrown.now();
            });
            awaitTurn(cycle);
            assertLogged("");
            assertThat(fatal).hasSize(thrown.fatal ? 1 : 0);
        }
    }

    @Test
    @DisplayName("G21: thrown again by the handler of fatal errors")
    void survivesDefectInFatalErrorHandler() throws Exception {
        try (NettyLoop loop =
                        new NettyLoop(
                                "test",
                                error -> {
                                    throw error;
                                },
                                _ -> {});
                DutyCycle cycle = loop.cycle()) {
            cycle.execute(() -> {
                throw new OutOfMemoryError("on purpose");
            });
            awaitTurn(cycle);
            assertThat(log.traces()).isEqualTo(1);
        }
    }

    private void assertLogged(String where) {
        assertThat(log.traces()).as("%s", log.lines()).isEqualTo(1);
        assertThat(log.lines()).singleElement().asString().startsWith("defect in " + where);
    }

    private static void awaitTurn(DutyCycle cycle) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        cycle.execute(done::countDown);
        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void passesDefectsOfAllKindsToBuilder() throws Exception {
        BlockingQueue<String> defects = new LinkedBlockingQueue<>();
        try (NettyLoop loop = new NettyLoop("test", thrown -> defects.add(thrown.getMessage()));
                DutyCycle cycle = loop.cycle()) {
            cycle.execute(() -> {
                throw new IllegalStateException("task");
            });
            assertThat(defects.poll(10, TimeUnit.SECONDS)).isEqualTo("task");
            Duty once =
                    new Duty() {
                        private boolean thrown;

                        @Override
                        public long advance(long now) {
                            if (!thrown) {
                                thrown = true;
                                throw new IllegalStateException("duty");
                            }
                            return NEVER;
                        }
                    };
            cycle.execute(() -> cycle.add(once));
            assertThat(defects.poll(10, TimeUnit.SECONDS)).isEqualTo("duty");
            cycle.execute(() -> cycle.report(this, new IllegalStateException("listener")));
            assertThat(defects.poll(10, TimeUnit.SECONDS)).isEqualTo("listener");
        }
        assertThat(log.lines()).isEmpty();
    }

    @Test
    void printsEachPlaceOnceWithoutLogger() {
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            DistinctErrorLog errorLog = new DistinctErrorLog(NOPLogger.NOP_LOGGER, _ -> {});
            IllegalStateException thrown = new IllegalStateException("on purpose");
            for (int i = 0; i < 3; i++) {
                errorLog.report(i, this, thrown);
            }
        } finally {
            System.setErr(err);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .startsWith(
                        "defect in LoopDefectsTest: java.lang.IllegalStateException: on purpose")
                .containsOnlyOnce("on purpose")
                .contains("at " + LoopDefectsTest.class.getName());
    }

    @Test
    void namesAnonymousClass() {
        Duty anonymous =
                new Duty() {
                    @Override
                    public long advance(long now) {
                        return NEVER;
                    }
                };
        new DistinctErrorLog(_ -> {}).report(0, anonymous, new IllegalStateException("on purpose"));
        assertLogged(LoopDefectsTest.class.getName() + "$");
    }

    @Test
    void keepsProgramAliveUntilClosed() throws Exception {
        NettyLoop loop = new NettyLoop("alive");
        BlockingQueue<Thread> threads = new LinkedBlockingQueue<>();
        DutyCycle cycle = loop.cycle();
        cycle.execute(() -> threads.add(Thread.currentThread()));
        Thread thread = threads.take();
        assertThat(thread.isDaemon()).isFalse();
        // A client that has left closes the loop from its own thread.
        cycle.execute(loop::close);
        thread.join(TimeUnit.SECONDS.toMillis(10));
        assertThat(thread.isAlive()).isFalse();
    }

    @Test
    void refusesDutiesOfOtherThreads() {
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle cycle = loop.cycle()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> cycle.add(_ -> Duty.NEVER))
                    .withMessageContaining(Thread.currentThread().getName())
                    .withMessageContaining("execute");
        }
    }

    @Test
    @DisplayName("A10: what repeats is one line in ten seconds, with its number")
    void logsRepeatedDefectOnce() {
        DistinctErrorLog errorLog = new DistinctErrorLog(_ -> {});
        IllegalStateException thrown = new IllegalStateException("on purpose");
        for (int i = 0; i < 100_000; i++) {
            errorLog.report(i * TimeUnit.MILLISECONDS.toNanos(1), this, thrown);
        }
        assertThat(log.traces()).isEqualTo(1);
        assertThat(log.lines()).hasSize(10);
        assertThat(log.lines().get(1)).contains("10000 times more").contains("on purpose");
    }

    @Test
    @DisplayName("A10: a thousand places are not a thousand lines")
    void boundsLinesOfManyDefects() {
        DistinctErrorLog errorLog = new DistinctErrorLog(_ -> {});
        for (int i = 0; i < 1000; i++) {
            IllegalStateException thrown = new IllegalStateException();
            thrown.setStackTrace(
                    new StackTraceElement[] {new StackTraceElement("A", "b", "A.java", i)});
            errorLog.report(0, this, thrown);
        }
        assertThat(log.lines()).hasSize(65);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("G21: a simulated network goes on in the same way where a test asks for it")
    void continuesSimulationOnRequest(Thrown thrown) throws IOException {
        SimulatedNetwork network = new SimulatedNetwork(1);
        List<Throwable> told = new ArrayList<>();
        network.onDefect(told::add);
        DutyCycle cycle = network.cycle();
        Fragile fragile = cycle.open(ANY, socket -> new Fragile(socket, thrown));
        InetSocketAddress to = fragile.socket.local();
        AtomicInteger calls = new AtomicInteger();
        cycle.add(now -> {
            calls.incrementAndGet();
            throw thrown.now();
        });
        network.inject(ANY, to, new byte[1]);
        network.run(TimeUnit.SECONDS.toNanos(10));
        cycle.execute(() -> {
            throw thrown.now();
        });
        assertThat(calls).hasValue(11);
        assertThat(fragile.advanced.get()).isGreaterThanOrEqualTo(11);
        assertThat(told).hasSize(13);
    }

    @Test
    void throwsDefectInSimulationByDefault() {
        SimulatedNetwork network = new SimulatedNetwork(1);
        network.cycle()
                .add(now -> {
                    throw new StackOverflowError("on purpose");
                });
        assertThatThrownBy(() -> network.run(1)).hasMessage("on purpose");
    }
}
