package dev.wishdir.bedrock.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.LoginMessage.Disconnect;
import dev.wishdir.bedrock.message.LoginMessage.Transfer;
import dev.wishdir.bedrock.message.MovementMessage.PlayerAction;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.bedrock.message.Unknown;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.Compression.Algorithm;
import dev.wishdir.bedrock.protocol.login.CertifiedAccount;
import dev.wishdir.bedrock.protocol.login.LoginIdentity;
import dev.wishdir.bedrock.protocol.login.TrustPolicy;
import dev.wishdir.bedrock.proxy.BedrockProxyConfig.ServerTransport;
import dev.wishdir.net.http.HttpBody;
import dev.wishdir.net.http.HttpFetch;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.net.simulation.LinkConditions;
import dev.wishdir.nethernet.identity.IdentityIssuer;
import dev.wishdir.raknet.OfflineMessage.UnconnectedPing;
import dev.wishdir.raknet.OfflineMessage.UnconnectedPong;
import dev.wishdir.raknet.RakNetSettings;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;

/** A proxy between clients and a server that record what they receive, byte by byte. */
@Tag("slow")
class BedrockProxyTest {
    private static final long SECOND = ProxyNetwork.SECOND;
    private static final LinkConditions BAD =
            new LinkConditions(0.05, 0.02, 0.02, SECOND / 50, SECOND / 25, 0);

    private final ProxyNetwork net = new ProxyNetwork();
    private final Random random = new Random(4);

    private static Bytes encoded(BedrockMessage message) {
        Writer w = new Writer(1 << 20);
        BedrockCodec.V748.write(w, message);
        return w.toBytes();
    }

    private static BedrockMessage decoded(Bytes message) {
        return BedrockCodec.V748.read(new Reader(message));
    }

    /** A message of a kind that no version has, or one that no walk can read. */
    private Bytes randomMessage(int maxBytes) {
        byte[] body = new byte[random.nextInt(maxBytes)];
        random.nextBytes(body);
        boolean broken = random.nextInt(4) == 0;
        Writer w = new Writer(maxBytes + 8);
        int sender = random.nextInt(4);
        BedrockCodec.V748.write(
                w,
                new Unknown((broken ? 19 : 500 + random.nextInt(400)) | sender << 10, body(body)));
        return w.toBytes();
    }

    private static Bytes body(byte[] bytes) {
        return Bytes.of(bytes);
    }

    private static String name(RecordingServer.Guest guest) {
        return Objects.requireNonNull(guest.identity).name();
    }

    @ParameterizedTest
    @CsvSource({
        "RAKNET, RAKNET, false",
        "RAKNET, RAKNET, true",
        "RAKNET, NETHERNET, false",
        "RAKNET, NETHERNET, true",
        "NETHERNET, RAKNET, false",
        "NETHERNET, RAKNET, true",
        "NETHERNET, NETHERNET, false",
        "NETHERNET, NETHERNET, true",
    })
    void passesEveryMessageByItsBytesAndInOrder(
            ServerTransport ofClient, ServerTransport ofServer, boolean isBad) throws IOException {
        RecordingServer server = net.server(ofServer, Algorithm.SNAPPY, true);
        net.faults = isBad ? BAD : LinkConditions.NONE;
        BedrockProxy proxy = net.open();
        RecordingClient ann = net.join(ofClient, 748, "Ann");
        RecordingClient bob = net.join(ofClient, 2193, "Bob");
        RecordingServer.Guest first = Objects.requireNonNull(server.guests.get("Ann"));
        RecordingServer.Guest second = Objects.requireNonNull(server.guests.get("Bob"));
        assertThat(proxy.clients()).isEqualTo(2);
        assertThat(ann.isEncrypted()).isEqualTo(ofClient == ServerTransport.RAKNET);
        assertThat(first.channel.isEncrypted()).isEqualTo(ofServer == ServerTransport.RAKNET);

        List<Bytes> down = new ArrayList<>();
        List<Bytes> up = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            Bytes toClient = randomMessage(i % 50 == 0 ? 60_000 : 900);
            Bytes toServer = randomMessage(i % 50 == 0 ? 40_000 : 300);
            down.add(toClient);
            up.add(toServer);
            first.send(toClient);
            ann.send(toServer);
            net.network.run(SECOND / 50);
        }
        second.send(down.getFirst());
        net.network.run(20 * SECOND);

