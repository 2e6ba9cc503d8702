package dev.wishdir.enet;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.WireLaws;

import java.util.Arrays;

/** Any bytes at all, to the decoder and to a host with a connection. */
class EnetFuzzTest {
    @FuzzTest
    void decode(byte[] data) {
        EnetDatagram datagram;
        try {
            datagram = EnetDatagram.wire(new Reader(data), EnetDatagram.BLANK);
        } catch (MalformedPacketException e) {
            return;
        }
        assertThat(WireLaws.write(datagram, EnetDatagram::wire)).isEqualTo(data);
    }

    /**
     * The first byte of each datagram is its length in the data; all come from a peer's address.
     */
    @FuzzTest
    void receive(byte[] data) {
        SimulatedNetwork network = new SimulatedNetwork(1);
        EnetNode server = EnetNode.server(network);
        EnetNode client = EnetNode.client(network, 1);
        client.connect(server);
        server.onReceived = (peer, payload) -> peer.send(1, payload, true);
        for (int at = 0; at < data.length; ) {
            int length = Math.min(data[at++] & 0xFF, data.length - at);
            byte[] datagram = Arrays.copyOfRange(data, at, at + length);
            at += length;
            network.inject(client.socket.local(), server.socket.local(), datagram);
            network.inject(server.socket.local(), client.socket.local(), datagram);
            network.inject(EnetNode.address("20.0.0.1:1"), server.socket.local(), datagram);
            network.run(50 * EnetNode.MILLI);
        }
        network.run(10 * EnetNode.SECOND);
        for (EnetPeer peer : server.host.peers()) {
            assertThat(peer.incompleteBytes()).isBetween(0, server.settings.receiveMemory());
        }
        assertThat(server.host.halfOpen()).isZero();
    }
}
