package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import dev.wishdir.bedrock.BedrockGame;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Game;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.wire.TestPort;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The npm library's client of each version on our server, with a player of another game, and ours
 * of each version on its server; encrypted. The oldest and the newest version, or all of them with
 * {@code -Dwishdir.bedrock.versions=all}.
 */
@Timeout(600)
class BedrockVersionsIT {
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
        BedrockPeers.visit(server, bot, ann);
        List<JsonObject> offered = Npm.events(ann, "recv", "available_commands");
        assertThat(offered).hasSize(2);
        assertThat(words(offered.getFirst(), "names")).containsExactly("list", "tell", "admin");
        assertThat(words(offered.getLast(), "names")).contains("list", "kick", "ban", "help");
        assertThat(words(offered.getLast(), "completes"))
                .containsExactly("tell", "kick", "ban", "name");
    }

    @ParameterizedTest
    @MethodSource("versions")
    void walksOnIndependentServerOfEachVersion(int protocol) throws Exception {
        int port = TestPort.free();
        Peer server =
                BedrockPeers.serve(
                        npm,
                        List.of(
                                "bedrock-any-server.mjs",
                                "--game",
                                String.valueOf(protocol),
                                "--port",
                                String.valueOf(port),
                                "--moves",
                                "all"));
        InetSocketAddress address = BedrockPeers.loopback(port);
        Game game = new BedrockGame().ofVersion(String.valueOf(protocol));
        Bot watcher =
                new Bot(
                        loop,
                        game,
                        address,
                        "Watcher",
                        (_, self) -> PlayerInput.look(self.yaw(), 0));
        watcher.awaitJoined();
        Bot walker = new Bot(loop, game, address, "Walker", (_, _) -> BedrockPeers.WALK);
        walker.awaitJoined();
        BedrockPeers.walk(server, watcher, walker, "!correct");
        assertThat(Npm.events(server, "player_auth_input", ""))
                .extracting(line -> line.get("name").getAsString())
                .contains("Walker");
        assertThat(Npm.events(server, "join", ""))
                .allMatch(line -> line.get("encrypted").getAsBoolean());
    }
}
