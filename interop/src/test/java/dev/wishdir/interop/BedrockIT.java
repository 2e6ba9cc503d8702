package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.JsonObject;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Level;
import dev.wishdir.arena.Player;
import dev.wishdir.bedrock.BedrockGame;
import dev.wishdir.bedrock.server.BedrockEndpoint;
import dev.wishdir.game.BotController;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.Counters;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.NettyLoop;

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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Ours against the npm library bedrock-protocol, whose RakNet is the original in C++: its client on
 * our server, ours on its server.
 */
@Timeout(120)
class BedrockIT {
    private static final Duration SOON = Duration.ofSeconds(40);

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
            cycle.add(arena::advance);
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
            return npm.node(command.toArray(String[]::new));
        }

        List<String> names() {
            return Bot.on(cycle, () -> arena.players().stream().map(Player::name).toList());
        }
    }

    private Bot bot(InetSocketAddress server, String name, BotController controller) {
        return new Bot(loop, new BedrockGame(), server, name, controller);
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
        assertThat(ann.awaitExit(SOON)).as(String.join("\n", ann.lines())).isZero();
        assertThat(Npm.events(ann, "leftover", "")).isEmpty();
        assertThat(bot.heard).contains("Ann: hello arena");
        assertThat(server.counters.get("bedrock.drop.corrected")).isZero();
        assertThat(server.counters.get("bedrock.drop.insane")).isZero();

        List<JsonObject> moves = Npm.events(ann, "recv", "move_player");
        assertThat(moves).hasSizeGreaterThan(30);
        Vec3 last = Npm.position(moves.getLast().getAsJsonObject("position"));
        // Canonical x is the game's x; the bot walks slowly to the east.
        Vec3 now = bot.movement().position();
        assertThat(last.x()).isCloseTo(now.x(), within(1.5));
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
        int port = Npm.freePort();
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
        int port = Npm.freePort();
        BedrockPeers.serve(npm, List.of("bedrock-server.mjs", "--port", Integer.toString(port)));
        InetSocketAddress address = BedrockPeers.loopback(port);
        Bot walker = bot(address, "Walker", (_, _) -> BedrockPeers.WALK);
        Peer.await("the walker", SOON, walker.joined::isDone);
        GhostRecording.assertRecords(here, "bedrock", address, "Walker");
    }

    @Test
    void meetsOnJsPrismarine(@TempDir Path home) throws Exception {
        int port = Npm.freePort();
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
