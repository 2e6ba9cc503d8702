package dev.wishdir.quake2.movement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.quake2.Quake2Captures;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.wire.dissect.Datagram;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Real clients on real servers: what they sent, run through our movement among the bodies and boxes
 * that they were shown, against the states that the servers came to.
 */
class CaptureMotionTest {
    /** Where not all are equal, the game itself moved the player: its death and its new body. */
    @ParameterizedTest
    @CsvSource({
        "02-yq2server-yq2client, 197/199",
        "03-yq2server-two-clients, 92/92 116/116",
        "05-q2proserver-q2proclient, 132/134",
        "06-q2proserver-yq2client, 59/59",
        "07-mapchange-kick-shutdown, 44/44 45/45 39/39",
        "08-download, 66/66",
        "09-longrun-sequences, 177/177"
    })
    void reproducesEveryComparableFrame(String capture, String expected) {
        Map<Integer, PassiveDecoder> connections = new TreeMap<>();
        List<PassiveDecoder> ended = new ArrayList<>();
        for (Datagram datagram : Quake2Captures.FILES.datagrams(capture)) {
            byte[] packet = datagram.payload().toArray();
            boolean fromClient = Quake2Captures.isServer(datagram.destination().getPort());
            int port = fromClient ? datagram.source().getPort() : datagram.destination().getPort();
            if (OutOfBand.is(packet)) {
                if (OutOfBand.of(packet).orElseThrow().name().equals("client_connect")) {
                    PassiveDecoder before =
                            connections.put(
                                    port, new PassiveDecoder(Quake2Captures::world, "q2box1.bsp"));
                    if (before != null) {
                        ended.add(before);
                    }
                }
                continue;
            }
            connections
                    .computeIfAbsent(
                            port, _ -> new PassiveDecoder(Quake2Captures::world, "q2box1.bsp"))
                    .heard(fromClient, packet);
        }
        ended.addAll(connections.values());
        assertThat(ended.stream().flatMap(connection -> connection.ways().stream()))
                .containsExactlyInAnyOrder(expected.split(" "));
    }
}
