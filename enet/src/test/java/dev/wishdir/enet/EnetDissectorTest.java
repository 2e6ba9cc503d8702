package dev.wishdir.enet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.DissectedMessage.Layer;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

class EnetDissectorTest {
    @Test
    void explainsCaptureByCommand() {
        SimulatedNetwork network = new SimulatedNetwork(1);
        List<Datagram> capture = new ArrayList<>();
        network.tap((now, from, to, data) ->
                capture.add(new Datagram(capture.size() + 1, now / 1e9, from, to, Bytes.of(data))));
        EnetNode server = EnetNode.server(network);
        server.onReceived = (peer, payload) -> peer.send(0, payload, true);
        EnetNode client = EnetNode.client(network, 1);
        EnetPeer peer = client.connect(server);
        peer.send(0, Bytes.wrap("hello".getBytes(StandardCharsets.UTF_8)), true);
        peer.send(0, Bytes.wrap(new byte[3000]), true);
        client.wake();
        assertThat(network.runUntil(() -> client.received.size() == 2, 10 * EnetNode.SECOND))
                .isTrue();

        EnetDissector dissector = new EnetDissector(true);
        List<DissectedMessage> lines = new ArrayList<>();
        for (Datagram datagram : capture) {
            dissector
                    .recognise(datagram)
                    .ifPresent(way -> dissector.datagram(datagram, way, lines::add));
        }
        assertThat(lines).extracting(DissectedMessage::game).containsOnly("enet");
        assertThat(lines)
                .filteredOn(message -> message.layer() == Layer.TRANSPORT)
                .extracting(DissectedMessage::name)
                .startsWith("CONNECT", "VERIFY_CONNECT", "ACK")
                .contains("SEND_RELIABLE", "SEND_FRAGMENT")
                .doesNotContain("malformed");
        assertThat(lines.getFirst().trace()).extracting(field -> field.name()).contains("peerWord");
        assertThat(lines)
                .filteredOn(message -> message.layer() == Layer.MESSAGE)
                .extracting(message -> message.direction().label() + " " + message.bytes().length())
                .containsExactly("c2s 5", "c2s 3000", "s2c 5", "s2c 3000");
    }

    @Test
    void reportsForeignBytesAsLine() {
        EnetDissector dissector = new EnetDissector(false);
        Datagram rubbish =
                new Datagram(
                        1,
                        0,
                        EnetNode.address("10.0.0.2:5000"),
                        EnetNode.address("10.0.0.1:5000"),
                        Bytes.ofHex("ffffffff20"));
        assertThat(dissector.recognise(rubbish)).isEmpty();
        List<DissectedMessage> lines = new ArrayList<>();
        dissector.datagram(rubbish, Direction.C2S, lines::add);
        assertThat(lines).extracting(DissectedMessage::name).containsExactly("malformed");
    }
}
