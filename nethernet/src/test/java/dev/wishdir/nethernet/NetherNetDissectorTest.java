package dev.wishdir.nethernet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Traced;
import dev.wishdir.wire.Writer;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.Dissector.Direction;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What is said of a capture between two libwebrtc, and of recordings. */
class NetherNetDissectorTest {
    private static final InetAddress HERE = InetAddress.ofLiteral("127.0.0.1");

    private final List<DissectedMessage> lines = new ArrayList<>();
    private final NetherNetDissector dissector = new NetherNetDissector("game", true);

    private static Datagram datagram(int frame, Captures.Udp udp) {
        return new Datagram(
                frame,
                0,
                new InetSocketAddress(HERE, udp.from),
                new InetSocketAddress(HERE, udp.to),
                Bytes.of(udp.data));
    }

    /** Explains datagrams as an inspector would, a flow once it is recognised. */
    private void explain(List<Captures.Udp> datagrams) {
        Map<String, Integer> servers = new HashMap<>();
        for (int i = 0; i < datagrams.size(); i++) {
            Captures.Udp udp = datagrams.get(i);
            Datagram datagram = datagram(i, udp);
            String flow = Math.min(udp.from, udp.to) + "-" + Math.max(udp.from, udp.to);
            Optional<Direction> way = dissector.recognise(datagram);
            way.ifPresent(
                    each -> servers.putIfAbsent(flow, each == Direction.C2S ? udp.to : udp.from));
            int server = servers.getOrDefault(flow, 0);
            assertThat(server).isPositive();
            Direction direction = udp.to == server ? Direction.C2S : Direction.S2C;
            dissector.datagram(datagram, direction, lines::add);
        }
    }

    private List<DissectedMessage> named(String name) {
        return lines.stream().filter(message -> message.name().equals(name)).toList();
    }

    private static void assertCovers(DissectedMessage message, int bytes) {
        int covered = 0;
        for (Traced field : message.trace()) {
            if (!field.part()) {
                assertThat(field.bit()).as("%s %s", message.name(), field).isEqualTo(covered);
                covered += field.bits();
            }
        }
        assertThat(covered).as(message.name()).isEqualTo(8 * bytes);
    }

