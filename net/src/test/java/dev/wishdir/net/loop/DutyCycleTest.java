package dev.wishdir.net.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.netty.CoalescingIoHandler;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

@Timeout(180)
class DutyCycleTest {
    private static final InetSocketAddress ANY =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    /** Sends every datagram back. */
    private static final class Echo implements DatagramHandler {
        final UdpSocket socket;

        Echo(UdpSocket socket) {
            this.socket = socket;
        }

        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            socket.send(from, data, 0, data.length);
        }

        @Override
        public long advance(long now) {
            return NEVER;
        }
    }

    private static final class Collector implements DatagramHandler {
        final List<byte[]> received = new ArrayList<>();
        final UdpSocket socket;
        final CountDownLatch done;

        Collector(UdpSocket socket, int expected) {
            this.socket = socket;
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
    void exchangesDatagramsOfEverySize() throws Exception {
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle server = loop.cycle();
                DutyCycle client = loop.cycle()) {
            InetSocketAddress to = server.open(ANY, Echo::new).socket.local();
            int[] sizes = {1, 1400, 4096, 65_507};
            Collector collector = client.open(ANY, socket -> new Collector(socket, sizes.length));
            client.execute(() -> {
                for (int size : sizes) {
                    collector.socket.send(to, new byte[size], 0, size);
                }
            });
            assertThat(collector.done.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(collector.received)
                    .extracting(data -> data.length)
                    .containsExactly(1, 1400, 4096, 65_507);
        }
    }

    @Test
    void measuresCpuTimeOfLoop() throws Exception {
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle cycle = loop.cycle()) {
            CountDownLatch done = new CountDownLatch(1);
            cycle.execute(done::countDown);
            assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
            long before = loop.cpuNanos();
            assertThat(before).isPositive();
            CountDownLatch worked = new CountDownLatch(1);
            cycle.execute(() -> {
                long begun = cycle.cpuNanos();
                while (cycle.cpuNanos() - begun < 1_000_000) {
                    Thread.onSpinWait();
                }
                worked.countDown();
            });
            assertThat(worked.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(loop.cpuNanos() - before).isGreaterThan(1_000_000);
        }
    }

    @Test
    void keepsDatagramsOfTurnSeparate() throws Exception {
        int many = 100;
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle server = loop.cycle();
                DutyCycle client = loop.cycle()) {
            Collector collector = server.open(ANY, socket -> new Collector(socket, 2 * many));
            Collector sender = client.open(ANY, socket -> new Collector(socket, 0));
            for (int turn = 0; turn < 2; turn++) {
                int first = turn * many;
                client.execute(() -> {
                    byte[] data = new byte[1400];
                    for (int i = first; i < first + many; i++) {
                        Arrays.fill(data, (byte) i);
                        sender.socket.send(collector.socket.local(), data, 7, 1 + 5 * i);
                    }
                });
            }
            assertThat(collector.done.await(60, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 2 * many; i++) {
                byte[] expected = new byte[1 + 5 * i];
                Arrays.fill(expected, (byte) i);
                assertThat(collector.received.get(i)).as("%d", i).isEqualTo(expected);
            }
        }
    }

    @Test
    void readsAllQueuedDatagrams() throws Exception {
        int waiting = 3 * CoalescingIoHandler.MAX_DATAGRAMS + 5;
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle cycle = loop.cycle();
                DatagramSocket sender = new DatagramSocket()) {
            Collector collector = cycle.open(ANY, socket -> new Collector(socket, waiting));
            CountDownLatch busy = new CountDownLatch(1);
            cycle.execute(() -> {
                try {
                    busy.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            for (int i = 0; i < waiting; i++) {
                byte[] data = {(byte) i};
                sender.send(new DatagramPacket(data, 1, collector.socket.local()));
            }
            busy.countDown();
            assertThat(collector.done.await(60, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < waiting; i++) {
                assertThat(collector.received.get(i)).containsExactly((byte) i);
            }
        }
    }

    @Test
    void takesOneTurnForWaitingDatagramsOfManySockets() throws Exception {
        int sockets = 8;
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle cycle = loop.cycle();
                DatagramSocket sender = new DatagramSocket()) {
            List<String> order = new ArrayList<>();
            CountDownLatch turnAfterAll = new CountDownLatch(1);
            List<UdpSocket> opened = new ArrayList<>();
            for (int i = 0; i < sockets; i++) {
                cycle.open(
                        ANY,
                        socket -> {
                            opened.add(socket);
                            return new DatagramHandler() {
                                @Override
                                public void receive(long now, InetSocketAddress from, byte[] data) {
                                    order.add("received");
                                }

                                @Override
                                public long advance(long now) {
                                    return NEVER;
                                }
                            };
                        });
            }
            Duty afterAll =
                    _ -> {
                        if (turnAfterAll.getCount() > 0 && order.contains("received")) {
                            order.add("turn");
                            turnAfterAll.countDown();
                        }
                        return Duty.NEVER;
                    };
            cycle.execute(() -> cycle.add(afterAll));
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch busy = new CountDownLatch(1);
            cycle.execute(() -> {
                try {
                    begun.countDown();
                    busy.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
            for (UdpSocket socket : opened) {
                sender.send(new DatagramPacket(new byte[1], 1, socket.local()));
            }
            busy.countDown();
            assertThat(turnAfterAll.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(order.subList(0, sockets + 1))
                    .startsWith(Collections.nCopies(sockets, "received").toArray(String[]::new))
                    .endsWith("turn");
        }
    }

    @Test
    void sendsNothingAfterClose() throws Exception {
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle cycle = loop.cycle();
                DutyCycle other = loop.cycle()) {
            Collector collector = other.open(ANY, socket -> new Collector(socket, 2));
            InetSocketAddress to = collector.socket.local();
            Collector sender = cycle.open(ANY, socket -> new Collector(socket, 0));
            CountDownLatch sent = new CountDownLatch(1);
            other.execute(() -> {
                sender.socket.send(to, new byte[] {1}, 0, 1);
                sender.socket.close();
                sender.socket.close();
                sender.socket.send(to, new byte[] {2}, 0, 1);
                cycle.close();
                sender.socket.send(to, new byte[] {3}, 0, 1);
                collector.socket.send(to, new byte[] {4}, 0, 1);
                sent.countDown();
            });
            assertThat(sent.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(collector.done.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(collector.received)
                    .usingRecursiveComparison()
                    .isEqualTo(List.of(new byte[] {1}, new byte[] {4}));
        }
    }

    /** The task that closes it is the thread's last: it does not wait for sockets again. */
    @Test
    void closesSocketsOfLoopClosedInTask() throws Exception {
        InetSocketAddress local;
        try (NettyLoop loop = new NettyLoop("test")) {
            DutyCycle cycle = loop.cycle();
            Collector collector = cycle.open(ANY, socket -> new Collector(socket, 0));
            local = collector.socket.local();
            cycle.execute(loop::close);
            loop.close();
            collector.socket.send(local, new byte[] {1}, 0, 1);
        }
        try (DatagramSocket next = new DatagramSocket(local)) {
            assertThat(next.getLocalPort()).isEqualTo(local.getPort());
        }
    }

    @Test
    void receivesEmptyDatagrams() throws Exception {
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle cycle = loop.cycle();
                DatagramSocket sender = new DatagramSocket()) {
            Collector collector = cycle.open(ANY, socket -> new Collector(socket, 101));
            InetSocketAddress to = collector.socket.local();
            for (int i = 0; i < 100; i++) {
                sender.send(new DatagramPacket(new byte[0], 0, to));
            }
            sender.send(new DatagramPacket(new byte[] {7}, 1, to));
            assertThat(collector.done.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(collector.received.getLast()).containsExactly(7);
        }
    }

    @Test
    void runsTurnAtDeadline() throws Exception {
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle cycle = loop.cycle()) {
            CountDownLatch turns = new CountDownLatch(5);
            long start = System.nanoTime();
            Duty counts =
                    now -> {
                        turns.countDown();
                        return now + TimeUnit.MILLISECONDS.toNanos(10);
                    };
            cycle.execute(() -> cycle.add(counts));
            assertThat(turns.await(60, TimeUnit.SECONDS)).isTrue();
            // The first two turns are those of the task and of the added duty.
            assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(25));
        }
    }

    @Test
    void namesPortInUse() throws Exception {
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle cycle = loop.cycle()) {
            InetSocketAddress taken = cycle.open(ANY, Echo::new).socket.local();
            assertThatThrownBy(() -> cycle.open(taken, Echo::new))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot bind UDP")
                    .hasMessageContaining(":" + taken.getPort());
        }
    }

    @Test
    void opensSocketInTask() throws Exception {
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle cycle = loop.cycle()) {
            CompletableFuture<InetSocketAddress> local = new CompletableFuture<>();
            CompletableFuture<IOException> refused = new CompletableFuture<>();
            cycle.execute(() -> {
                try {
                    InetSocketAddress taken = cycle.open(ANY, Echo::new).socket.local();
                    local.complete(taken);
                    cycle.open(taken, Echo::new);
                } catch (IOException e) {
                    refused.complete(e);
                }
            });
            assertThat(local.get(60, TimeUnit.SECONDS).getPort()).isPositive();
            assertThat(refused.get(60, TimeUnit.SECONDS)).hasMessageContaining("cannot bind UDP");
        }
    }

    /** What comes while a handler is being made waits for it. */
    @Test
    void delaysDatagramsUntilHandlerExists() throws Exception {
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle cycle = loop.cycle();
                DatagramSocket sender = new DatagramSocket()) {
            Collector collector =
                    cycle.open(
                            ANY,
                            socket -> {
                                InetSocketAddress to = socket.local();
                                sender.send(new DatagramPacket(new byte[] {7}, 1, to));
                                return new Collector(socket, 1);
                            });
            assertThat(collector.done.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(collector.received.getFirst()).containsExactly(7);
        }
    }

    @Test
    void closesSocketWhenHandlerFails() throws Exception {
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle real = loop.cycle();
                DutyCycle simulated = new SimulatedNetwork(1).cycle()) {
            for (DutyCycle cycle : List.of(real, simulated)) {
                InetSocketAddress[] local = new InetSocketAddress[1];
                assertThatThrownBy(() ->
                                cycle.open(
                                        ANY,
                                        socket -> {
                                            local[0] = socket.local();
                                            throw new IOException("no handler");
                                        }))
                        .isInstanceOf(IOException.class)
                        .hasMessage("no handler");
                assertThat(cycle.open(local[0], Echo::new).socket.local()).isEqualTo(local[0]);
            }
        }
    }

    @Test
    void keepsOtherHandlersAfterDefect() throws Exception {
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle cycle = loop.cycle()) {
            CountDownLatch after = new CountDownLatch(1);
            Duty broken =
                    _ -> {
                        throw new IllegalStateException("defect on purpose");
                    };
            Duty works =
                    _ -> {
                        after.countDown();
                        return Duty.NEVER;
                    };
            cycle.execute(() -> {
                cycle.add(broken);
                cycle.add(works);
            });
            assertThat(after.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void repeatsSimulationBySeed() throws Exception {
        assertThat(arrivals(5)).isEqualTo(arrivals(5)).isNotEqualTo(arrivals(6));
    }

    private static List<Integer> arrivals(long seed) throws IOException {
        SimulatedNetwork network = new SimulatedNetwork(seed);
        network.conditions(new SimulatedNetwork.Conditions(0.2, 0.1, 20_000_000, 30_000_000));
        Collector collector = network.cycle().open(ANY, socket -> new Collector(socket, 0));
        UdpSocket to = collector.socket;
        UdpSocket from = network.cycle().open(ANY, Echo::new).socket;
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
    void passesSimulatedTimeWithoutWaiting() {
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
    void simulatesAllLoopbackAddresses() throws IOException {
        SimulatedNetwork network = new SimulatedNetwork(1);
        AddressRange range = AddressRange.parse("127.0.1.0/24");
        List<InetSocketAddress> senders = new ArrayList<>();
        InetSocketAddress to = new InetSocketAddress(InetAddress.getLoopbackAddress(), 27910);
        network.cycle()
                .open(
                        to,
                        _ ->
                                new DatagramHandler() {
                                    @Override
                                    public void receive(
                                            long now, InetSocketAddress from, byte[] data) {
                                        senders.add(from);
                                    }

                                    @Override
                                    public long advance(long now) {
                                        return NEVER;
                                    }
                                });
        List<InetSocketAddress> expected = new ArrayList<>();
        for (int i = 0; i < 256; i++) {
            InetSocketAddress local = new InetSocketAddress(range.address(i), 4000);
            network.cycle().open(local, Echo::new).socket.send(to, new byte[] {1}, 0, 1);
            expected.add(local);
        }
        InetSocketAddress forged = new InetSocketAddress(range.address(7), 53);
        network.inject(forged, to, new byte[] {1});
        expected.addFirst(forged);
        network.run(TimeUnit.SECONDS.toNanos(1));
        assertThat(senders).containsExactlyElementsOf(expected);
    }

    @Test
    void reusesSimulatedPorts() throws IOException {
        SimulatedNetwork network = new SimulatedNetwork(1);
        UdpSocket kept = network.cycle().open(ANY, Echo::new).socket;
        for (int i = 0; i < 20_000; i++) {
            DutyCycle cycle = network.cycle();
            assertThat(cycle.open(ANY, Echo::new).socket.local()).isNotEqualTo(kept.local());
            cycle.close();
        }
    }

    /** A proxy opens and closes a socket for each client. */
    @Test
    void forgetsHandlerOfClosedSocket() throws Exception {
        try (NettyLoop loop = new NettyLoop("test");
                DutyCycle cycle = loop.cycle()) {
            AtomicInteger turns = new AtomicInteger();
            CompletableFuture<UdpSocket> opened = new CompletableFuture<>();
            cycle.open(
                    ANY,
                    socket -> {
                        opened.complete(socket);
                        return new DatagramHandler() {
                            @Override
                            public void receive(long now, InetSocketAddress from, byte[] data) {}

                            @Override
                            public long advance(long now) {
                                turns.incrementAndGet();
                                return NEVER;
                            }
                        };
                    });
            cycle.execute(opened.join()::close);
            int before;
            do {
                before = turns.get();
                CompletableFuture<Void> turn = new CompletableFuture<>();
                cycle.execute(() -> {});
                cycle.execute(() -> turn.complete(null));
                turn.join();
            } while (turns.get() > before);
            assertThat(before).isPositive();
        }
    }
}
