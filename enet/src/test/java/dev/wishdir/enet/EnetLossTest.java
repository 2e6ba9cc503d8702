package dev.wishdir.enet;

import static dev.wishdir.enet.EnetNode.MILLI;
import static dev.wishdir.enet.EnetNode.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Loss, duplication and reordering both ways. */
class EnetLossTest {
    private static final Conditions BAD = new Conditions(0.2, 0.1, 20 * MILLI, 30 * MILLI);

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final EnetNode server = EnetNode.server(network);
    private final EnetNode client = EnetNode.client(network, 1);

    private static Bytes numbered(int number, int length, Random random) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        ByteBuffer.wrap(bytes).putInt(0, number);
        return Bytes.wrap(bytes);
    }

    private static int number(Bytes payload) {
        return ByteBuffer.wrap(payload.toArray()).getInt(0);
    }

    private static List<Bytes> received(EnetNode node, int channel, boolean reliable) {
        return node.received.stream()
                .filter(m -> m.channel() == channel && m.reliable() == reliable)
                .map(EnetNode.Message::payload)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void deliversReliableOnceInOrderAndUnreliableForward(long seed) {
        SimulatedNetwork network = new SimulatedNetwork(seed);
        EnetNode server = EnetNode.server(network);
        EnetNode client = EnetNode.client(network, 1);
        network.conditions(BAD);
        EnetPeer up = client.connect(server);
        EnetPeer down = server.connected.getFirst();
        Random random = new Random(seed);
        List<List<Bytes>> sentUp = new ArrayList<>();
        List<List<Bytes>> sentDown = new ArrayList<>();
        for (int channel = 0; channel < 3; channel++) {
            sentUp.add(new ArrayList<>());
            sentDown.add(new ArrayList<>());
        }
        for (int i = 0; i < 600; i++) {
            for (int channel = 0; channel < 3; channel++) {
                if (random.nextInt(3) == 0) {
                    // Now and then one that takes fragments.
                    int length = random.nextInt(10) == 0 ? 5000 : 4 + random.nextInt(200);
                    Bytes message = numbered(i, length, random);
                    sentUp.get(channel).add(message);
                    up.send(channel, message, true);
                    sentDown.get(channel).add(message);
                    down.send(channel, message, true);
                }
                up.send(channel, numbered(i, 20, random), false);
                down.send(channel, numbered(i, 20, random), false);
            }
            client.wake();
            server.wake();
            network.run(33 * MILLI);
        }
        network.run(30 * SECOND);

        assertThat(client.ended).isEmpty();
        assertThat(server.ended).isEmpty();
        assertThat(up.traffic().lostOut()).isPositive();
        assertThat(up.queuedBytes()).isZero();
        assertThat(down.incompleteBytes()).isZero();
        for (int channel = 0; channel < 3; channel++) {
            assertThat(received(server, channel, true)).isEqualTo(sentUp.get(channel));
            assertThat(received(client, channel, true)).isEqualTo(sentDown.get(channel));
            for (EnetNode node : List.of(server, client)) {
                List<Integer> numbers =
                        received(node, channel, false).stream().map(EnetLossTest::number).toList();
                assertThat(numbers).hasSizeBetween(100, 600);
                assertThat(numbers).isEqualTo(numbers.stream().distinct().sorted().toList());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1372, 1373, 2744, 2745, 100_000, 3_000_000})
    void completesLongMessageDespiteLoss(int length) {
        network.conditions(BAD);
        EnetPeer peer = client.connect(server);
        Bytes message = numbered(length, length, new Random(length));
        // Too long for one datagram, a message is reliable even if it is not meant to be.
        peer.send(2, message, length == 1372 || length == 1373);
        peer.send(2, Bytes.of((byte) 1), true);
        client.wake();
        network.runUntil(() -> server.received.size() == 2, 600 * SECOND);
        assertThat(server.received)
                .extracting(EnetNode.Message::payload)
                .containsExactly(message, Bytes.of((byte) 1));
        assertThat(server.connected.getFirst().incompleteBytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void deliversUnreliableFragmentsWholeOrNot(long seed) {
        SimulatedNetwork network = new SimulatedNetwork(seed);
        EnetNode server = EnetNode.server(network);
        EnetPeer peer = EnetNode.client(network, 1).connect(server);
        network.conditions(new Conditions(0.1, 0.1, 20 * MILLI, 30 * MILLI));
        Random random = new Random(seed);
        List<Bytes> sent = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            sent.add(numbered(i, 4000, random));
            peer.sendUnreliable(0, sent.getLast());
            network.run(33 * MILLI);
        }
        network.conditions(Conditions.PERFECT);
        sent.add(numbered(300, 4000, random));
        peer.sendUnreliable(0, sent.getLast());
        network.run(SECOND);
        List<Bytes> received = received(server, 0, false);
        assertThat(received).hasSizeBetween(50, 280).endsWith(sent.getLast());
        List<Integer> numbers = received.stream().map(EnetLossTest::number).toList();
        assertThat(numbers).isEqualTo(numbers.stream().distinct().sorted().toList());
        for (Bytes message : received) {
            assertThat(message).isEqualTo(sent.get(number(message)));
        }
        assertThat(server.connected.getFirst().incompleteBytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void deliversUnsequencedOnceInAnyOrder(long seed) {
        SimulatedNetwork network = new SimulatedNetwork(seed);
        EnetNode server = EnetNode.server(network);
        EnetPeer peer = EnetNode.client(network, 1).connect(server);
        network.conditions(new Conditions(0.2, 0.3, 20 * MILLI, 30 * MILLI));
        for (int i = 0; i < 3000; i++) {
            peer.sendUnsequenced(0, numbered(i, 10, new Random(i)));
            network.run(10 * MILLI);
        }
        network.run(SECOND);
        List<Integer> numbers =
                received(server, 0, false).stream().map(EnetLossTest::number).toList();
        assertThat(numbers)
                .doesNotHaveDuplicates()
                .hasSizeBetween(1800, 2800)
                .isNotEqualTo(numbers.stream().sorted().toList());
    }
}
