package dev.wishdir.enet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class EnetDefectTest {
    private static final long SECOND = 1_000_000_000;

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final EnetNode server = EnetNode.server(network);

    @Test
    @DisplayName("G30: a connection that throws in each turn, before others")
    void servesConnectionsBehindOneThatThrows() {
        List<Throwable> defects = new ArrayList<>();
        network.onDefect(defects::add);
        EnetNode first = EnetNode.client(network, 1);
        EnetNode second = EnetNode.client(network, 2);
        first.connect(server);
        EnetPeer atSecond = second.connect(server);
        server.breaks = first.socket.local()::equals;
        EnetPeer toSecond = server.connected.getLast();
        server.connected.getFirst().send(0, Bytes.of((byte) 1), true);
        toSecond.send(0, Bytes.of((byte) 2), true);
        server.wake();
        network.run(SECOND / 10);
        assertThat(second.received).hasSize(1);
        network.run(20 * SECOND);
        assertThat(atSecond.connected() && toSecond.connected()).isTrue();
        assertThat(server.ended)
                .extracting(EnetNode.Ended::cause)
                .containsExactly(EnetDisconnectReason.DEFECT);
        assertThat(server.host.peers()).containsExactly(toSecond);
        assertThat(defects).hasSize(1);
    }

    @Test
    @DisplayName("B19: a forged DISCONNECT while a client connects")
    void connectsInSpiteOfForgedDisconnect() {
        EnetNode client = EnetNode.client(network, 1);
        EnetPeer peer = client.host.connect(server.socket.local(), 0);
        // Peer 0, session 0, no time; DISCONNECT of channel 255, unsequenced, reason 7.
        for (int session = 0; session < 4; session++) {
            byte[] forged = {(byte) (session << 4), 0, 0x45, (byte) 0xFF, 0, 1, 0, 0, 0, 7};
            network.inject(server.socket.local(), client.socket.local(), forged);
        }
        network.run(SECOND);
        assertThat(client.ended).isEmpty();
        assertThat(peer.connected()).isTrue();
    }
}