    @Test
    void explainsEveryDatagramOfSession() {
        List<Captures.Udp> datagrams = Captures.udp("session.pcap");
        explain(datagrams);
        assertThat(lines)
                .extracting(DissectedMessage::name)
                .doesNotContain("malformed", "unknown")
                .contains(
                        "binding_request",
                        "binding_success",
                        "binding_error",
                        "client_hello",
                        "server_hello",
                        "certificate",
                        "server_key_exchange",
                        "certificate_request",
                        "server_hello_done",
                        "client_key_exchange",
                        "certificate_verify",
                        "new_session_ticket",
                        "lan_request",
                        "lan_response",
                        "lan_advertisement",
                        "lan_message");
        assertThat(String.valueOf(named("server_hello").getFirst().fields().get("suite")))
                .isEqualTo("ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
        // Of both sides of two sessions; the descriptions name them.
        assertThat(named("certificate")).hasSize(4);
        String answer =
                Captures.lines("http.jsonl")
                        .get(2)
                        .getAsJsonObject("response")
                        .get("body")
                        .getAsString();
        List<?> hash =
                (List<?>)
                        Objects.requireNonNull(named("certificate").get(1).fields().get("sha256"));
        assertThat(answer).contains("a=fingerprint:sha-256 " + hash.getFirst());
        for (DissectedMessage message : lines) {
            if (message.layer() == DissectedMessage.Layer.TRANSPORT) {
                assertCovers(message, datagrams.get((int) message.frame()).data.length);
            }
        }
    }

    @Test
    void explainsDiscoveryInBothLayouts() {
        for (var vector : Captures.vectors("lan")) {
            byte[] data = Bytes.ofHex(vector.get("datagram").getAsString()).toArray();
            int server = 7551;
            boolean request = vector.get("type").getAsInt() == 0;
            explain(
                    List.of(
                            new Captures.Udp(
                                    request ? 5000 : server, request ? server : 5000, data)));
        }
        assertThat(lines).extracting(DissectedMessage::name).doesNotContain("malformed", "unknown");
        assertThat(named("lan_advertisement"))
                .extracting(message -> String.valueOf(message.fields().get("layout")))
                .containsExactly("7", "6");
        for (DissectedMessage each : named("lan_advertisement")) {
            assertThat(String.valueOf(each.fields().get("name"))).isEqualTo("Dedicated Server");
            assertThat(String.valueOf(each.fields().get("max_players"))).isEqualTo("10");
            assertThat(each.trace()).noneMatch(field -> field.name().equals("more"));
            int bits = each.trace().stream().mapToInt(Traced::bits).sum();
            assertCovers(each, bits / 8);
        }
        Map<String, ?> error = named("lan_message").getFirst().fields();
        assertThat(String.valueOf(error.get("word"))).isEqualTo("CONNECTERROR");
        assertThat(String.valueOf(error.get("text"))).isEqualTo("37");
    }

    @Test
    void explainsSecondSessionFromStart() {
        List<Captures.Udp> ofOnePort = new ArrayList<>();
        for (Captures.Udp udp : Captures.udp("session.pcap")) {
            ofOnePort.add(
                    new Captures.Udp(
                            udp.from == 36101 ? 36100 : udp.from,
                            udp.to == 36101 ? 36100 : udp.to,
                            udp.data));
        }
        explain(ofOnePort);
        assertThat(named("certificate_verify")).hasSize(2);
    }

    @Test
    void explainsFragmentedMessagesOnce() {
        List<byte[]> parts = new ArrayList<>();
        Captures.Udp hello =
                Captures.udp("session.pcap").stream()
                        .filter(udp -> udp.data[0] == 22)
                        .findFirst()
                        .orElseThrow();
        byte[] body = Bytes.of(hello.data).slice(25, hello.data.length - 25).toArray();
        for (int at : new int[] {0, 60, 0}) {
            int count = at == 0 ? 60 : body.length - 60;
            Writer w = new Writer(2000);
            w.append(hello.data, 0, 11);
            w.u16be("length", DtlsHeader.BYTES + count);
            DtlsHeader.wire(w, new DtlsHeader(1, body.length, 0, at, count));
            w.append(body, at, count);
            parts.add(w.toByteArray());
        }
        for (byte[] part : parts) {
            dissector.datagram(
                    datagram(0, new Captures.Udp(1, 2, part)), Direction.S2C, lines::add);
        }
        assertThat(named("dtls")).hasSize(3);
        assertThat(named("client_hello")).hasSize(1);
        assertCovers(named("client_hello").getFirst(), body.length);
    }

    @Test
    void joinsChannelMessagesOfRecording() {
        byte[] content = Captures.bytes("datachannel.jsonl");
        assertThat(dissector.recogniseFile("any.jsonl", Bytes.wrap(content))).isTrue();
        assertThat(dissector.recogniseFile("any", Bytes.of((byte) '{'))).isFalse();
        dissector.file(Bytes.wrap(content), lines::add);
        assertThat(named("channel_message"))
                .hasSize(Captures.lines("datachannel.jsonl").size())
                .anyMatch(message -> Boolean.TRUE.equals(message.fields().get("cut")));
        lines.clear();
        String parts =
                """
                {"t":1,"dir":"in","label":"ReliableDataChannel","hex":"010a"}
                {"t":2,"dir":"in","label":"ReliableDataChannel","hex":"000b0c"}
                {"t":3,"dir":"in","label":"UnreliableDataChannel","hex":"010b0c"}
                """;
        dissector.file(Bytes.wrap(parts.getBytes(StandardCharsets.UTF_8)), lines::add);
        assertThat(lines)
                .extracting(DissectedMessage::name)
                .containsExactly("channel_message", "channel_message", "packet", "malformed");
        assertThat(String.valueOf(named("packet").getFirst().fields())).isEqualTo("{length=3}");
        assertThat(named("packet").getFirst().direction()).isEqualTo(Direction.S2C);
    }

    @Test
    void namesLineOfInvalidRecording() {
        String broken = "{\"label\":\"ReliableDataChannel\",\"hex\":\"00ff\"}\nno json\n";
        Bytes content = Bytes.wrap(broken.getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> dissector.file(content, lines::add))
                .isInstanceOf(MalformedPacketException.class)
                .hasMessageContaining("line 2");
    }
}
