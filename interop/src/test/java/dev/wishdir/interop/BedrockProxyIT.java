package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;

import dev.wishdir.bedrock.BedrockGame;
import dev.wishdir.bedrock.protocol.login.CertifiedAccount;
import dev.wishdir.bedrock.proxy.BedrockProxy;
import dev.wishdir.bedrock.proxy.BedrockProxyConfig;
import dev.wishdir.bedrock.proxy.BedrockProxyConfig.ServerTransport;
import dev.wishdir.bedrock.proxy.BedrockProxyListener;
import dev.wishdir.game.proxy.ProxiedDatagram;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.net.simulation.LinkConditions;
import dev.wishdir.net.simulation.LinkEmulation;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.TestPort;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The npm library's client on its server with the proxy between them, encrypted on both sides; over
 * RakNet in the oldest, a middle and the newest version, and over NetherNet. A session takes as
 * many seconds as {@code -Dwishdir.proxy.seconds} says, by default few.
 */
@Timeout(600)
class BedrockProxyIT {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final long TICKS = 20L * ProxyIT.seconds(2);
    private static final Duration SESSION = SOON.plusSeconds(TICKS / 20);

    /** Messages that each side of the proxy has of its own, or that are not captured. */
    private static final Set<String> OF_LOGIN =
            Set.of(
                    "request_network_settings",
                    "network_settings",
                    "login",
                    "server_to_client_handshake",
                    "client_to_server_handshake");

    private final NettyLoop loop = new NettyLoop("proxy");

    @RegisterExtension private final Npm npm = new Npm("bedrock-protocol");

    @AfterEach
    void close() {
        loop.close();
    }

    private static LinkEmulation links(double lossPercent, long jitterMillis) {
        LinkConditions conditions =
                new LinkConditions(lossPercent / 100, 0, 0, 0, jitterMillis * 1_000_000, 0);
        return new LinkEmulation(conditions, conditions, 7);
    }

    /** A server, a proxy and a client, and what the proxy shows. */
    private final class Session implements BedrockProxyListener {
        private final InetSocketAddress address;
        private final List<ProxiedDatagram> observed = new ArrayList<>();
        private final List<String> closed = new CopyOnWriteArrayList<>();
        private final Peer server;
        private final Peer ann;

        private final Optional<CertifiedAccount> account;

        Session(
                String version,
                ServerTransport transport,
                LinkEmulation links,
                Optional<CertifiedAccount> account,
                String... more)
                throws Exception {
            this.account = account;
            address = BedrockPeers.loopback(TestPort.free());
            List<String> command =
                    new ArrayList<>(
                            List.of(
                                    "bedrock-any-server.mjs",
                                    "--game",
                                    version,
                                    "--port",
                                    String.valueOf(address.getPort()),
                                    "--order",
                                    "--moves",
                                    "brief"));
            command.addAll(List.of(more));
            account.ifPresent(it -> command.addAll(List.of("--root", it.root())));
            server = BedrockPeers.serve(npm, command);
            BedrockProxy proxy = open(transport, links);
            List<String> join =
                    new ArrayList<>(
                            List.of(
                                    "bedrock-any-client.mjs",
                                    "127.0.0.1",
                                    String.valueOf(proxy.address().getPort()),
                                    "Ann",
                                    "--game",
                                    version,
                                    "--ticks",
                                    Long.toString(TICKS),
                                    "--order",
                                    "--timeout",
                                    "100000",
                                    "--linger",
                                    "1000",
                                    "--chat",
                                    "hello server"));
            join.addAll(List.of(more));
            ann = npm.node(join.toArray(String[]::new));
        }

        private BedrockProxy open(ServerTransport transport, LinkEmulation links) throws Exception {
            DutyCycle cycle = loop.cycle();
            BedrockProxyConfig config =
                    new BedrockProxyConfig(
                            BedrockPeers.loopback(TestPort.free()),
                            address,
                            transport,
                            10,
                            AddressLimits.standard(1),
                            Optional::empty,
                            Optional.empty(),
                            account.isEmpty()
                                    ? Optional.empty()
                                    : Optional.of(account.get().account()),
                            Optional.empty(),
                            new SecureRandom(),
                            InstantSource.system());
            CompletableFuture<BedrockProxy> opened = new CompletableFuture<>();
            cycle.execute(() -> {
                try {
                    opened.complete(BedrockProxy.open(cycle, links.around(cycle), config, this));
                } catch (IOException e) {
                    opened.completeExceptionally(e);
                }
            });
            return opened.join();
        }

