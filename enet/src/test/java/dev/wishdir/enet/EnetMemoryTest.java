package dev.wishdir.enet;

import static dev.wishdir.enet.EnetNode.MILLI;
import static dev.wishdir.enet.EnetNode.SECOND;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.HeapMeter;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** What connections hold, as they say it and as it is, and files that many are sent. */
@Tag("slow")
class EnetMemoryTest {
    private static final int MIB = 1 << 20;

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final EnetNode server =
            new EnetNode(network, "10.0.0.1:28785", EnetNode.server(128, 128));

    private static Bytes random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return Bytes.wrap(bytes);
    }

    private record Full(EnetNode server, EnetPeer peer) {}

    /** A connection to one who hears nothing any more. */
    private static Full connection() {
        SimulatedNetwork network = new SimulatedNetwork(1);
        EnetNode server = EnetNode.server(network);
        EnetNode.client(network, 1).connect(server);
        network.conditions(new Conditions(1, 0, MILLI, 0));
        return new Full(server, server.connected.getFirst());
    }

    @Test
    @DisplayName("G14 what a connection says that it holds is the heap that it takes")
    void accountsForActualHeap() {
        for (int length : new int[] {1, 100, 10_000}) {
            int count = Math.min(6000, 1_500_000 / length);
            Iterator<Full> connections =
                    Stream.generate(EnetMemoryTest::connection)
                            .limit(HeapMeter.TAKES)
                            .toList()
                            .iterator();
            HeapMeter.Taken<Full> full =
                    HeapMeter.taken(() -> {
                        Full connection = connections.next();
                        for (int i = 0; i < count; i++) {
                            connection.peer.send(1, Bytes.wrap(new byte[length]), true);
                        }
                        connection.server.wake();
                        connection.server.network.run(MILLI);
                        return connection;
                    });
            assertThat(full.made().peer().connected()).isTrue();
            assertThat((double) full.made().peer().retainedBytes() / full.bytes())
                    .as("%d of %d bytes", count, length)
                    .isBetween(0.5, 2.0);
            assertThat(full.made().peer().isCongested()).isTrue();
        }
    }

    @Test
    @DisplayName("G16 fifty who are sent a map and acknowledge nothing hold it once")
    void sharesFileAmongPeers() {
        List<EnetNode> clients = new ArrayList<>();
        for (int i = 1; i <= 50; i++) {
            EnetNode client = EnetNode.client(network, i);
            client.connect(server);
            clients.add(client);
        }
        network.run(SECOND);
        network.conditions(new Conditions(1, 0, MILLI, 0));
        EnetSharedPayload map = new EnetSharedPayload(random(4 * MIB));
        long before = heap();
        for (EnetPeer peer : server.connected) {
            assertThat(peer.sendFile(2, map)).isTrue();
            for (int again = 0; again < 3; again++) {
                assertThat(peer.sendFile(2, map)).as("one is on its way").isFalse();
            }
        }
        server.wake();
        network.run(100 * MILLI);
        long held = server.connected.stream().mapToLong(EnetPeer::retainedBytes).sum();
        assertThat(held).isBetween(4L * MIB - 50, 6L * MIB);
        assertThat(heap() - before).isLessThan(4L * MIB);
        assertThat(server.connected).noneMatch(EnetPeer::isCongested);
        // A leaving peer's share goes to the others; in the end no peer is left and nothing is
        // retained.
        clients.forEach(client -> client.socket.close());
        network.run(60 * SECOND);
        assertThat(server.ended).hasSize(50);
        assertThat(map.share()).isZero();
        assertThat(server.connected.stream().mapToLong(EnetPeer::retainedBytes).sum()).isZero();
    }

    private static long heap() {
        System.gc();
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    void deliversFileWholeAndLetsMessagesPass() {
        EnetNode client = EnetNode.client(network, 1);
        client.connect(server);
        EnetPeer peer = server.connected.getFirst();
        network.conditions(new Conditions(0.05, 0, 20 * MILLI, 5 * MILLI));
        Bytes map = random(3 * MIB);
        assertThat(peer.sendFile(2, new EnetSharedPayload(map))).isTrue();
        assertThat(peer.retainedBytes()).isCloseTo(map.length(), within(1000L));
        peer.send(2, Bytes.of((byte) 9), true);
        for (int i = 0; i < 20; i++) {
            peer.send(1, Bytes.of((byte) i), true);
            server.wake();
            network.run(100 * MILLI);
        }
        assertThat(client.received)
                .filteredOn(message -> message.channel() == 1)
                .hasSizeGreaterThan(15);
        assertThat(client.received).noneMatch(message -> message.channel() == 2);
        network.run(120 * SECOND);
        assertThat(client.received)
                .filteredOn(message -> message.channel() == 2)
                .extracting(EnetNode.Message::payload)
                .containsExactly(map, Bytes.of((byte) 9));
        assertThat(peer.isSendingFile()).isFalse();
        assertThat(peer.retainedBytes()).isLessThan(500);
        assertThat(peer.sendFile(2, new EnetSharedPayload(Bytes.of((byte) 1)))).isTrue();
        server.wake();
        network.run(SECOND);
        assertThat(client.received)
                .extracting(EnetNode.Message::payload)
                .contains(Bytes.of((byte) 1));
    }
}
