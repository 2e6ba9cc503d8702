package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.JsonObject;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.bedrock.BedrockGame;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.server.BedrockEndpoint;
import dev.wishdir.game.BotController;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.Certificate;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.nethernet.identity.IdentityIssuer;
import dev.wishdir.nethernet.identity.IssuerDiscovery;
import dev.wishdir.nethernet.identity.IssuerKeySource;
import dev.wishdir.nethernet.identity.IssuerKeyStore;
import dev.wishdir.wire.TestPort;

import org.jose4j.jwk.JsonWebKey.OutputControlLevel;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.RsaJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Ours against the npm library bedrock-protocol, whose RakNet is the original in C++: its client on
 * our server, ours on its server.
 */
@Timeout(600)
class BedrockIT {
    private static final Duration SOON = Duration.ofMinutes(2);

    private final NettyLoop loop = new NettyLoop("bedrock");

    @RegisterExtension
    private final Npm npm = new Npm("bedrock-protocol", "@jsprismarine/prismarine");

    @AfterEach
    void close() {
        loop.close();
    }

    /** A server of ours on a free port. */
    private final class Server {
        final DutyCycle cycle = loop.cycle();
        final Arena arena = new Arena(Level.BOX, 20);
        final Counters counters = new Counters();
        final BedrockEndpoint endpoint;

        Server(Map<String, String> options) {
            this(options, Optional.empty());
        }

        Server(Map<String, String> options, Optional<IssuerKeySource> issuerKeys) {
            cycle.execute(() -> cycle.add(arena::advance));
            endpoint =
                    Bot.on(
                            cycle,
                            () ->
                                    BedrockEndpoint.open(
                                            EndpointContext.builder(
                                                            cycle,
                                                            new InetSocketAddress(
                                                                    InetAddress
                                                                            .getLoopbackAddress(),
                                                                    0),
                                                            arena)
                                                    .maxPlayers(10)
                                                    .options(options)
                                                    .counters(counters)
                                                    .random(new Random(1))
                                                    .build(),
                                            InstantSource.system(),
                                            issuerKeys));
        }

        Peer client(String name, String... more) throws IOException {
            return peer("bedrock-client.mjs", name, more);
        }

        Peer peer(String script, String name, String... more) throws IOException {
            List<String> command =
                    new ArrayList<>(
                            List.of(
                                    script,
                                    "127.0.0.1",
                                    String.valueOf(endpoint.address().getPort()),
                                    name));
            command.addAll(List.of(more));
            return npm.node(command.toArray(String[]::new));
        }

        List<String> names() {
            return Bot.on(cycle, () -> arena.players().stream().map(Player::name).toList());
        }
    }

    private Bot bot(InetSocketAddress server, String name, BotController controller) {
        return new Bot(loop, new BedrockGame(), server, name, controller);
    }

