package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Player;
import dev.wishdir.bedrock.BedrockClient;
import dev.wishdir.bedrock.BedrockEndpoint;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Joining;
import dev.wishdir.game.Pilot;
import dev.wishdir.game.Pilot.Steering;
import dev.wishdir.game.Serving;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.Counters;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.NettyLoop;
import dev.wishdir.world.BoxArena;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Ours against the npm library bedrock-protocol, whose RakNet is the original in C++: its client on
 * our server, ours on its server.
 */
@Timeout(120)
class BedrockIT {
    private static final Path SCRIPTS = Path.of("src/test/peers/bedrock");
    private static final Path PEERS =
            Path.of(System.getenv().getOrDefault("WISHDIR_BEDROCK_PEERS", "target/bedrock-peers"))
                    .toAbsolutePath();
    private static final Duration SOON = Duration.ofSeconds(40);

    private final NettyLoop loop = new NettyLoop("bedrock");
    private final List<Peer> peers = new ArrayList<>();

    @BeforeEach
    void needPeers() throws IOException {
        for (String peer : List.of("bedrock-protocol", "@jsprismarine/prismarine")) {
            need(peer);
        }
        for (String script :
                List.of(
                        "bedrock-arena.mjs",
                        "bedrock-client.mjs",
                        "bedrock-server.mjs",
                        "jsprismarine.mjs")) {
            Files.copy(
                    SCRIPTS.resolve(script),
                    PEERS.resolve(script),
                    StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static void need(String peer) {
        if (!Files.exists(PEERS.resolve("node_modules").resolve(peer))) {
            String missing =
                    "npm's "
                            + peer
                            + " is missing: copy "
                            + SCRIPTS
                            + "/package.json to "
                            + PEERS
                            + " and run npm install there";
            if (Boolean.parseBoolean(System.getenv("WISHDIR_REQUIRE_PEERS"))) {
                fail(missing);
            }
            abort(missing);
        }
    }

    @AfterEach
    void close() {
        peers.forEach(Peer::close);
        loop.close();
    }

    private Peer node(String... command) throws IOException {
        List<String> whole = new ArrayList<>(List.of("node"));
        whole.addAll(List.of(command));
        Peer peer = Peer.start(PEERS, Map.of(), whole.toArray(String[]::new));
        peers.add(peer);
        return peer;
    }

    private static int freePort() throws IOException {
        try (DatagramSocket free = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static <T> T on(DutyCycle cycle, Callable<T> task) {
        CompletableFuture<T> done = new CompletableFuture<>();
        cycle.execute(() -> {
            try {
                done.complete(task.call());
            } catch (Exception e) {
                done.completeExceptionally(e);
            }
        });
        return done.join();
    }

    /** A server of ours on a free port. */
    private final class Server {
        final DutyCycle cycle = loop.cycle();
        final Arena arena = new Arena(BoxArena.BOUNDS, 20);
        final Counters counters = new Counters();
        final BedrockEndpoint endpoint;

        Server(Map<String, String> options) {
            cycle.add(arena::advance);
            endpoint =
                    on(
                            cycle,
                            () ->
                                    new BedrockEndpoint(
                                            Serving.at(
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
                                                    .build()));
        }

        Peer client(String name, String... more) throws IOException {
            List<String> command =
                    new ArrayList<>(
                            List.of(
                                    "bedrock-client.mjs",
                                    "127.0.0.1",
                                    String.valueOf(endpoint.address().getPort()),
                                    name));
            command.addAll(List.of(more));
            return node(command.toArray(String[]::new));
        }

        List<String> names() {
            return on(cycle, () -> arena.players().stream().map(Player::name).toList());
        }
    }

    private static List<JsonObject> events(Peer peer, String event, String packet) {
        return peer.lines().stream()
                .filter(line -> line.startsWith("{"))
                .map(line -> JsonParser.parseString(line).getAsJsonObject())
                .filter(line -> line.get("ev").getAsString().equals(event))
                .filter(line ->
                        packet.isEmpty()
                                || (line.has("packet")
                                        && line.get("packet").getAsString().equals(packet)))
                .toList();
    }

    private static Vec3 position(JsonObject place) {
        return new Vec3(
                place.get("x").getAsDouble(),
                place.get("y").getAsDouble(),
                place.get("z").getAsDouble());
    }

    /** One headless player of ours and what it was told. */
    private final class Bot implements ClientListener {
        final DutyCycle cycle = loop.cycle();
        final Map<Integer, Client.Seen> others = new ConcurrentHashMap<>();
        final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        final CompletableFuture<Ending> ended = new CompletableFuture<>();
        final CompletableFuture<Boolean> joined = new CompletableFuture<>();
        final Client client;

        Bot(InetSocketAddress server, String name, Pilot pilot) {
            client =
                    on(
                            cycle,
                            () ->
                                    new BedrockClient(
                                            new Joining(
                                                    cycle,
                                                    server,
                                                    name,
                                                    "",
                                                    pilot,
                                                    this,
                                                    new Random(name.hashCode()))));
        }

        void awaitJoined() {
            Peer.await("the bot joins", SOON, () -> joined.isDone() || ended.isDone());
            assertThat(joined).as("joined, or ended %s", ended).isDone();
        }

        Movement movement() {
            return on(cycle, client::movement);
        }

        @Override
        public void joined(Client self) {
            joined.complete(true);
        }

        @Override
        public void appeared(Client self, Client.Seen other) {
            others.put(other.id(), other);
        }

        @Override
        public void moved(Client self, long now, Client.Seen other) {
            others.put(other.id(), other);
        }

        @Override
        public void vanished(Client self, Client.Seen other) {
            others.remove(other.id());
        }

        @Override
        public void said(Client self, String name, String text) {
            heard.add(name + ": " + text);
        }

        @Override
        public void ended(Client self, Ending ending, String reason) {
            heard.add(reason);
            ended.complete(ending);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "server, on, deflate, ''",
        "client, on, deflate, ''",
        "server, off, deflate, ''",
        "client, on, deflate, --library-flow"
    })
    void itsClientsWalkOnOurServer(
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
                new Bot(
                        server.endpoint.address(),
                        "Bot",
                        (_, _) -> new Steering(0, 0, 0.1, 0, false, false));
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
        assertThat(ann.awaitExit(SOON)).as(String.join("\n", ann.lines())).isZero();
        assertThat(events(ann, "leftover", "")).isEmpty();
        assertThat(bot.heard).contains("Ann: hello arena");
        assertThat(server.counters.get("bedrock.drop.corrected")).isZero();
        assertThat(server.counters.get("bedrock.drop.insane")).isZero();

        List<JsonObject> moves = events(ann, "recv", "move_player");
        assertThat(moves).hasSizeGreaterThan(30);
        Vec3 last = position(moves.getLast().getAsJsonObject("position"));
        // Canonical x is the game's x; the bot walks slowly to the east.
        Vec3 now = bot.movement().position();
        assertThat(last.x()).isCloseTo(now.x(), within(1.5));
        assertThat(last.z()).isCloseTo(-now.y(), within(0.1));
        assertThat(last.y()).isCloseTo(1.62, within(0.01));
        Peer.await("Ann has left", SOON, () -> server.names().equals(List.of("Bot")));
        Peer.await("the bot sees it", SOON, bot.others::isEmpty);
    }

    @Test
    void itsClientsSeeEachOtherAndAreSentAwayWithAReason() throws Exception {
        Server server = new Server(Map.of());
        Peer ann = server.client("Ann", "--wait-players", "1", "--ticks", "400");
        Peer bob = server.client("Bob", "--wait-players", "1", "--ticks", "400");
        ann.awaitLine("\"packet\":\"add_player\".*Bob", SOON);
        bob.awaitLine("\"packet\":\"add_player\".*Ann", SOON);
        ann.awaitLine("\"packet\":\"move_player\"", SOON);
        on(
                server.cycle,
                () -> {
                    server.endpoint.close("closing time");
                    return true;
                });
        assertThat(ann.awaitExit(SOON)).isEqualTo(2);
        assertThat(String.join("\n", ann.lines())).contains("closing time");
        assertThat(events(bob, "leftover", "")).isEmpty();
    }

    @Test
    void itsPingShowsOurEntry() throws Exception {
        Server server = new Server(Map.of());
        Peer ping = server.client("nobody", "--ping");
        assertThat(ping.awaitLine("pong", SOON)).contains("Wishdir");
        assertThat(ping.awaitExit(SOON)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.21.30", "1.21.50"})
    void itsClientsOfOtherVersionsWalkOnOurServer(String version) throws Exception {
        Server server = new Server(Map.of());
        Bot bot =
                new Bot(
                        server.endpoint.address(),
                        "Bot",
                        (_, _) -> new Steering(0, 0, 0.1, 0, false, false));
        bot.awaitJoined();
        Peer ann =
                server.client("Ann", "--version", version, "--wait-players", "1", "--ticks", "40");
        assertThat(ann.awaitExit(SOON)).as(String.join("\n", ann.lines())).isZero();
        assertThat(events(ann, "leftover", "")).isEmpty();
        assertThat(events(ann, "recv", "move_player")).hasSizeGreaterThan(20);
        assertThat(server.counters.get("bedrock.drop.insane")).isZero();
        assertThat(server.counters.get("bedrock.drop.malformed")).isZero();
    }

    @ParameterizedTest
    @CsvSource({"685, failed_client", "800, failed_spawn", "2169, failed_spawn"})
    void otherVersionsAreToldWhoIsOutdated(int protocol, String status) throws Exception {
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
    void ourClientWalksOnItsServer(String authority, String plain, String compression)
            throws Exception {
        int port = freePort();
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
        Peer server = node(command.toArray(String[]::new));
        server.awaitLine("\"ev\":\"listening\"", SOON);
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        Bot walker =
                new Bot(address, "Walker", (_, _) -> new Steering(45, 10, 0.3, 0, false, false));
        Bot watcher = new Bot(address, "Watcher", (_, self) -> Steering.look(self.yaw(), 0));
        walker.awaitJoined();
        watcher.awaitJoined();
        String kind = authority.equals("client") ? "move_player" : "player_auth_input";
        Peer.await(
                "30 moves of the walker",
                SOON,
                () ->
                        events(server, kind, "").stream()
                                        .filter(e -> e.get("name").getAsString().equals("Walker"))
                                        .count()
                                > 30);
        Peer.await(
                "the watcher sees the walker move",
                SOON,
                () ->
                        watcher.others.values().stream()
                                .anyMatch(o ->
                                        o.name().equals("Walker")
                                                && o.movement()
                                                                .position()
                                                                .distance(
                                                                        walker.movement()
                                                                                .position())
                                                        < 1));
        on(
                walker.cycle,
                () -> {
                    walker.client.say("good day");
                    return true;
                });
        Peer.await("chat", SOON, () -> watcher.heard.contains("Walker: good day"));
        on(
                walker.cycle,
                () -> {
                    walker.client.say("!tp 10 5 10");
                    return true;
                });
        Peer.await(
                "the walker is teleported",
                SOON,
                () -> walker.movement().position().distance(new Vec3(10, -10, 5)) < 6);
        on(
                walker.cycle,
                () -> {
                    walker.client.close();
                    return true;
                });
        server.awaitLine("\"ev\":\"quit\",\"name\":\"Walker\"", SOON);
        Peer.await("it is gone", SOON, watcher.others::isEmpty);
    }

    /** A second RakNet. Of its game's messages some are not as 748 has them, a name among them. */
    @Test
    void ourClientsMeetOnJsPrismarine(@TempDir Path home) throws Exception {
        int port = freePort();
        Peer server =
                Peer.start(
                        home,
                        Map.of(),
                        "node",
                        PEERS.resolve("jsprismarine.mjs").toString(),
                        String.valueOf(port));
        peers.add(server);
        server.awaitLine("listening", SOON);
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        Bot watcher = new Bot(address, "Watcher", (_, self) -> Steering.look(self.yaw(), 0));
        watcher.awaitJoined();
        Bot walker =
                new Bot(address, "Walker", (_, _) -> new Steering(45, 10, 0.3, 0, false, false));
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
        on(
                walker.cycle,
                () -> {
                    walker.client.say("good day");
                    return true;
                });
        Peer.await(
                "chat",
                SOON,
                () -> watcher.heard.stream().anyMatch(text -> text.contains("good day")));
        on(
                walker.cycle,
                () -> {
                    walker.client.close();
                    return true;
                });
        Peer.await("the walker is gone", SOON, watcher.others::isEmpty);
        assertThat(watcher.ended).isNotDone();
    }
}
