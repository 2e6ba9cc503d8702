package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;

import dev.wishdir.bedrock.BedrockGame;
import dev.wishdir.bedrock.proxy.BedrockProxy;
import dev.wishdir.bedrock.proxy.BedrockProxyConfig;
import dev.wishdir.bedrock.proxy.BedrockProxyConfig.ServerTransport;
import dev.wishdir.bedrock.proxy.BedrockProxyListener;
import dev.wishdir.net.AddressLimits;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.LinkConditions;
import dev.wishdir.net.LinkEmulation;
import dev.wishdir.net.NettyLoop;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.Dissector;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * The npm library's client on its server with the proxy between them, encrypted on both sides; over
 * RakNet in the oldest, a middle and the newest version, and over NetherNet. A session has as many
 * ticks as {@code -Dwishdir.proxy.ticks} says, 50 by default: 1200 are a minute.
 */
@Timeout(240)
class BedrockProxyIT {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final String TICKS = System.getProperty("wishdir.proxy.ticks", "50");

    private record Observed(long nanos, InetSocketAddress client, Direction way, Bytes data) {}

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
        private final List<Observed> observed = new ArrayList<>();
        private final List<String> closed = new CopyOnWriteArrayList<>();
        private final Peer server;
        private final Peer ann;

        Session(String version, ServerTransport transport, LinkEmulation links, String... more)
                throws IOException {
            address = BedrockPeers.loopback(Npm.freePort());
            List<String> command =
                    new ArrayList<>(
                            List.of(
                                    "bedrock-any-server.mjs",
                                    "--game",
                                    version,
                                    "--port",
                                    String.valueOf(address.getPort()),
                                    "--moves",
                                    "all"));
            command.addAll(List.of(more));
            server = BedrockPeers.serve(npm, command);
            BedrockProxy proxy = open(transport, links);
            command =
                    new ArrayList<>(
                            List.of(
                                    "bedrock-any-client.mjs",
                                    "127.0.0.1",
                                    String.valueOf(proxy.address().getPort()),
                                    "Ann",
                                    "--game",
                                    version,
                                    "--ticks",
                                    TICKS,
                                    "--timeout",
                                    "100000",
                                    "--linger",
                                    "1000",
                                    "--chat",
                                    "hello server"));
            command.addAll(List.of(more));
            ann = npm.node(command.toArray(String[]::new));
        }

        private BedrockProxy open(ServerTransport transport, LinkEmulation links)
                throws IOException {
            DutyCycle cycle = loop.cycle();
            BedrockProxyConfig config =
                    new BedrockProxyConfig(
                            BedrockPeers.loopback(Npm.freePort()),
                            address,
                            transport,
                            10,
                            AddressLimits.standard(1),
                            Optional::empty,
                            Optional.empty(),
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
            observed.add(new Observed(now, client, way, data));
        }

        @Override
        public void onClosed(InetSocketAddress client, String reason) {
            closed.add(reason);
        }

        void await(boolean isEncrypted) throws InterruptedException {
            assertThat(ann.awaitExit(SOON)).as("%s %s", ann.lines(), closed).isZero();
            server.awaitLine("\"ev\":\"quit\"", SOON);
            Peer.await("the proxy's client has left", SOON, () -> closed.size() == 1);
            assertThat(closed).containsExactly("left");
            assertThat(Npm.events(server, "join", ""))
                    .singleElement()
                    .satisfies(join -> {
                        assertThat(join.get("name").getAsString()).isEqualTo("Ann");
                        assertThat(join.get("encrypted").getAsBoolean()).isEqualTo(isEncrypted);
                    });
            assertThat(Npm.events(server, "text", ""))
                    .extracting(line -> line.get("message").getAsString())
                    .containsExactly("hello server");
            assertThat(Npm.events(server, "error", "")).isEmpty();
            assertThat(Npm.events(server, "leftover", "")).isEmpty();
            assertThat(Npm.events(ann, "leftover", "")).isEmpty();
        }

        /** The messages that passed, by direction and name. The loop must be closed. */
        private Map<String, Long> messages() throws IOException {
            Dissector dissector = new BedrockGame().dissector(false, Optional.empty());
            List<DissectedMessage> messages = new ArrayList<>();
            for (Observed each : observed) {
                boolean up = each.way == Direction.C2S;
                Datagram datagram =
                        new Datagram(
                                1,
                                each.nanos / 1e9,
                                up ? each.client : address,
                                up ? address : each.client,
                                each.data);
                dissector.recognise(datagram);
                dissector.datagram(datagram, each.way, messages::add);
            }
            assertThat(messages).extracting(DissectedMessage::name).doesNotContain("malformed");
            return messages.stream()
                    .filter(message -> message.layer() == DissectedMessage.Layer.MESSAGE)
                    .collect(
                            Collectors.groupingBy(
                                    message -> message.direction() + " " + message.name(),
                                    Collectors.counting()));
        }

        /** Both sides count what they sent or received, as the proxy does. */
        void compare() throws IOException {
            Map<String, Long> passed = messages();
            assertThat(Npm.events(server, "quit", "").getFirst().get("moves").getAsLong())
                    .isEqualTo(Long.parseLong(TICKS))
                    .isEqualTo(
                            passed.getOrDefault("C2S player_auth_input", 0L)
                                    + passed.getOrDefault("C2S move_player", 0L));
            JsonObject received = Npm.events(ann, "exit", "").getFirst().getAsJsonObject("count");
            assertThat(received.size()).isGreaterThan(10);
            received.entrySet().stream()
                    // Each side has its own handshake.
                    .filter(entry -> !entry.getKey().equals("server_to_client_handshake"))
                    .forEach(entry ->
                            assertThat(passed)
                                    .containsEntry(
                                            "S2C " + entry.getKey(), entry.getValue().getAsLong()));
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "5, 40"})
    void passesSessionsOfThreeVersionsOverRakNet(double loss, long jitter) throws Exception {
        LinkEmulation links = links(loss, jitter);
        List<Session> sessions = new ArrayList<>();
        for (String version : List.of("685", "898", "2193")) {
            sessions.add(new Session(version, ServerTransport.RAKNET, links));
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
                new Session("2193", ServerTransport.NETHERNET, links(loss, jitter), "--rtc", "ndc");
        session.await(false);
        loop.close();
        session.compare();
    }
}