    /** An issuer on this machine, with a certificate of its own; Xbox's can't be reached here. */
    private HttpsServer issuer(Certificate certificate, String keys, List<String> asked)
            throws IOException {
        HttpsServer issuer =
                HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        String base = "https://localhost:" + issuer.getAddress().getPort();
        Map<String, String> documents =
                Map.of(
                        "/discovery",
                        "{\"result\":{\"serviceEnvironments\":{\"auth\":{\"prod\":"
                                + "{\"serviceUri\":\"%s\"}}}}}".formatted(base),
                        "/.well-known/openid-configuration",
                        "{\"issuer\":\"%s\",\"jwks_uri\":\"%s/.well-known/keys\"}"
                                .formatted(IdentityIssuer.MOJANG.name(), base),
                        "/.well-known/keys",
                        keys);
        issuer.setHttpsConfigurator(new HttpsConfigurator(certificate.server()));
        issuer.createContext(
                "/",
                exchange -> {
                    String path = exchange.getRequestURI().getPath();
                    asked.add(path);
                    byte[] body = documents.getOrDefault(path, "").getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        issuer.start();
        return issuer;
    }

    private static RsaJsonWebKey issuerKey(String id) throws JoseException {
        RsaJsonWebKey key = RsaJwkGenerator.generateJwk(2048);
        key.setKeyId(id);
        return key;
    }

    @Test
    void admitsAccountOfIssuerWhoseKeysAreFetched(@TempDir Path folder) throws Exception {
        Certificate certificate = Certificate.in(folder.resolve("tls"));
        RsaJsonWebKey key = issuerKey("0F".repeat(20));
        Path own =
                Files.writeString(
                        folder.resolve("issuer.json"),
                        key.toJson(OutputControlLevel.INCLUDE_PRIVATE));
        Path forged =
                Files.writeString(
                        folder.resolve("forger.json"),
                        issuerKey("1E".repeat(20)).toJson(OutputControlLevel.INCLUDE_PRIVATE));
        List<String> asked = new CopyOnWriteArrayList<>();
        HttpsServer issuer =
                issuer(
                        certificate,
                        new JsonWebKeySet(key).toJson(OutputControlLevel.PUBLIC_ONLY),
                        asked);
        String base = "https://localhost:" + issuer.getAddress().getPort();
        IssuerDiscovery discovery =
                new IssuerDiscovery(
                        new IssuerDiscovery.Location(
                                URI.create(base + "/discovery"), URI.create(base), "localhost"),
                        IdentityIssuer.MOJANG,
                        Optional.of(
                                new IssuerKeyStore(
                                        folder.resolve("keys.json"),
                                        () -> Instant.now().getEpochSecond())),
                        Optional.of(certificate.client()));
        String newest = BedrockCodec.NEWEST.game();
        try {
            Server server = new Server(Map.of("auth", "on"), Optional.of(discovery));
            Peer guest = server.peer("bedrock-any-client.mjs", "Guest", "--game", newest);
            assertThat(guest.awaitExit(SOON)).isEqualTo(2);
            assertThat(String.join("\n", guest.lines())).contains("sign in to Xbox");
            assertThat(asked).as("asked before a login needs a key").isEmpty();

            Peer ann =
                    server.peer(
                            "bedrock-any-client.mjs",
                            "Ann",
                            "--game",
                            newest,
                            "--issuer",
                            own.toString());
            ann.awaitLine("\"ev\":\"spawned\"", SOON);
            Peer.await("Ann in the arena", SOON, () -> server.names().equals(List.of("Ann")));
            assertThat(ann.awaitExit(SOON)).as(String.join("\n", ann.lines())).isZero();
            assertThat(asked)
                    .containsExactly(
                            "/discovery", "/.well-known/openid-configuration", "/.well-known/keys");

            Peer eve =
                    server.peer(
                            "bedrock-any-client.mjs",
                            "Eve",
                            "--game",
                            newest,
                            "--issuer",
                            forged.toString());
            assertThat(eve.awaitExit(SOON)).isEqualTo(2);
            assertThat(String.join("\n", eve.lines())).contains("Restart the game");
            assertThat(asked).hasSize(3);
        } finally {
            issuer.stop(0);
        }

        Server restarted = new Server(Map.of("auth", "on"), Optional.of(discovery));
        Peer bob =
                restarted.peer(
                        "bedrock-any-client.mjs",
                        "Bob",
                        "--game",
                        newest,
                        "--issuer",
                        own.toString());
        assertThat(bob.awaitExit(SOON)).as(String.join("\n", bob.lines())).isZero();
        assertThat(asked).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({
        "server, on, deflate, ''",
        "client, on, deflate, ''",
        "server, off, deflate, ''",
        "client, on, deflate, --library-flow"
    })
    void acceptsIndependentClients(
            String authority, String encryption, String compression, String flow) throws Exception {
        Server server =
                new Server(
                        Map.of(
                                "authority",
                                authority,
                                "encryption",
                                encryption,
                                "compression",
                                compression));
        Bot bot =
                bot(
                        server.endpoint.address(),
                        "Bot",
                        (_, _) -> new PlayerInput(0, 0, 0.1, 0, false, false));
        bot.awaitJoined();
        List<String> options =
                new ArrayList<>(
                        List.of(
                                "--wait-players",
                                "1",
                                "--ticks",
                                "60",
                                "--chat",
                                "hello arena",
                                "--linger",
                                "500"));
        if (!flow.isEmpty()) {
            options.add(flow);
        }
        Peer ann = server.client("Ann", options.toArray(String[]::new));
        ann.awaitLine("\"ev\":\"spawned\"", SOON);
        Peer.await(
                "Ann is seen by the bot",
                SOON,
                () -> bot.others.values().stream().anyMatch(o -> o.name().equals("Ann")));
        Vec3 before = bot.movement().position();
        assertThat(ann.awaitExit(SOON)).as(String.join("\n", ann.lines())).isZero();
        assertThat(Npm.events(ann, "leftover", "")).isEmpty();
        Peer.await("her words", SOON, () -> bot.heard.contains("Ann: hello arena"));
        assertThat(server.counters.get("bedrock.drop.corrected")).isZero();
        assertThat(server.counters.get("bedrock.drop.insane")).isZero();

        List<JsonObject> moves = Npm.events(ann, "recv", "move_player");
        assertThat(moves).hasSizeGreaterThan(10);
        Vec3 last = Npm.position(moves.getLast().getAsJsonObject("position"));
        // Canonical x is the game's x; the bot walks slowly to the east, also after Ann has left.
        Vec3 now = bot.movement().position();
        assertThat(last.x()).isBetween(before.x() - 0.5, now.x() + 0.1);
        assertThat(last.z()).isCloseTo(-now.y(), within(0.1));
        assertThat(last.y()).isCloseTo(1.62, within(0.01));
        Peer.await("Ann has left", SOON, () -> server.names().equals(List.of("Bot")));
        Peer.await("the bot sees it", SOON, bot.others::isEmpty);
    }

    @Test
    void showsIndependentClientsToEachOtherAndKicksWithReason() throws Exception {
        Server server = new Server(Map.of());
        Peer ann = server.client("Ann", "--wait-players", "1", "--ticks", "400");
        Peer bob = server.client("Bob", "--wait-players", "1", "--ticks", "400");
        ann.awaitLine("\"packet\":\"add_player\".*Bob", SOON);
        bob.awaitLine("\"packet\":\"add_player\".*Ann", SOON);
        ann.awaitLine("\"packet\":\"move_player\"", SOON);
        Bot.on(
                server.cycle,
                () -> {
                    server.endpoint.close("closing time");
                    return true;
                });
        assertThat(ann.awaitExit(SOON)).isEqualTo(2);
        assertThat(String.join("\n", ann.lines())).contains("closing time");
        assertThat(Npm.events(bob, "leftover", "")).isEmpty();
    }

    @Test
    void answersIndependentPing() throws Exception {
        Server server = new Server(Map.of());
        Peer ping = server.client("nobody", "--ping");
        assertThat(ping.awaitLine("pong", SOON)).contains("Wishdir");
        assertThat(ping.awaitExit(SOON)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"684, failed_client", "801, failed_client", "2194, failed_spawn"})
    void reportsOutdatedSideToOtherVersions(int protocol, String status) throws Exception {
        Server server = new Server(Map.of());
        Peer ann = server.client("Ann", "--protocol", String.valueOf(protocol));
        assertThat(ann.awaitExit(SOON)).isEqualTo(2);
        assertThat(String.join("\n", ann.lines())).contains("play_status").contains(status);
        assertThat(server.names()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "client, '', deflate",
        "server, '', deflate",
        "rewind, '', deflate",
        "rewind, --plain, none",
        "client, --plain, deflate"
    })
    void walksOnIndependentServer(String authority, String plain, String compression)
            throws Exception {
        int port = TestPort.free();
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "bedrock-server.mjs",
                                "--port",
                                String.valueOf(port),
                                "--authority",
                                authority,
                                "--compression",
                                compression,
                                "--moves",
                                "all"));
        if (!plain.isEmpty()) {
            command.add(plain);
        }
        Peer server = BedrockPeers.serve(npm, command);
        InetSocketAddress address = BedrockPeers.loopback(port);
        Bot walker = bot(address, "Walker", (_, _) -> BedrockPeers.WALK);
        Bot watcher = bot(address, "Watcher", (_, self) -> PlayerInput.look(self.yaw(), 0));
        walker.awaitJoined();
        watcher.awaitJoined();
        String kind = authority.equals("client") ? "move_player" : "player_auth_input";
        Peer.await(
                "30 moves of the walker",
                SOON,
                () ->
                        Npm.events(server, kind, "").stream()
                                        .filter(e -> e.get("name").getAsString().equals("Walker"))
                                        .count()
                                > 30);
        BedrockPeers.walk(server, watcher, walker);
    }

    /** A second RakNet. Of its game's messages some are not as 748 has them, a name among them. */
    @Test
    void recordsOnIndependentServer(@TempDir Path here) throws Exception {
        int port = TestPort.free();
        BedrockPeers.serve(npm, List.of("bedrock-server.mjs", "--port", Integer.toString(port)));
        InetSocketAddress address = BedrockPeers.loopback(port);
        Bot walker = bot(address, "Walker", (_, _) -> BedrockPeers.WALK);
        Peer.await("the walker", SOON, walker.joined::isDone);
        GhostRecording.assertRecords(here, "bedrock", address, "Walker");
    }

    @Test
    void meetsOnJsPrismarine(@TempDir Path home) throws Exception {
        int port = TestPort.free();
        Peer server =
                npm.nodeIn(
                        home,
                        Npm.PEERS.resolve("jsprismarine.mjs").toString(),
                        String.valueOf(port));
        server.awaitLine("listening", SOON);
        InetSocketAddress address = BedrockPeers.loopback(port);
        Bot watcher = bot(address, "Watcher", (_, self) -> PlayerInput.look(self.yaw(), 0));
        watcher.awaitJoined();
        Bot walker = bot(address, "Walker", (_, _) -> BedrockPeers.WALK);
        walker.awaitJoined();
        Vec3 start = walker.movement().position();
        Peer.await(
                "the watcher sees the walker a metre further",
                SOON,
                () ->
                        watcher.others.values().stream()
                                .map(other -> other.movement().position())
                                .anyMatch(at ->
                                        at.distance(start) > 1
                                                && at.distance(walker.movement().position()) < 1));
        walker.say("good day");
        Peer.await(
                "chat",
                SOON,
                () -> watcher.heard.stream().anyMatch(text -> text.contains("good day")));
        walker.leave();
        Peer.await("the walker is gone", SOON, watcher.others::isEmpty);
        assertThat(watcher.ended).isNotDone();
    }
}
