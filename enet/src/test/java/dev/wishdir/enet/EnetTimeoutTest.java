package dev.wishdir.enet;

import static dev.wishdir.enet.EnetNode.MILLI;
import static dev.wishdir.enet.EnetNode.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** A peer that is there, one that falls silent, and one that comes back. */
class EnetTimeoutTest {
    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final EnetNode server = EnetNode.server(network);
    private final EnetNode client = EnetNode.client(network, 1);

    /** When the server sent a PING, milliseconds. */
    private final List<Long> pings = new ArrayList<>();

    {
        network.tap((now, from, _, data) -> {
            EnetDatagram datagram = EnetDatagram.wire(new Reader(data), EnetDatagram.BLANK);
            if (from.equals(server.socket.local())
                    && datagram.commands().getLast() instanceof EnetCommand.Ping) {
                pings.add(now / MILLI);
            }
        });
    }

    @Test
    void pingsIdleConnectionTwiceASecond() {
        client.connect(server);
        network.run(600 * SECOND);
        assertThat(pings.size()).isBetween(1150, 1200);
        assertThat(server.host.peers()).hasSize(1);
        assertThat(client.ended).isEmpty();
        assertThat(server.connected.getFirst().roundTrip()).isEqualTo(2);
    }

    /**
     * What the real server did when its client was killed: the PING went out at +0, 41, 118, 270,
     * 576, 1188, 2406, 4841 ms, and the peer was dropped 9.7 s after the first.
     */
    @Test
    void backsOffPingsAndDropsVanishedClient() {
        network.conditions(new Conditions(0, 0, 8 * MILLI, 4 * MILLI));
        EnetPeer peer = client.connect(server);
        EnetPeer atServer = server.connected.getFirst();
        network.run(60 * SECOND);
        client.socket.close();
        peer.reset();
        pings.clear();
        List<Long> dropped = new ArrayList<>();
        network.runUntil(
                () -> {
                    if (!server.ended.isEmpty() && dropped.isEmpty()) {
                        dropped.add(network.now() / MILLI);
                    }
                    return !dropped.isEmpty();
                },
                60 * SECOND);

        long first = pings.getFirst();
        assertThat(pings).hasSizeGreaterThanOrEqualTo(6);
        long timeout = pings.get(1) - first;
        assertThat(timeout).isBetween(atServer.roundTrip() + 4L, 3L * atServer.roundTrip());
        for (int i = 1; i < pings.size(); i++) {
            assertThat(pings.get(i) - pings.get(i - 1)).isEqualTo(timeout << i - 1);
        }
        assertThat(dropped.getFirst() - first).isBetween(5000L, 10_500L);
        assertThat(dropped.getFirst() - pings.getLast()).isEqualTo(timeout << pings.size() - 1);
        assertThat(server.ended)
                .containsExactly(new EnetNode.Ended(atServer, 0, EnetDisconnectReason.TIMEOUT));
        int sent = pings.size();
        network.run(60 * SECOND);
        assertThat(pings).hasSize(sent);
    }

    @Test
    void losesNothingInShortPause() {
        EnetPeer peer = client.connect(server);
        network.run(5 * SECOND);
        network.conditions(new Conditions(1, 0, MILLI, 0));
        for (int i = 0; i < 10; i++) {
            peer.send(1, Bytes.of((byte) i), true);
            client.wake();
            network.run(300 * MILLI);
        }
        network.conditions(Conditions.PERFECT);
        network.run(10 * SECOND);
        assertThat(client.ended).isEmpty();
        assertThat(server.received).hasSize(10);
        assertThat(server.received.getLast().payload()).isEqualTo(Bytes.of((byte) 9));
    }

    @Test
    void dropsPeerThatNeverAcknowledges() {
        EnetPeer peer = client.connect(server);
        client.deaf = true;
        for (int i = 0; i < 3000 && server.ended.isEmpty(); i++) {
            peer.send(0, Bytes.of((byte) 1), false);
            client.wake();
            network.run(33 * MILLI);
        }
        assertThat(server.received).hasSizeGreaterThan(100);
        assertThat(server.ended)
                .extracting(EnetNode.Ended::cause)
                .containsExactly(EnetDisconnectReason.NOT_ACKNOWLEDGING);
    }

    /** It acknowledges all that is short; half a window waits meanwhile. */
    @Test
    void backsOffForPartiallyAcknowledgingPeer() {
        client.connect(server);
        network.run(5 * SECOND);
        client.hears = data -> data.length < 500;
        long[] bytes = new long[1];
        network.tap((_, from, _, data) ->
                bytes[0] += from.equals(server.socket.local()) ? data.length : 0);
        EnetPeer peer = server.connected.getFirst();
        peer.send(2, Bytes.wrap(new byte[NegotiatedParameters.MAX_WINDOW / 2]), true);
        List<Long> seconds = new ArrayList<>();
        for (int second = 0; second < 40; second++) {
            for (int i = 0; i < 30; i++) {
                peer.send(1, Bytes.of((byte) i), true);
                server.wake();
                network.run(SECOND / 30);
            }
            seconds.add(bytes[0]);
            bytes[0] = 0;
        }
        assertThat(seconds.getFirst()).isLessThan(10L * NegotiatedParameters.MAX_WINDOW);
        assertThat(seconds.subList(1, 40))
                .allMatch(sent -> sent < 2L * NegotiatedParameters.MAX_WINDOW);
        assertThat(server.ended).hasSize(1);
    }

    @Test
    void sendsFewDatagramsToSilentPeer() {
        client.connect(server);
        network.run(5 * SECOND);
        EnetPeer peer = server.connected.getFirst();
        client.deaf = true;
        for (int i = 0; i < 1000; i++) {
            peer.send(1, Bytes.wrap(new byte[50]), true);
        }
        server.wake();
        network.run(20 * MILLI);
        long[] datagrams = new long[1];
        network.tap((_, from, _, _) -> datagrams[0] += from.equals(server.socket.local()) ? 1 : 0);
        network.run(SECOND);
        assertThat(datagrams[0]).isBetween(10L, 60L);
        client.deaf = false;
        network.run(5 * SECOND);
        assertThat(client.received).hasSize(1000);
        assertThat(server.ended).isEmpty();
    }

    @Test
    void followsRoundTripOfNetwork() {
        network.conditions(new Conditions(0, 0, 50 * MILLI, 0));
        client.connect(server);
        network.run(20 * SECOND);
        assertThat(server.connected.getFirst().roundTrip()).isBetween(100, 102);
        network.conditions(new Conditions(0, 0, 10 * MILLI, 0));
        network.run(60 * SECOND);
        assertThat(server.connected.getFirst().roundTrip()).isBetween(20, 28);
    }

    @Test
    void keepsConnectionsAcrossClockSteps() {
        EnetPeer peer = client.connect(server);
        network.run(5 * SECOND);
        for (long step : new long[] {3600 * SECOND, -1800 * SECOND, 30 * 86_400 * SECOND}) {
            network.stepClock(step);
            peer.send(1, Bytes.of((byte) 1), true);
            client.wake();
            server.wake();
            network.run(10 * SECOND);
        }
        assertThat(client.ended).isEmpty();
        assertThat(server.ended).isEmpty();
        assertThat(server.received).hasSize(3);
    }
}
