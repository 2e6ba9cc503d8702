package dev.wishdir.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

@Timeout(30)
class DutyCycleTest {
    private static final InetSocketAddress ANY =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    /** Sends every datagram back. */
    private static final class Echo implements DatagramHandler {
        @Nullable UdpSocket socket;
        final AtomicInteger turns = new AtomicInteger();

        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            if (socket != null) {
                socket.send(from, data, 0, data.length);
            }
        }

        @Override
        public long advance(long now) {
            turns.incrementAndGet();
            return NEVER;
        }
    }

    private static final class Collector implements DatagramHandler {
        final List<byte[]> received = new ArrayList<>();
        final CountDownLatch done;

        Collector(int expected) {
            done = new CountDownLatch(expected);
        }

        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            received.add(data);
            done.countDown();
        }

        @Override
        public long advance(long now) {
            return NEVER;
        }
    }

    @Test
    void datagramsOfEverySizeCrossRealSockets() throws Exception {
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle server = loop.cycle();
                DutyCycle client = loop.cycle()) {
            Echo echo = new Echo();
            echo.socket = server.open(ANY, echo);
            InetSocketAddress to = echo.socket.local();
            int[] sizes = {1, 1400, 4096, 65_507};
            Collector collector = new Collector(sizes.length);
            UdpSocket socket = client.open(ANY, collector);
            client.execute(() -> {
                for (int size : sizes) {
                    socket.send(to, new byte[size], 0, size);
                }
            });
            assertThat(collector.done.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(collector.received)
                    .extracting(data -> data.length)
                    .containsExactly(1, 1400, 4096, 65_507);
        }
    }

    @Test
    void emptyDatagramsAreReceivedAndStopNothing() throws Exception {
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle cycle = loop.cycle();
                DatagramSocket sender = new DatagramSocket()) {
            Collector collector = new Collector(101);
            InetSocketAddress to = cycle.open(ANY, collector).local();
            for (int i = 0; i < 100; i++) {
                sender.send(new DatagramPacket(new byte[0], 0, to));
            }
            sender.send(new DatagramPacket(new byte[] {7}, 1, to));
            assertThat(collector.done.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(collector.received.getLast()).containsExactly(7);
        }
    }

    @Test
    void aDeadlineBringsATurn() throws Exception {
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle cycle = loop.cycle()) {
            CountDownLatch turns = new CountDownLatch(5);
            long start = System.nanoTime();
            cycle.add(now -> {
                turns.countDown();
                return now + TimeUnit.MILLISECONDS.toNanos(10);
            });
            assertThat(turns.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(35));
        }
    }

    @Test
    void aPortInUseIsNamed() throws Exception {
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle cycle = loop.cycle()) {
            InetSocketAddress taken = cycle.open(ANY, new Echo()).local();
            assertThatThrownBy(() -> cycle.open(taken, new Echo()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot bind UDP")
                    .hasMessageContaining(":" + taken.getPort());
        }
    }

    @Test
    void aSocketCanBeOpenedByATaskOfTheCycle() throws Exception {
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle cycle = loop.cycle()) {
            CompletableFuture<InetSocketAddress> local = new CompletableFuture<>();
            CompletableFuture<IOException> refused = new CompletableFuture<>();
            cycle.execute(() -> {
                try {
                    InetSocketAddress taken = cycle.open(ANY, new Echo()).local();
                    local.complete(taken);
                    cycle.open(taken, new Echo());
                } catch (IOException e) {
                    refused.complete(e);
                }
            });
            assertThat(local.get(10, TimeUnit.SECONDS).getPort()).isPositive();
            assertThat(refused.get(10, TimeUnit.SECONDS)).hasMessageContaining("cannot bind UDP");
        }
    }

    /** As in a simulated network: a handler that sends in its first turn has its socket by then. */
    @Test
    void theFirstTurnComesAfterAHandlerHasItsSocket() throws Exception {
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle cycle = loop.cycle()) {
            CompletableFuture<Boolean> first = new CompletableFuture<>();
            AtomicBoolean opened = new AtomicBoolean();
            DatagramHandler handler =
                    new DatagramHandler() {
                        @Override
                        public void receive(long now, InetSocketAddress from, byte[] data) {}

                        @Override
                        public long advance(long now) {
                            first.complete(opened.get());
                            return NEVER;
                        }
                    };
            cycle.execute(() -> {
                try {
                    cycle.open(ANY, handler);
                    opened.set(true);
                } catch (IOException e) {
                    first.completeExceptionally(e);
                }
            });
            assertThat(first.get(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aDefectInOneHandlerLeavesTheOthersRunning() throws Exception {
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle cycle = loop.cycle()) {
            CountDownLatch after = new CountDownLatch(1);
            cycle.add(now -> {
                throw new IllegalStateException("defect on purpose");
            });
            cycle.add(now -> {
                after.countDown();
                return Duty.NEVER;
            });
            assertThat(after.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aSimulatedNetworkRepeatsItselfBySeed() throws Exception {
        assertThat(arrivals(5)).isEqualTo(arrivals(5)).isNotEqualTo(arrivals(6));
    }

    private static List<Integer> arrivals(long seed) throws IOException {
        SimulatedNetwork network = new SimulatedNetwork(seed);
        network.conditions(new SimulatedNetwork.Conditions(0.2, 0.1, 20_000_000, 30_000_000));
        Collector collector = new Collector(0);
        UdpSocket to = network.cycle().open(ANY, collector);
        UdpSocket from = network.cycle().open(ANY, new Echo());
        for (int i = 0; i < 100; i++) {
            from.send(to.local(), new byte[] {(byte) i}, 0, 1);
            network.run(1_000_000);
        }
        network.run(100_000_000);
        List<Integer> order = collector.received.stream().map(data -> (int) data[0]).toList();
        assertThat(order).hasSizeBetween(70, 105).isNotEqualTo(order.stream().sorted().toList());
        return order;
    }

    @Test
    void timePassesInASimulatedNetworkWithoutWaiting() {
        SimulatedNetwork network = new SimulatedNetwork(1);
        AtomicInteger turns = new AtomicInteger();
        network.cycle()
                .add(now -> {
                    turns.incrementAndGet();
                    return now + TimeUnit.SECONDS.toNanos(1);
                });
        network.run(TimeUnit.HOURS.toNanos(1));
        assertThat(turns.get()).isEqualTo(3601);
        assertThat(network.now()).isEqualTo(TimeUnit.HOURS.toNanos(1));
    }

    /** One client for each address of a range, as {@code --from 127.0.1.0/24} sends. */
    @Test
    void aSimulatedNetworkHasAllAddressesOfTheLoopback() throws IOException {
        SimulatedNetwork network = new SimulatedNetwork(1);
        AddressRange range = AddressRange.parse("127.0.1.0/24");
        List<InetSocketAddress> senders = new ArrayList<>();
        DatagramHandler server =
                new DatagramHandler() {
                    @Override
                    public void receive(long now, InetSocketAddress from, byte[] data) {
                        senders.add(from);
                    }

                    @Override
                    public long advance(long now) {
                        return NEVER;
                    }
                };
        InetSocketAddress to = network.cycle().open(ANY, server).local();
        List<InetSocketAddress> expected = new ArrayList<>();
        for (int i = 0; i < 256; i++) {
            InetSocketAddress local = new InetSocketAddress(range.address(i), 4000);
            network.cycle().open(local, new Echo()).send(to, new byte[] {1}, 0, 1);
            expected.add(local);
        }
        InetSocketAddress forged = new InetSocketAddress(range.address(7), 53);
        network.inject(forged, to, new byte[] {1});
        expected.addFirst(forged);
        network.run(TimeUnit.SECONDS.toNanos(1));
        assertThat(senders).containsExactlyElementsOf(expected);
    }

    @Test
    void portsOfASimulatedNetworkComeFreeAgain() throws IOException {
        SimulatedNetwork network = new SimulatedNetwork(1);
        UdpSocket kept = network.cycle().open(ANY, new Echo());
        for (int i = 0; i < 20_000; i++) {
            DutyCycle cycle = network.cycle();
            assertThat(cycle.open(ANY, new Echo()).local()).isNotEqualTo(kept.local());
            cycle.close();
        }
    }
}
