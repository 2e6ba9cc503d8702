package dev.wishdir.raknet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Traced;
import dev.wishdir.wire.WireLaws;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** What a connection of ours is explained as. */
class RakNetDissectorTest {
    private static final long SECOND = RakNetNetwork.SECOND;

    /** A session in which the client sends these batches, explained. */
    private static List<DissectedMessage> session(
            RakNetDissector dissector, Conditions on, int... lengths) {
        RakNetNetwork n = new RakNetNetwork(1);
        n.network.conditions(on);
        List<DissectedMessage> lines = new ArrayList<>();
        int[] number = {0};
        n.network.tap((now, from, to, data) -> {
            Datagram datagram = new Datagram(++number[0], now / 1e9, from, to, Bytes.of(data));
            Direction direction = from.equals(RakNetNetwork.SERVER) ? Direction.S2C : Direction.C2S;
            if ((data[0] & 0x80) == 0) {
                assertThat(dissector.recognise(datagram)).contains(direction);
            }
            dissector.datagram(datagram, direction, lines::add);
        });
        RakNetNetwork.Events client = n.connect(2);
        for (int length : lengths) {
            n.send(client.connected.getFirst(), new byte[length]);
        }
        n.network.run(5 * SECOND);
        return lines;
    }

    @Test
    void namesEveryMessageOnceDespiteDuplicates() {
        RakNetDissector dissector = new RakNetDissector("chat", true, RakNetSettings.client());
        List<DissectedMessage> lines =
                session(dissector, new Conditions(0, 1, 1_000_000, 0), 5, 5000, 70);
        assertThat(lines)
                .extracting(DissectedMessage::name)
                .contains(
                        "open_connection_request_1",
                        "open_connection_reply_1",
                        "open_connection_request_2",
                        "open_connection_reply_2",
                        "connection_request",
                        "connection_request_accepted",
                        "new_incoming_connection",
                        "connected_ping",
                        "ack",
                        "data")
                .doesNotContain("malformed");
        assertThat(lines)
                .filteredOn(message -> message.layer() == DissectedMessage.Layer.MESSAGE)
                .extracting(message -> String.valueOf(message.fields().get("length")))
                .containsExactly("6", "5001", "71");
    }

    @Test
    void tracesEveryByte() {
        RakNetDissector dissector = new RakNetDissector("chat", true, RakNetSettings.client());
        for (DissectedMessage message : session(dissector, Conditions.PERFECT, 5, 3000)) {
            if (message.layer() == DissectedMessage.Layer.TRANSPORT) {
                int covered = 0;
                for (Traced field : message.trace()) {
                    if (!field.part()) {
                        assertThat(field.bit()).as(message.name()).isEqualTo(covered);
                        covered += field.bits();
                    }
                }
                assertThat(covered).as(message.name()).isPositive();
            }
        }
    }

    @Test
    void ignoresOtherMagic() {
        RakNetSettings other = RakNetSettings.client().dialect(11, Bytes.wrap(new byte[16]), 0x86);
        Datagram ping =
                new Datagram(
                        1,
                        0,
                        RakNetNetwork.address(2, 2),
                        RakNetNetwork.SERVER,
                        Bytes.of(
                                WireLaws.write(
                                        new OfflineMessage.UnconnectedPing(false, 1, 2),
                                        (w, m) ->
                                                OfflineMessage.UnconnectedPing.wire(
                                                        w, m, RakNetSettings.MAGIC))));
        assertThat(new RakNetDissector("chat", false, other).recognise(ping)).isEmpty();
        assertThat(new RakNetDissector("chat", false, RakNetSettings.client()).recognise(ping))
                .contains(Direction.C2S);
    }
}
