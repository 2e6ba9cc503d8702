package dev.wishdir.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.PlayerName;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;

final class FlowSummaryTest {
    private static final InetSocketAddress CLIENT =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 4000);
    private static final InetSocketAddress SERVER =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 5000);

    private static Datagram datagram(double time, Direction direction, int length) {
        Bytes payload = Bytes.wrap(new byte[length]);
        return direction == Direction.C2S
                ? new Datagram(1, time, CLIENT, SERVER, payload)
                : new Datagram(1, time, SERVER, CLIENT, payload);
    }

    private static DissectedMessage line(
            double time,
            Direction direction,
            DissectedMessage.Layer layer,
            String name,
            Map<String, ?> fields) {
        return DissectedMessage.of(
                datagram(time, direction, 0), direction, "golf", layer, name, fields);
    }

    private static DissectedMessage hello(String name) {
        return line(0, Direction.C2S, DissectedMessage.Layer.MESSAGE, "hello", Map.of())
                .withPlayer(new PlayerName(name, name));
    }

    private static FlowSummary flow() {
        DissectedMessage first =
                line(0, Direction.C2S, DissectedMessage.Layer.MESSAGE, "hello", Map.of());
        return new FlowSummary("file", first, datagram(0, Direction.C2S, 0));
    }

    private static void transport(
            FlowSummary flow, double time, Direction way, String name, Map<String, ?> fields) {
        flow.message(line(time, way, DissectedMessage.Layer.TRANSPORT, name, fields));
    }

    @Test
    void measuresNoRoundTripOfRetransmission() {
        FlowSummary flow = flow();
        Map<String, ?> sent = Map.of("flags", "A", "channel", 1, "seq", 7);
        transport(flow, 1.0, Direction.C2S, "SEND_RELIABLE", sent);
        transport(flow, 1.5, Direction.C2S, "SEND_RELIABLE", sent);
        transport(flow, 1.6, Direction.S2C, "ACK", Map.of("flags", "", "channel", 1, "recvSeq", 7));
        transport(flow, 1.7, Direction.C2S, "SEND_RELIABLE", sent);
        assertThat(flow.c2s().resent())
                .as("the last although it had been acknowledged")
                .isEqualTo(2);
        assertThat(flow.roundTrips()).isZero();

        transport(
                flow,
                2.0,
                Direction.C2S,
                "SEND_RELIABLE",
                Map.of("flags", "A", "channel", 1, "seq", 8));
        transport(flow, 2.05, Direction.S2C, "ACK", Map.of("channel", 1, "recvSeq", 8));
        assertThat(flow.meanMillis()).isBetween(49.9, 50.1);
    }

    @Test
    void countsSequenceGapsAndNackRanges() {
        FlowSummary flow = flow();
        for (int sequence : List.of(5, 6, 9)) {
            transport(flow, 1, Direction.S2C, "netchan", Map.of("seq", sequence));
        }
        assertThat(flow.s2c().lost()).isEqualTo(2);
        transport(flow, 1, Direction.C2S, "nack", Map.of("ranges", List.of(List.of(20, 22))));
        assertThat(flow.s2c().lost()).isEqualTo(5);
        assertThat(flow.c2s().lost()).isZero();
    }

    @Test
    void reportsPeersTimesAndBytesOfFlow() {
        Flows flows = new Flows(2);
        flows.begin("a.pcap");
        flows.count(datagram(1, Direction.S2C, 9), List.of());
        flows.count(datagram(2, Direction.C2S, 100), List.of(hello("ann")));
        flows.count(datagram(4, Direction.S2C, 50), List.of());
        flows.count(datagram(6, Direction.C2S, 300), List.of());

        FlowSummary flow = flows.all().getFirst();
        assertThat(flow.name()).isEqualTo("ann");
        assertThat(flow.playerName().orElseThrow().matches("Ann")).isTrue();
        assertThat(flow.figures())
                .containsEntry("file", "a.pcap")
                .containsEntry("client", "127.0.0.1:4000")
                .containsEntry("server", "127.0.0.1:5000")
                .containsEntry("from", 2.0)
                .containsEntry("to", 6.0)
                .containsEntry(
                        "c2s",
                        Map.of(
                                "packets", 2L,
                                "bytes", 400L,
                                "packetsPerSecond", 0.5,
                                "bytesPerSecond", 100.0,
                                "resent", 0L))
                .doesNotContainKey("meanMillis");
        assertThat(flow.s2c().packets()).isEqualTo(1);
    }

    @Test
    void startsNewFlowsForAnotherCapture() {
        Flows flows = new Flows(2);
        for (String file : List.of("a", "b", "c")) {
            flows.begin(file);
            flows.count(datagram(0, Direction.C2S, 1), List.of(hello(file)));
        }

        assertThat(flows.all()).extracting(FlowSummary::name).containsExactly("a", "b");
        assertThat(flows.all()).extracting(FlowSummary::file).containsExactly("a", "b");
    }

    @Test
    void reportsNoRateOfInstant() {
        FlowSummary flow = flow();
        flow.datagram(datagram(0.5, Direction.C2S, 100), Direction.C2S);

        assertThat(flow.hasRates()).isFalse();
        assertThat(flow.figures().get("c2s")).asString().doesNotContain("PerSecond");
    }

    @Test
    void replacesConnectionThatWasSilentLongest() {
        Flows flows = Flows.newest(2);
        for (int port : List.of(1, 2, 1, 3)) {
            InetSocketAddress client = new InetSocketAddress(CLIENT.getAddress(), port);
            Datagram datagram = new Datagram(1, port, client, SERVER, Bytes.wrap(new byte[5]));
            DissectedMessage message =
                    DissectedMessage.of(
                            datagram,
                            Direction.C2S,
                            "golf",
                            DissectedMessage.Layer.MESSAGE,
                            "putt",
                            Map.of());
            flows.count(datagram, List.of(message));
        }
        assertThat(flows.all()).extracting(FlowSummary::player).containsExactly(1, 3);
        assertThat(flows.all().getFirst().c2s().packets()).isEqualTo(2);
    }
}
