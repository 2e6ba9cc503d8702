package dev.wishdir.nethernet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Traced;
import dev.wishdir.wire.Writer;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What is said of a capture between two libwebrtc, and of recordings. */
class NetherNetDissectorTest {
    private static final InetAddress HERE = InetAddress.ofLiteral("127.0.0.1");

    private final List<DissectedMessage> lines = new ArrayList<>();
    private final NetherNetDissector dissector = new NetherNetDissector("game", true);

    private static Datagram datagram(int from, int to, byte[] data) {
        return new Datagram(
                0,
                0,
                new InetSocketAddress(HERE, from),
                new InetSocketAddress(HERE, to),
                Bytes.of(data));
    }

    /** Explains datagrams as an inspector would, a flow once it is recognised. */
    private void explain(List<Datagram> datagrams) {
        Map<Set<Integer>, Integer> servers = new HashMap<>();
        for (Datagram datagram : datagrams) {
            int from = datagram.source().getPort();
            int to = datagram.destination().getPort();
            Set<Integer> flow = Set.of(from, to);
            Optional<Direction> way = dissector.recognise(datagram);
            way.ifPresent(each -> servers.putIfAbsent(flow, each == Direction.C2S ? to : from));
            int server = servers.getOrDefault(flow, 0);
            assertThat(server).isPositive();
            Direction direction = to == server ? Direction.C2S : Direction.S2C;
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
        List<Datagram> datagrams = NetherNetCaptures.FILES.datagrams("session");
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
                NetherNetCaptures.FILES
                        .lines("http.jsonl")
                        .get(2)
                        .getAsJsonObject("response")
                        .get("body")
                        .getAsString();
        List<?> hash =
                (List<?>)
                        Objects.requireNonNull(named("certificate").get(1).fields().get("sha256"));
        assertThat(answer).contains("a=fingerprint:sha-256 " + hash.getFirst());
        Map<Long, Integer> lengths =
                datagrams.stream()
                        .collect(
                                Collectors.toMap(Datagram::frame, each -> each.payload().length()));
        for (DissectedMessage message : lines) {
            if (message.layer() == DissectedMessage.Layer.TRANSPORT) {
                assertCovers(message, lengths.getOrDefault(message.frame(), 0));
            }
        }
    }

    @Test
    void explainsDiscoveryInBothLayouts() {
        for (var vector : NetherNetCaptures.vectors("lan")) {
            byte[] data = Bytes.ofHex(vector.get("datagram").getAsString()).toArray();
            int server = 7551;
            boolean request = vector.get("type").getAsInt() == 0;
            explain(List.of(datagram(request ? 5000 : server, request ? server : 5000, data)));
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
        List<Datagram> ofOnePort = new ArrayList<>();
        for (Datagram each : NetherNetCaptures.FILES.datagrams("session")) {
            int from = each.source().getPort();
            int to = each.destination().getPort();
            ofOnePort.add(
                    datagram(
                            from == 36101 ? 36100 : from,
                            to == 36101 ? 36100 : to,
                            each.payload().toArray()));
        }
        explain(ofOnePort);
        assertThat(named("certificate_verify")).hasSize(2);
    }

    @Test
    void explainsFragmentedMessagesOnce() {
        List<byte[]> parts = new ArrayList<>();
        byte[] hello =
                NetherNetCaptures.FILES.datagrams("session").stream()
                        .map(each -> each.payload().toArray())
                        .filter(data -> data[0] == 22)
                        .findFirst()
                        .orElseThrow();
        byte[] body = Arrays.copyOfRange(hello, 25, hello.length);
        for (int at : new int[] {0, 60, 0}) {
            int count = at == 0 ? 60 : body.length - 60;
            Writer w = new Writer(2000);
            w.append(hello, 0, 11);
            w.u16be("length", 12 + count);
            w.u8("type", 1);
            w.u8("length", 0);
            w.u16be("length", body.length);
            w.u16be("number", 0);
            w.u8("offset", 0);
            w.u16be("offset", at);
            w.u8("count", 0);
            w.u16be("count", count);
            w.append(body, at, count);
            parts.add(w.toByteArray());
        }
        for (byte[] part : parts) {
            dissector.datagram(datagram(1, 2, part), Direction.S2C, lines::add);
        }
        assertThat(named("dtls")).hasSize(3);
        assertThat(named("client_hello")).hasSize(1);
        assertCovers(named("client_hello").getFirst(), body.length);
    }

    @Test
    void joinsChannelMessagesOfRecording() {
        Bytes content = NetherNetCaptures.FILES.file("datachannel.jsonl");
        assertThat(dissector.recogniseFile("any.jsonl", content)).isTrue();
        assertThat(dissector.recogniseFile("any", Bytes.of((byte) '{'))).isFalse();
        dissector.file(content, lines::add);
        assertThat(named("channel_message"))
                .hasSize(NetherNetCaptures.FILES.lines("datachannel.jsonl").size())
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
