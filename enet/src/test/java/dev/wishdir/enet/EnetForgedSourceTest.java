package dev.wishdir.enet;

import static dev.wishdir.enet.EnetNode.MILLI;
import static dev.wishdir.enet.EnetNode.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.enet.EnetCommand.Ack;
import dev.wishdir.enet.EnetCommand.BandwidthLimit;
import dev.wishdir.enet.EnetCommand.Disconnect;
import dev.wishdir.enet.EnetCommand.ThrottleConfigure;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.WireLaws;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.List;

/**
 * What an attacker that forges a connected client's address can do without seeing its traffic: it
 * guesses slot and session, one in some thousands, and then the numbers of commands.
 */
class EnetForgedSourceTest {
    private static final Bytes DATA = Bytes.of((byte) 7);

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final EnetNode server = EnetNode.server(network);
    private final EnetNode client = EnetNode.client(network, 1);
    private EnetPeer peer;

    @BeforeEach
    void connect() {
        peer = client.connect(server);
        network.run(5 * SECOND);
    }

    private void forge(int peerID, int session, EnetCommand... commands) {
        network.inject(
                client.socket.local(),
                server.socket.local(),
                WireLaws.write(
                        new EnetDatagram(
                                new EnetHeader(peerID, session, false, 1), List.of(commands)),
                        EnetDatagram::wire));
        network.run(0);
    }

    private void forge(EnetCommand... commands) {
        EnetHeader header = peer.header(1);
        forge(header.peerID(), header.session(), commands);
    }

    private void isUndisturbed() {
        assertThat(server.ended).isEmpty();
        assertThat(client.ended).isEmpty();
        assertThat(server.connected.getFirst().inBandwidth()).isZero();
        server.received.clear();
        for (int i = 0; i < 100; i++) {
            peer.send(0, DATA, false);
            peer.send(1, DATA, true);
            client.wake();
            network.run(10 * MILLI);
        }
        assertThat(server.received).hasSize(200);
        assertThat(server.connected.getFirst().throttle()).isEqualTo(32);
    }

    @Test
    @DisplayName("B8 a forged DISCONNECT with the right slot and session ends nothing")
    void ignoresDisconnect() {
        for (int seq = 100; seq < 0xFF00; seq += 100) {
            forge(new Disconnect(EnetCommand.UNSEQUENCED, 255, seq, 1));
            forge(new Disconnect(EnetCommand.ACKNOWLEDGE, 255, seq, 1));
            forge(new Disconnect(EnetCommand.ACKNOWLEDGE, 0, 1, 1));
        }
        assertThat(server.drops(DropReason.REFUSED)).isPositive();
        isUndisturbed();
    }

    @Test
    @DisplayName("B8 a forged bandwidth limit or throttle changes nothing")
    void ignoresBandwidthAndThrottle() {
        for (int seq = 100; seq < 0xFF00; seq += 100) {
            forge(new BandwidthLimit(EnetCommand.ACKNOWLEDGE, 255, seq, 1, 1));
            forge(new ThrottleConfigure(EnetCommand.ACKNOWLEDGE, 255, seq, 1, 0, 32));
        }
        isUndisturbed();
    }

    @Test
    @DisplayName("B8 forged acknowledgements with the right slot and session change nothing")
    void ignoresAcknowledgements() {
        for (int seq = 0; seq < 0x10000; seq += 16) {
            forge(new Ack(0, 1, seq, seq, seq * 7 & 0xFFFF));
        }
        isUndisturbed();
    }

    @Test
    @DisplayName("B8, B9 datagrams of every other slot and session are dropped")
    void dropsOtherSlotsAndSessions() {
        EnetHeader right = peer.header(1);
        for (int peerID = 0; peerID < EnetHeader.NO_PEER; peerID++) {
            for (int session = 0; session < 4; session++) {
                if (peerID != right.peerID() || session != right.session()) {
                    forge(peerID, session, new Disconnect(EnetCommand.UNSEQUENCED, 255, 2, 1));
                }
            }
        }
        isUndisturbed();
    }

    @Test
    void takesDisconnectThatContinuesTheNumbers() {
        for (int i = 0; i < 200; i++) {
            network.run(SECOND);
        }
        peer.disconnectNow(5);
        network.run(SECOND);
        assertThat(server.ended)
                .extracting(EnetNode.Ended::cause)
                .containsExactly(EnetDisconnectReason.REMOTE);
    }
}
