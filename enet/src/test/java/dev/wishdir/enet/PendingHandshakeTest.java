package dev.wishdir.enet;

import static dev.wishdir.enet.EnetNode.MILLI;
import static dev.wishdir.enet.EnetNode.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.enet.EnetCommand.Connect;
import dev.wishdir.enet.EnetCommand.Terms;
import dev.wishdir.enet.EnetCommand.VerifyConnect;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.WireLaws;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** How a connection comes up, and how it does not. */
class PendingHandshakeTest {
    record Sent(long millis, InetSocketAddress from, EnetDatagram datagram) {
        EnetCommand first() {
            return datagram.commands().getFirst();
        }
    }

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final EnetNode server = EnetNode.server(network);
    private final EnetNode client = EnetNode.client(network, 1);
    private final List<Sent> sent = new ArrayList<>();

    @BeforeEach
    void watch() {
        network.tap((now, from, _, data) ->
                sent.add(
                        new Sent(
                                now / MILLI,
                                from,
                                EnetDatagram.wire(new Reader(data), EnetDatagram.BLANK))));
    }

    @Test
    void connectsWithThreeDatagrams() {
        EnetPeer peer = client.connect(server);
        assertThat(sent).hasSize(3);

        Connect connect = (Connect) sent.get(0).first();
        assertThat(sent.get(0).datagram().header().peerID()).isEqualTo(EnetHeader.NO_PEER);
        assertThat(connect.data()).isZero();
        assertThat(connect.terms())
                .isEqualTo(
                        new Terms(0, 255, 255, 1400, 65536, 3, 0, 0, 5000, 2, 2, peer.connectID()));

        VerifyConnect verify = (VerifyConnect) sent.get(1).first();
        Terms granted = verify.terms();
        assertThat(granted)
                .isEqualTo(
                        new Terms(
                                granted.outgoingPeerID(),
                                sent.get(1).datagram().header().session(),
                                sent.get(2).datagram().header().session(),
                                1400,
                                65536,
                                3,
                                0,
                                0,
                                5000,
                                2,
                                2,
                                peer.connectID()));
        assertThat(sent.get(2).datagram().header().peerID()).isEqualTo(granted.outgoingPeerID());

        assertThat(sent.get(2).datagram().commands())
                .containsExactly(
                        new EnetCommand.Ack(
                                0,
                                255,
                                verify.seq(),
                                verify.seq(),
                                sent.get(1).datagram().header().sentTime()));
        assertThat(server.connected).hasSize(1);
        assertThat(client.connected).containsExactly(peer);
        assertThat(server.connected.getFirst().roundTrip()).isEqualTo(2);
    }

    @Test
    void repeatsConnectWithBackoffOfTwoSecondsAtMost() {
        network.conditions(new SimulatedNetwork.Conditions(1, 0, MILLI, 0));
        EnetPeer peer = client.host.connect(server.socket.local(), 0);
        client.wake();
        network.run(60 * SECOND);
        List<Long> times = new ArrayList<>(List.of(0L, 500L));
        for (long time = 1500; time < 30_000; time += 2000) {
            times.add(time);
        }
        assertThat(sent).extracting(Sent::millis).isEqualTo(times);
        assertThat(client.ended)
                .containsExactly(new EnetNode.Ended(peer, 0, EnetDisconnectReason.TIMEOUT));
    }

    @Test
    void resendsLostVerifyOnConnect() {
        network.tap((_, from, _, _) ->
                network.conditions(
                        new SimulatedNetwork.Conditions(
                                from.equals(server.socket.local()) && sent.size() < 3 ? 1 : 0,
                                0,
                                MILLI,
                                0)));
        client.connect(server);
        assertThat(sent).extracting(Sent::millis).containsExactly(0L, 1L, 500L, 501L, 502L);
        assertThat(server.host.peers()).hasSize(1);
        assertThat(server.host.halfOpen()).isZero();
    }

    @Test
    void recoversLostProof() {
        network.tap((_, from, _, _) ->
                network.conditions(
                        new SimulatedNetwork.Conditions(
                                from.equals(client.socket.local()) && sent.size() == 3 ? 1 : 0,
                                0,
                                MILLI,
                                0)));
        EnetPeer peer = client.host.connect(server.socket.local(), 0);
        client.wake();
        network.run(10 * MILLI);
        assertThat(peer.connected()).isTrue();
        assertThat(server.connected).isEmpty();
        network.run(100 * MILLI);
        peer.send(1, Bytes.of((byte) 7), true);
        client.wake();
        network.run(5 * SECOND);
        assertThat(server.connected).hasSize(1);
        assertThat(server.received)
                .extracting(EnetNode.Message::payload)
                .containsExactly(Bytes.of((byte) 7));
    }

