package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import dev.wishdir.bedrock.BedrockGame;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.NettyLoop;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The npm library's client of each version on our server, beside a player of another game, and ours
 * of each version on its server; encrypted. The oldest and the newest version, or all of them with
 * {@code -Dwishdir.bedrock.versions=all}.
 */
@Timeout(120)
class BedrockVersionsIT {
    private static final Duration SOON = Duration.ofSeconds(40);

    private final NettyLoop loop = new NettyLoop("bedrock");
    @RegisterExtension private final Npm npm = new Npm("bedrock-protocol");

    static IntStream versions() {
        return System.getProperty("wishdir.bedrock.versions", "").equals("all")
                ? IntStream.of(BedrockCodec.protocols())
                : IntStream.of(BedrockCodec.OLDEST.protocol(), BedrockCodec.NEWEST.protocol());
    }

    private static List<String> words(JsonObject line, String name) {
        return line.getAsJsonArray(name).asList().stream().map(JsonElement::getAsString).toList();
    }

    @AfterEach
    void close() {
        loop.close();
    }

    @ParameterizedTest
    @MethodSource("versions")
    void acceptsIndependentClientOfEachVersion(int protocol) throws Exception {
        TwoGames server = new TwoGames(loop, Map.of());
        Bot bot = server.walker();
        Peer ann =
                npm.node(
                        "bedrock-any-client.mjs",
                        "127.0.0.1",
                        server.port(),
                        "Ann",
                        "--game",
                        String.valueOf(protocol),
                        "--wait-players",
                        "1",
                        "--ticks",
                        "25",
                        "--chat",
                        "hello arena",
                        "--chat",
                        "/admin boss");
        ann.awaitLine("\"ev\":\"spawned\"", SOON);
        Peer.await(
                "the bot sees Ann",
                SOON,
                () -> bot.others.values().stream().anyMatch(o -> o.name().equals("[B]Ann")));
        bot.say("good day");
        assertThat(ann.awaitExit(SOON)).as(String.join("\n", ann.lines())).isZero();
        assertThat(Npm.events(ann, "leftover", "")).isEmpty();
        assertThat(bot.heard).contains("[B]Ann: hello arena");
        assertThat(ann.lines()).anyMatch(line -> line.contains("good day"));

        assertThat(Npm.events(ann, "recv", "add_player"))
                .extracting(line -> line.get("username").getAsString())
                .containsExactly("[S] Bot");
        List<JsonObject> moves = Npm.events(ann, "recv", "move_player");
        assertThat(moves).isNotEmpty();
        Vec3 seen = Npm.position(moves.getLast().getAsJsonObject("position"));
        Vec3 there = server.position("Bot");
        assertThat(seen.x()).isCloseTo(there.x(), within(0.5));
        assertThat(seen.y()).isCloseTo(there.z() + 1.62, within(0.1));
        assertThat(seen.z()).isCloseTo(-there.y(), within(0.1));
        List<JsonObject> offered = Npm.events(ann, "recv", "available_commands");
        assertThat(offered).hasSize(2);
        assertThat(words(offered.getFirst(), "names")).containsExactly("list", "tell", "admin");
        assertThat(words(offered.getLast(), "names")).contains("list", "kick", "ban", "help");
        assertThat(words(offered.getLast(), "completes"))
                .containsExactly("tell", "kick", "ban", "name");
        Peer.await("Ann has left", SOON, () -> server.names().equals(List.of("Bot")));
        server.droppedNothing();
    }

    @ParameterizedTest
    @MethodSource("versions")
    void walksOnIndependentServerOfEachVersion(int protocol) throws Exception {
        int port = Npm.freePort();
        Peer server =
                npm.node(
                        "bedrock-any-server.mjs",
                        "--game",
                        String.valueOf(protocol),
                        "--port",
                        String.valueOf(port),
                        "--moves",
                        "all");
        server.awaitLine("\"ev\":\"listening\"", SOON);
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        Game game = new BedrockGame().ofVersion(String.valueOf(protocol));
        Bot watcher =
                new Bot(
                        loop,
                        game,
                        address,
                        "Watcher",
                        (_, self) -> PlayerInput.look(self.yaw(), 0));
        watcher.awaitJoined();
        Bot walker =
                new Bot(
                        loop,
                        game,
                        address,
                        "Walker",
                        (_, _) -> new PlayerInput(45, 10, 0.3, 0, false, false));
        walker.awaitJoined();
        Peer.await(
                "the watcher sees the walker where it is",
                SOON,
                () ->
                        watcher.others.values().stream()
                                .anyMatch(o ->
                                        o.name().equals("Walker")
                                                && o.movement().yaw() > 44
                                                && o.movement()
                                                                .position()
                                                                .distance(
                                                                        walker.movement()
                                                                                .position())
                                                        < 1));
        walker.say("good day");
        Peer.await("chat", SOON, () -> watcher.heard.contains("Walker: good day"));
        assertThat(Npm.events(server, "player_auth_input", ""))
                .extracting(line -> line.get("name").getAsString())
                .contains("Walker");
        assertThat(Npm.events(server, "join", ""))
                .allMatch(line -> line.get("encrypted").getAsBoolean());
        walker.say("!correct");
        walker.say("!tp 10 5 10");
        Peer.await(
                "the walker is teleported",
                SOON,
                () -> walker.movement().position().distance(new Vec3(10, -10, 5)) < 6);
        walker.leave();
        server.awaitLine("\"ev\":\"quit\",\"name\":\"Walker\"", SOON);
        Peer.await("it is gone", SOON, watcher.others::isEmpty);
        assertThat(Npm.events(server, "leftover", "")).isEmpty();
        assertThat(Npm.events(server, "error", "")).isEmpty();
        assertThat(watcher.ended).isNotDone();
    }
}
