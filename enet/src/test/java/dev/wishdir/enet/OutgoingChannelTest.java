package dev.wishdir.enet;

import static dev.wishdir.enet.EnetNode.MILLI;
import static dev.wishdir.enet.EnetNode.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.enet.EnetCommand.SendReliable;
import dev.wishdir.enet.EnetCommand.SendUnreliable;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.WireLaws;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Sequence numbers of sixteen bits, and the windows that keep them apart. */
class OutgoingChannelTest {
    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final EnetNode server = EnetNode.server(network);
    private final EnetNode client = EnetNode.client(network, 1);
    private final EnetPeer peer = client.connect(server);

    private static Bytes number(int number) {
        return Bytes.wrap(ByteBuffer.allocate(4).putInt(number).array());
    }

    private List<Integer> received(boolean reliable) {
        return server.received.stream()
                .filter(message -> message.reliable() == reliable)
                .map(message -> ByteBuffer.wrap(message.payload().toArray()).getInt())
                .toList();
    }

    @Test
    void wrapsReliableSequence() {
        network.conditions(new Conditions(0.01, 0.01, MILLI, MILLI));
        int count = 150_000;
        for (int i = 0; i < count; i++) {
            assertThat(peer.send(1, number(i), true)).isTrue();
            if (i % 1000 == 999) {
                client.wake();
                network.run(50 * MILLI);
            }
        }
        network.run(60 * SECOND);
        assertThat(received(true)).isEqualTo(IntStream.range(0, count).boxed().toList());
    }

    @Test
    void wrapsFragmentsAndUnreliableSequences() {
        int sent = 0;
        for (int i = 0; i < 700; i++) {
            // A hundred fragments each, so that some message lies across the wrap.
            byte[] message = new byte[100 * 1372];
            ByteBuffer.wrap(message).putInt(i);
            peer.send(1, Bytes.wrap(message), true);
            peer.send(1, number(i), false);
            sent++;
            client.wake();
            network.run(20 * MILLI);
        }
        network.run(SECOND);
        List<Integer> all = IntStream.range(0, sent).boxed().toList();
        assertThat(received(true)).isEqualTo(all);
        assertThat(received(false)).isEqualTo(all);
        assertThat(server.connected.getFirst().incompleteBytes()).isZero();
    }

    @Test
    void sendsUnreliableReliablyBeforeWrap() {
        for (int i = 0; i < 70_000; i++) {
            peer.send(0, number(i), false);
            if (i % 1000 == 0) {
                client.wake();
                network.run(10 * MILLI);
            }
        }
        client.wake();
        network.run(SECOND);
        assertThat(received(true)).containsExactly(65_535);
        assertThat(server.received).hasSize(70_000);
    }

    @Test
    void wrapsPings() {
        network.run(10 * 3600 * SECOND);
        assertThat(client.ended).isEmpty();
        assertThat(server.ended).isEmpty();
        assertThat(peer.traffic().lostOut()).isZero();
    }

    @Test
    void pausesSenderBeforeWindowWraps() {
        Set<Integer> numbers = new HashSet<>();
        network.tap((_, from, _, data) -> {
            if (from.equals(client.socket.local())) {
                EnetDatagram.wire(new Reader(data), EnetDatagram.BLANK).commands().stream()
                        .filter(SendReliable.class::isInstance)
                        .forEach(command -> numbers.add(command.seq()));
            }
        });
        network.conditions(new Conditions(1, 0, MILLI, 0));
        for (int i = 0; i < 20_000; i++) {
            peer.send(1, Bytes.EMPTY, true);
        }
        client.wake();
        network.run(2 * SECOND);
        assertThat(numbers).hasSizeBetween(4096, 2 * 4096);
        network.conditions(Conditions.PERFECT);
        network.run(60 * SECOND);
        assertThat(server.received).hasSize(20_000);
    }

    @Test
    void limitsFlightToWindow() {
        long before = peer.traffic().bytesOut();
        network.conditions(new Conditions(1, 0, MILLI, 0));
        peer.send(1, Bytes.wrap(new byte[1 << 20]), true);
        client.wake();
        network.run(MILLI);
        assertThat(peer.traffic().bytesOut() - before).isBetween(60_000L, 70_000L);
    }

    @Test
    void boundsMemoryForUnacknowledgingPeer() {
        network.conditions(new Conditions(1, 0, MILLI, 0));
        int taken = 0;
        while (peer.send(1, Bytes.wrap(new byte[100_000]), true)) {
            taken++;
        }
        assertThat(taken).isBetween(40, 52);
        assertThat(peer.queuedBytes()).isLessThan(1000);
        client.wake();
        network.run(60 * SECOND);
        assertThat(client.ended)
                .containsExactly(new EnetNode.Ended(peer, 0, EnetDisconnectReason.TIMEOUT));
    }

    private void inject(EnetCommand... commands) {
        network.inject(
                client.socket.local(),
                server.socket.local(),
                WireLaws.write(
                        new EnetDatagram(
                                client.host.peers().getFirst().header(1), List.of(commands)),
                        EnetDatagram::wire));
        network.run(MILLI);
    }

    @Test
    void doesNotAcknowledgeFarNumber() {
        Set<Integer> acknowledged = new HashSet<>();
        network.tap((_, from, _, data) -> {
            if (from.equals(server.socket.local())) {
                EnetDatagram.wire(new Reader(data), EnetDatagram.BLANK).commands().stream()
                        .filter(EnetCommand.Ack.class::isInstance)
                        .forEach(command -> acknowledged.add(command.seq()));
            }
        });
        int[] taken = {1, 2, 7 * 4096 - 1};
        int[] withheld = {7 * 4096, 9 * 4096 - 1};
        int[] old = {9 * 4096, 65_535};
        for (int[] numbers : List.of(taken, withheld, old)) {
            for (int seq : numbers) {
                inject(new SendReliable(0x80, 0, seq, number(seq)));
            }
        }
        assertThat(acknowledged).containsExactlyInAnyOrder(1, 2, 7 * 4096 - 1, 9 * 4096, 65_535);
        assertThat(received(true)).containsExactly(1, 2);
    }

    @Test
    void waitsForReliablePredecessor() {
        inject(
                new SendUnreliable(0, 0, 1, 2, number(12)),
                new SendUnreliable(0, 0, 1, 1, number(11)));
        inject(new SendUnreliable(0, 0, 2, 1, number(21)));
        assertThat(server.received).isEmpty();
        inject(new SendReliable(0x80, 0, 2, number(2)));
        inject(new SendReliable(0x80, 0, 1, number(1)));
        inject(new SendUnreliable(0, 0, 1, 3, number(13)));
        inject(
                new SendUnreliable(0, 0, 2, 1, number(21)),
                new SendUnreliable(0, 0, 2, 5, number(25)));
        assertThat(server.received)
                .extracting(message -> ByteBuffer.wrap(message.payload().toArray()).getInt())
                .containsExactly(1, 11, 12, 2, 21, 25);
        assertThat(server.connected.getFirst().incompleteBytes()).isZero();
    }
}