    @Test
    void ignoresDuplicateProofInRoundTrip() {
        network.conditions(new SimulatedNetwork.Conditions(0, 1, MILLI, 0));
        client.connect(server);
        network.run(10 * MILLI);
        assertThat(server.connected).hasSize(1);
        assertThat(server.connected.getFirst().roundTrip()).isEqualTo(2);
    }

    /** Each may be guessed; together they are more than 40 bits. */
    @Test
    @DisplayName("G4 slot, session, sequence number and sent time are drawn for each connection")
    void drawsRandomIdentifiers() {
        Set<Integer> slots = new HashSet<>();
        Set<Integer> sequences = new HashSet<>();
        Set<Integer> times = new HashSet<>();
        int session = -1;
        for (int i = 0; i < 64; i++) {
            sent.clear();
            EnetPeer peer = client.connect(server);
            Sent verify = sent.get(1);
            assertThat(verify.datagram().header().session()).isNotEqualTo(session);
            session = verify.datagram().header().session();
            slots.add(((VerifyConnect) verify.first()).terms().outgoingPeerID());
            sequences.add(verify.first().seq());
            times.add(verify.datagram().header().sentTime());
            peer.disconnect(0);
            client.wake();
            network.run(SECOND);
            assertThat(server.host.peers()).isEmpty();
        }
        assertThat(slots).hasSizeGreaterThan(55);
        assertThat(sequences).hasSizeGreaterThan(62);
        assertThat(times).hasSizeGreaterThan(62);
    }

    @Test
    void ignoresDatagramOfEarlierConnection() {
        EnetPeer first = client.connect(server);
        List<byte[]> old = new ArrayList<>();
        network.tap((_, _, _, data) -> old.add(data));
        first.send(1, Bytes.of((byte) 1), true);
        client.wake();
        network.run(MILLI);
        byte[] message = old.getFirst();
        first.disconnect(0);
        client.wake();
        network.run(SECOND);
        server.received.clear();

        EnetPeer second = client.connect(server);
        assertThat(second.connected()).isTrue();
        network.inject(client.socket.local(), server.socket.local(), message);
        network.run(SECOND);
        assertThat(server.received).isEmpty();
        assertThat(server.drops(DropReason.SESSION) + server.drops(DropReason.STRAY)).isEqualTo(1);
    }

    @Test
    void ignoresSecondConnect() {
        List<byte[]> datagrams = new ArrayList<>();
        network.tap((_, _, _, data) -> datagrams.add(data));
        client.connect(server);
        int before = sent.size();
        network.inject(client.socket.local(), server.socket.local(), datagrams.getFirst());
        network.run(100 * MILLI);
        assertThat(sent).hasSize(before);
        assertThat(server.host.peers()).hasSize(1);
        assertThat(server.drops(DropReason.DUPLICATE)).isEqualTo(1);
    }

    @Test
    void replacesConnectionOfRestartedClient() {
        EnetPeer old = client.connect(server);
        EnetPeer oldAtServer = server.connected.getFirst();
        old.reset();
        client.connect(server);
        assertThat(server.host.peers()).hasSize(1);
        assertThat(server.ended)
                .containsExactly(new EnetNode.Ended(oldAtServer, 0, EnetDisconnectReason.REPLACED));
    }

    @Test
    void doesNotAnswerWhenFull() {
        EnetNode small = new EnetNode(network, "10.0.0.2:28785", EnetNode.server(1, 16));
        client.connect(small);
        int before = sent.size();
        EnetNode late = EnetNode.client(network, 2);
        late.host.connect(small.socket.local(), 0);
        late.wake();
        network.run(100 * MILLI);
        assertThat(sent.subList(before, sent.size()))
                .allMatch(s -> s.from().equals(late.socket.local()));
        assertThat(small.drops(DropReason.FULL)).isEqualTo(1);
    }