        @Override
        public boolean isObserving() {
            return true;
        }

        @Override
        public void onDatagram(long now, InetSocketAddress client, Direction way, Bytes data) {
            observed.add(new ProxiedDatagram(now, client, client, address, way, data));
        }

        @Override
        public void onClosed(InetSocketAddress client, String reason) {
            closed.add(reason);
        }

        void await(boolean isEncrypted) throws InterruptedException {
            assertThat(ann.awaitExit(SESSION)).as("%s %s", ann.lines(), closed).isZero();
            server.awaitLine("\"ev\":\"quit\"", SOON);
            Peer.await("the proxy's client has left", SOON, () -> closed.size() == 1);
            assertThat(closed).containsExactly("left");
            assertThat(Npm.events(server, "join", ""))
                    .singleElement()
                    .satisfies(join -> {
                        assertThat(join.get("name").getAsString())
                                .isEqualTo(account.isEmpty() ? "Ann" : "Operator");
                        if (account.isPresent()) {
                            assertThat(join.get("xuid").getAsString())
                                    .isEqualTo(CertifiedAccount.XUID);
                        }
                        assertThat(join.get("encrypted").getAsBoolean()).isEqualTo(isEncrypted);
                    });
            assertThat(Npm.events(server, "text", ""))
                    .extracting(line -> line.get("message").getAsString())
                    .containsExactly("hello server");
            assertThat(Npm.events(server, "error", "")).isEmpty();
            assertThat(Npm.events(server, "leftover", "")).isEmpty();
            assertThat(Npm.events(ann, "leftover", "")).isEmpty();
        }

        /** The names of the messages that passed in a direction. The loop must be closed. */
        private List<String> messages(Direction way) throws IOException {
            List<DissectedMessage> messages = TestProxy.messages(new BedrockGame(), observed);
            assertThat(messages).extracting(DissectedMessage::name).doesNotContain("malformed");
            return messages.stream()
                    .filter(message -> message.layer() == DissectedMessage.Layer.MESSAGE)
                    .filter(message -> message.direction() == way)
                    .map(DissectedMessage::name)
                    .filter(name -> !OF_LOGIN.contains(name))
                    .toList();
        }

        /** The names of the messages that a peer has received. */
        private static List<String> received(Peer peer, String event) {
            return Npm.events(peer, event, "").getFirst().getAsJsonArray("order").asList().stream()
                    .map(JsonElement::getAsString)
                    .filter(name -> !OF_LOGIN.contains(name))
                    .toList();
        }

        /** Each side has received what the other side sent, and the proxy shows, in this order. */
        void compare() throws IOException {
            List<String> up = messages(Direction.C2S);
            assertThat(received(server, "quit")).isEqualTo(up);
            assertThat(
                            up.stream()
                                    .filter(Set.of("player_auth_input", "move_player")::contains)
                                    .count())
                    .isEqualTo(TICKS);
            List<String> down = messages(Direction.S2C);
            assertThat(down).hasSizeGreaterThan(10);
            assertThat(received(ann, "exit")).isEqualTo(down);
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "5, 40"})
    void passesSessionsOfThreeVersionsOverRakNet(double loss, long jitter) throws Exception {
        LinkEmulation links = links(loss, jitter);
        List<Session> sessions = new ArrayList<>();
        for (String version : List.of("685", "898", "2193")) {
            sessions.add(new Session(version, ServerTransport.RAKNET, links, Optional.empty()));
        }
        for (Session session : sessions) {
            session.await(true);
        }
        loop.close();
        for (Session session : sessions) {
            session.compare();
        }
        assertThat(links.upCounters().lost() + links.downCounters().lost() > 0).isEqualTo(loss > 0);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "5, 40"})
    void passesSessionsOverNetherNet(double loss, long jitter) throws Exception {
        Session session =
                new Session(
                        "2193",
                        ServerTransport.NETHERNET,
                        links(loss, jitter),
                        Optional.empty(),
                        "--rtc",
                        "ndc");
        session.await(false);
        loop.close();
        session.compare();
    }

    /** A server that wants accounts, whose certifying key is the test's. */
    @ParameterizedTest
    @ValueSource(strings = {"685", "898"})
    void logsInWithTheOperatorsAccount(String version) throws Exception {
        long seconds = InstantSource.system().instant().getEpochSecond();
        Session session =
                new Session(
                        version,
                        ServerTransport.RAKNET,
                        links(0, 0),
                        Optional.of(CertifiedAccount.of("Operator", seconds)));
        session.await(true);
    }
}