        assertThat(ann.ending + bob.ending).isEmpty();
        assertThat(first.received).isEqualTo(up);
        assertThat(ann.received).isEqualTo(down);
        assertThat(bob.received).containsExactly(down.getFirst());
        assertThat(second.received).isEmpty();
        ann.close();
        net.network.run(5 * SECOND);
        assertThat(proxy.clients()).as("%s %s", ann.ending, net.closed).isOne();
        assertThat(server.endings).hasSize(1);
        assertThat(net.closed).containsExactly("left");
    }

    @ParameterizedTest
    @CsvSource({"DEFLATE, NONE", "NONE, SNAPPY", "SNAPPY, DEFLATE", "DEFLATE, "})
    void compressesEachSideByItself(Algorithm ofServer, Algorithm ofClient) throws IOException {
        RecordingServer server = net.server(ServerTransport.RAKNET, ofServer, false);
        net.compression = Optional.ofNullable(ofClient);
        net.open();
        RecordingClient ann = net.join("Ann");
        RecordingServer.Guest guest = Objects.requireNonNull(server.guests.get("Ann"));
        assertThat(ann.isEncrypted()).isTrue();
        assertThat(guest.channel.isEncrypted()).isFalse();
        Bytes large = encoded(new Unknown(600, Bytes.of(new byte[20_000])));
        guest.send(large);
        ann.send(large);
        net.network.run(SECOND);
        assertThat(ann.received).containsExactly(large);
        assertThat(guest.received).containsExactly(large);
        assertThat(net.dissected())
                .filteredOn(line -> line.name().equals("network_settings"))
                .extracting(line -> (Object) line.fields().get("algorithm"))
                .containsExactly((ofClient == null ? ofServer : ofClient).setting);
    }

    @Test
    void signsLoginWithItsOwnKeyAndKeepsTheRest() throws IOException {
        RecordingServer server = net.server();
        net.open();
        RecordingClient ann = net.join("Ann");
        RecordingClient bob = net.join(ServerTransport.RAKNET, 2193, "Bob");
        LoginIdentity first = identity(server, "Ann");
        LoginIdentity second = identity(server, "Bob");
        assertThat(first.uuid()).isEqualTo(ann.uuid);
        assertThat(second.uuid()).isEqualTo(bob.uuid);
        assertThat(first.authenticated()).isFalse();
        assertThat(first.data())
                .containsEntry("SkinId", "green")
                .containsEntry("DeviceOS", 7L)
                .containsEntry("ServerAddress", "127.0.0.1:19140");
        // One key for all of its clients, and not one of theirs.
        assertThat(first.key()).isEqualTo(second.key());
    }

    private static LoginIdentity identity(RecordingServer server, String name) {
        RecordingServer.Guest guest = Objects.requireNonNull(server.guests.get(name));
        assertThat(name(guest)).isEqualTo(name);
        return Objects.requireNonNull(guest.identity);
    }

    @ParameterizedTest
    @ValueSource(ints = {690, 900, 2500})
    void passesVersionsThatItDoesNotKnow(int protocol) throws IOException {
        assertThat(BedrockCodec.of(protocol)).isEmpty();
        RecordingServer server = net.server();
        net.interceptor = (_, message) -> List.of(message);
        net.open();
        RecordingClient ann = net.join(ServerTransport.RAKNET, protocol, "Ann");
        Bytes message = randomMessage(500);
        Objects.requireNonNull(server.guests.get("Ann")).send(message);
        net.network.run(SECOND);
        assertThat(ann.received).containsExactly(message);
    }

    @Test
    void refusesVersionsBeforeTheOldest() throws IOException {
        net.server();
        net.open();
        RecordingClient ann = net.client(ServerTransport.RAKNET, 600, "Ann");
        net.network.run(3 * SECOND);
        assertThat(ann.status).isOne();
        assertThat(net.closed)
                .containsExactly(
                        "protocol 600 is older than 685, the oldest that the proxy passes on");
    }

    @Test
    void showsWholeSessionWithoutKeys() throws IOException {
        RecordingServer server = net.server();
        net.open();
        RecordingClient ann = net.join("Ann");
        RecordingServer.Guest guest = Objects.requireNonNull(server.guests.get("Ann"));
        ann.send(encoded(Text.chat("Ann", "hello")));
        net.network.run(SECOND);
        guest.send(encoded(new Unknown(600, Bytes.of(new byte[200_000]))));
        guest.send(encoded(Text.chat("Bob", "good day")));
        net.network.run(SECOND);
        ann.close();
        net.network.run(SECOND);
        List<DissectedMessage> lines = net.dissected();
        assertThat(lines)
                .filteredOn(line -> line.layer() == DissectedMessage.Layer.MESSAGE)
                .extracting(line -> line.direction() + " " + line.name())
                .containsExactly(
                        "C2S request_network_settings",
                        "S2C network_settings",
                        "C2S login",
                        "S2C play_status",
                        "C2S text",
                        "S2C packet_600",
                        "S2C text");
        assertThat(lines).extracting(DissectedMessage::name).doesNotContain("malformed");
        assertThat(lines.getLast().name()).isEqualTo("disconnect");
    }

    @Test
    void passesWhatAnInterceptorReadsButLeavesByItsBytes() throws IOException {
        RecordingServer server = net.server();
        List<BedrockMessage> seen = new ArrayList<>();
        net.interceptor =
                (_, message) -> {
                    seen.add(message);
                    return List.of(message);
                };
        net.open();
        RecordingClient ann = net.join("Ann");
        RecordingServer.Guest guest = Objects.requireNonNull(server.guests.get("Ann"));
        List<Bytes> sent = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            sent.add(randomMessage(300));
            ann.send(sent.getLast());
        }
        // Its last field is one that no walk reads.
        Bytes chat = encoded(Text.chat("Ann", "hello"));
        sent.add(chat);
        ann.send(chat);
        net.network.run(3 * SECOND);
        assertThat(guest.received).isEqualTo(sent);
        assertThat(seen).hasSize(202).last().isEqualTo(decoded(chat));
        assertThat(seen.getFirst()).isEqualTo(new LoginMessage.PlayStatus(0));
    }

    /** Replaces, drops and injects, in both directions. */
    @Test
    void changesWhatAnInterceptorDecides() throws IOException {
        RecordingServer server = net.server();
        net.interceptor =
                (direction, message) -> {
                    if (!(message instanceof Text text)) {
                        return List.of(message);
                    }
                    return switch (text.message()) {
                        case "replace" -> List.of(Text.chat(text.source(), "replaced"));
                        case "drop" -> List.of();
                        case "inject" ->
                                List.of(
                                        Text.chat("Proxy", direction + " first"),
                                        message,
                                        Text.chat("Proxy", "last"));
                        case "fail" -> throw new IllegalStateException("as the test wants");
                        default -> List.of(message);
                    };
                };
        net.open();
        RecordingClient ann = net.join("Ann");
        RecordingServer.Guest guest = Objects.requireNonNull(server.guests.get("Ann"));
        for (String text : List.of("replace", "drop", "inject", "fail", "pass")) {
            ann.send(encoded(Text.chat("Ann", text)));
            guest.send(encoded(Text.chat("Bob", text)));
        }
        net.network.run(SECOND);
        assertThat(texts(guest.received))
                .containsExactly(
                        "Ann: replaced",
                        "Proxy: C2S first",
                        "Ann: inject",
                        "Proxy: last",
                        "Ann: fail",
                        "Ann: pass");
        assertThat(net.problems)
                .singleElement()
                .asString()
                .startsWith("the interceptor failed, its message was passed on unchanged: ");
        assertThat(texts(ann.received))
                .containsExactly(
                        "Bob: replaced",
                        "Proxy: S2C first",
                        "Bob: inject",
                        "Proxy: last",
                        "Bob: fail",
                        "Bob: pass");
    }

    private static List<String> texts(List<Bytes> messages) {
        return messages.stream()
                .map(message -> (Text) decoded(message))
                .map(text -> text.source() + ": " + text.message())
                .toList();
    }

    /** A changed message keeps what its walk does not read. */
    @Test
    void keepsUnreadBytesOfChangedMessages() throws IOException {
        RecordingServer server = net.server();
        net.interceptor =
                (_, message) ->
                        message instanceof PlayerAction action
                                ? List.of(
                                        new PlayerAction(
                                                action.runtimeId(),
                                                10,
                                                action.position(),
                                                action.result(),
                                                action.face()))
                                : List.of(message);
        net.open();
        RecordingClient ann = net.join("Ann");
        RecordingServer.Guest guest = Objects.requireNonNull(server.guests.get("Ann"));
        Bytes whole = encoded(PlayerAction.BLANK);
        byte[] longer = new byte[whole.length() + 3];
        whole.copyTo(longer, 0);
        longer[whole.length() + 1] = 77;
        ann.send(Bytes.of(longer));
        net.network.run(SECOND);
        Bytes changed = guest.received.getFirst();
        assertThat(changed.length()).isEqualTo(longer.length);
        assertThat(((PlayerAction) decoded(changed)).action()).isEqualTo(10);
        assertThat(changed.slice(whole.length(), 3))
                .isEqualTo(Bytes.of((byte) 0, (byte) 77, (byte) 0));
    }

    @Test
    void sendsClientsOfItsServerBackToItself() throws IOException {
        RecordingServer server = net.server();
        net.open();
        RecordingClient ann = net.join("Ann");
        Objects.requireNonNull(server.guests.get("Ann"))
                .send(encoded(new Transfer("127.0.0.1", 19140, false, Optional.empty())));
        net.network.run(SECOND);
        assertThat(ann.received)
                .containsExactly(
                        encoded(new Transfer("example.org", 19132, false, Optional.empty())));
    }

    @Test
    void refusesTransfersToOtherServers() throws IOException {
        RecordingServer server = net.server();
        net.open();
        RecordingClient ann = net.join("Ann");
        Objects.requireNonNull(server.guests.get("Ann"))
                .send(encoded(new Transfer("10.0.0.9", 19132, false, Optional.empty())));
        net.network.run(SECOND);
        assertThat(ann.ending)
                .isEqualTo(
                        "The server sends you to 10.0.0.9 port 19132, to which this proxy does not"
                                + " lead.");
        assertThat(net.closed.getFirst()).contains("10.0.0.9 port 19132");
    }

    @ParameterizedTest
    @CsvSource({"RAKNET", "NETHERNET"})
    void reportsThatServerIsNotReached(ServerTransport kind) throws IOException {
        net.transport = kind;
        net.open();
        RecordingClient ann = net.client("Ann");
        // Before a game's own time-out.
        net.network.run(9 * SECOND);
        assertThat(ann.ending).startsWith("The proxy can't reach the server: ");
        assertThat(net.closed.getFirst()).startsWith("server not reached: ");
    }

    @Test
    void reportsRefusedLoginAndWhatAProxyCannotDo() throws IOException {
        RecordingServer server = net.server();
        server.refusal = new Disconnect(0, false, "disconnectionScreen.notAuthenticated", "");
        net.open();
        RecordingClient ann = net.client("Ann");
        net.network.run(5 * SECOND);
        assertThat(ann.ending)
                .contains("disconnectionScreen.notAuthenticated")
                .contains("without an Xbox account");
        assertThat(net.closed.getFirst()).contains("online mode");
    }

    @Test
    void passesDisconnectOfTheServer() throws IOException {
        RecordingServer server = net.server();
        BedrockProxy proxy = net.open();
        RecordingClient ann = net.join("Ann");
        Objects.requireNonNull(server.guests.get("Ann"))
                .send(encoded(new Disconnect(55, false, "kicked", "")));
        net.network.run(3 * SECOND);
        assertThat(ann.ending).isEqualTo("kicked");
        assertThat(net.closed).containsExactly("the server disconnected the client: kicked");
        assertThat(proxy.clients()).isZero();
    }

    /** Some clients send only the game's message, and are silent then. */
    @Test
    void endsSessionOfClientThatSaysGoodbye() throws IOException {
        RecordingServer server = net.server();
        BedrockProxy proxy = net.open();
        RecordingClient ann = net.join("Ann");
        Bytes goodbye = encoded(new Disconnect(0, false, "bye", ""));
        ann.send(goodbye);
        net.network.run(SECOND / 100);
        ann.isSilent = true;
        net.network.run(3 * SECOND);
        assertThat(Objects.requireNonNull(server.guests.get("Ann")).received)
                .containsExactly(goodbye);
        assertThat(server.endings).hasSize(1);
        assertThat(net.closed).containsExactly("left");
        assertThat(proxy.clients()).isZero();
    }

    @Test
    void disconnectsClientsWhenItStops() throws IOException {
        RecordingServer server = net.server();
        BedrockProxy proxy = net.open();
        RecordingClient ann = net.join("Ann");
        proxy.close(net.network.now(), "The proxy stops.");
        net.network.run(3 * SECOND);
        assertThat(ann.ending).isEqualTo("The proxy stops.");
        assertThat(server.endings).hasSize(1);
    }

    @Test
    void writesEntryOfServerInEitherForm() {
        assertThat(entry(new ServerEntry("MCPE;Hall;748;1.21.40;3;9;77;Box;Survival;1;5;6;", "")))
                .isEqualTo("MCPE;Hall;748;1.21.40;3;9;77;Box;Survival;1;19132;19132;");
        assertThat(ServerEntry.ofMotd("MCPE;Hall;748;1.21.40;3;9;77;Box;Survival;1;5;6;").status())
                .contains("\"name\":\"Hall\"", "\"players\":3", "\"maxPlayers\":9");
        assertThat(
                        entry(
                                ServerEntry.ofJson(
                                        "{\"name\":\"Ha;ll\",\"protocol\":748,\"version\":\"1.21.40\","
                                            + "\"players\":3,\"maxPlayers\":9}")))
                .startsWith("MCPE;Ha,ll;748;1.21.40;3;9;7;");
        assertThat(ServerEntry.ofJson("[".repeat(10_000))).isEqualTo(ServerEntry.UNKNOWN);
        assertThat(ServerEntry.UNKNOWN.status()).contains("does not answer");
    }

    /** Clients ask the proxy, over either transport, and it has asked the server. */
    @ParameterizedTest
    @CsvSource({"RAKNET", "NETHERNET"})
    void answersQuestionsOfServerLists(ServerTransport kind) throws IOException {
        net.server(kind, Algorithm.DEFLATE, true);
        net.open();
        net.network.run(SECOND);
        List<String> entries = new ArrayList<>();
        DutyCycle cycle = net.network.cycle();
        UdpSocket socket =
                cycle.open(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                                own -> new Pinger(own, entries))
                        .socket();
        Writer ping = new Writer(100);
        UnconnectedPing.wire(ping, new UnconnectedPing(false, 1, 2), RakNetSettings.MAGIC);
        socket.send(ProxyNetwork.LISTEN, ping.array(), 0, ping.position());
        cycle.fetch(
                new HttpFetch(
                        ProxyNetwork.LISTEN,
                        "127.0.0.1",
                        HttpFetch.Tls.NONE,
                        "GET",
                        "/v1/join",
                        HttpBody.NONE,
                        10_000,
                        SECOND),
                response -> entries.add(response.body().text()),
                failure -> entries.add(failure.toString()));
        net.network.run(SECOND);
        assertThat(entries)
                .hasSize(2)
                .anyMatch(entry -> entry.matches("MCPE;Hall;748;1.21.40;3;9;.*;19132;19132;.*"))
                .anyMatch(entry -> entry.matches("\\{\"name\":\"Hall\",.*\"maxPlayers\":9.*}"));
    }

    private record Pinger(UdpSocket socket, List<String> entries) implements DatagramHandler {
        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            entries.add(
                    UnconnectedPong.wire(
                                    new Reader(data), UnconnectedPong.BLANK, RakNetSettings.MAGIC)
                            .motd());
        }

        @Override
        public long advance(long now) {
            return NEVER;
        }
    }

    private static String entry(ServerEntry entry) {
        return entry.motd(7, 19132);
    }

    @ParameterizedTest
    @ValueSource(ints = {748, 898, 2193})
    void logsInWithTheOperatorsAccount(int protocol) throws Exception {
        CertifiedAccount certified = CertifiedAccount.of("Operator", ProxyNetwork.seconds());
        RecordingServer server = net.server();
        server.trust = new TrustPolicy(certified.root(), IdentityIssuer.MOJANG);
        net.account = Optional.of(certified.account());
        net.open();
        RecordingClient ann = net.join(ServerTransport.RAKNET, protocol, "Ann");
        RecordingServer.Guest guest = Objects.requireNonNull(server.guests.get("Operator"));
        LoginIdentity identity = Objects.requireNonNull(guest.identity);
        assertThat(identity.authenticated()).isTrue();
        assertThat(identity.xuid()).isEqualTo(CertifiedAccount.XUID);
        assertThat(guest.channel.isEncrypted()).isTrue();
        assertThat(ann.ending).isEmpty();
    }
}