    @Test
    void limitsConnectionsPerAddress() {
        EnetNode strict = new EnetNode(network, "10.0.0.2:28785", EnetNode.server(16, 2));
        for (int port = 1; port <= 2; port++) {
            new EnetNode(network, "10.5.5.5:" + port, EnetNode.CLIENT).connect(strict);
        }
        EnetNode third = new EnetNode(network, "10.5.5.5:3", EnetNode.CLIENT);
        third.host.connect(strict.socket.local(), 0);
        third.wake();
        network.run(60 * SECOND);
        assertThat(third.ended)
                .extracting(EnetNode.Ended::cause)
                .containsExactly(EnetDisconnectReason.TIMEOUT);
        assertThat(strict.drops(DropReason.ADDRESS)).isPositive();
        EnetNode other = EnetNode.client(network, 4);
        assertThat(other.connect(strict).connected()).isTrue();
    }

    /** A CONNECT from the client's address and port, with another number. */
    private void forgeConnects(int from, int to) {
        for (int id = from; id < to; id++) {
            Terms terms = new Terms(0, 255, 255, 1400, 65536, 3, 0, 0, 5000, 2, 2, id);
            network.inject(
                    client.socket.local(),
                    server.socket.local(),
                    WireLaws.write(
                            new EnetDatagram(
                                    new EnetHeader(EnetHeader.NO_PEER, 0, false, 5),
                                    List.of(new Connect(0x80, 255, 1, terms, 0))),
                            EnetDatagram::wire));
        }
    }

    @Test
    @DisplayName("B1 CONNECTs forged from the address and port of a client that joins and plays")
    void connectsInSpiteOfForgedConnects() {
        forgeConnects(1, 10);
        EnetPeer peer = client.host.connect(server.socket.local(), 0);
        client.wake();
        network.run(MILLI);
        forgeConnects(10, 20);
        network.run(10 * MILLI);
        assertThat(peer.connected()).isTrue();
        assertThat(server.connected).hasSize(1);
        assertThat(server.host.halfOpen()).isZero();
        for (int i = 20; i < 60; i++) {
            forgeConnects(i, i + 1);
            network.run(SECOND / 4);
        }
        assertThat(server.host.halfOpen()).isLessThanOrEqualTo(20);
        assertThat(server.ended).isEmpty();
        assertThat(client.ended).isEmpty();
        network.run(10 * SECOND);
        assertThat(server.host.halfOpen()).isZero();
        assertThat(server.connected.getFirst().connected()).isTrue();
    }

    @Test
    void admitsClientThatStartsAgainBeforeItsProof() {
        EnetPeer first = client.host.connect(server.socket.local(), 0);
        client.wake();
        network.run(MILLI);
        first.reset();
        EnetPeer second = client.host.connect(server.socket.local(), 0);
        client.wake();
        network.run(10 * MILLI);
        assertThat(second.connected()).isTrue();
        assertThat(server.connected)
                .extracting(EnetPeer::connectID)
                .containsExactly(second.connectID());
        assertThat(server.host.halfOpen()).isZero();
    }

    @Test
    @DisplayName("B19 a forged ACK of a CONNECT that is lost: it is repeated")
    void repeatsConnectInSpiteOfForgedAck() {
        network.conditions(new SimulatedNetwork.Conditions(1, 0, MILLI, 0));
        EnetPeer peer = client.host.connect(server.socket.local(), 0);
        client.wake();
        network.run(MILLI);
        network.conditions(new SimulatedNetwork.Conditions(0, 0, MILLI, 0));
        int time = (int) sent.getFirst().millis() & 0xFFFF;
        network.inject(
                server.socket.local(),
                client.socket.local(),
                WireLaws.write(
                        new EnetDatagram(
                                new EnetHeader(0, 0, false, 5),
                                List.of(new EnetCommand.Ack(0, 255, 1, 1, time))),
                        EnetDatagram::wire));
        network.run(SECOND);
        assertThat(peer.connected()).isTrue();
    }

    private void verify(long connectID, long interval) {
        Terms terms = new Terms(0, 0, 0, 1400, 65536, 3, 0, 0, interval, 2, 2, connectID);
        network.inject(
                server.socket.local(),
                client.socket.local(),
                WireLaws.write(
                        new EnetDatagram(
                                new EnetHeader(0, 0, false, 5),
                                List.of(new VerifyConnect(0x80, 255, 1, terms))),
                        EnetDatagram::wire));
        network.run(MILLI);
    }

    @Test
    void refusesUnrequestedTerms() {
        EnetPeer peer = client.host.connect(server.socket.local(), 0);
        verify(peer.connectID() ^ 1, 5000);
        assertThat(client.ended).as("forged, as the server knows the number").isEmpty();
        verify(peer.connectID(), 5001);
        assertThat(client.ended)
                .containsExactly(new EnetNode.Ended(peer, 0, EnetDisconnectReason.PROTOCOL));
    }
}
