package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;

import dev.wishdir.bedrock.BedrockGame;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.Certificate;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.wire.TestPort;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Ours against the npm library bedrock-protocol at 1.26.51 over NetherNet, by libwebrtc, on which
 * the game is built, and by libdatachannel: its clients on our server, ours on its server, over
 * HTTP and HTTPS.
 */
@Timeout(600)
class BedrockNetherNetIT {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final String VERSION = "2193";

    /** The status of a program that has ended by a segmentation fault. */
    private static final int CRASHED = 139;

    @TempDir private Path folder;
    private final NettyLoop loop = new NettyLoop("nethernet");

    @RegisterExtension
    private final Npm npm = new Npm("bedrock-protocol", "@roamhq/wrtc", "node-datachannel");

    @AfterEach
    void close() {
        loop.close();
    }

    private Map<String, String> tls(boolean with) throws Exception {
        if (!with) {
            return Map.of();
        }
        Certificate made = Certificate.in(folder);
        return Map.of("tls-certificate", made.chain().toString(), "tls-key", made.key().toString());
    }

    private TwoGames server(boolean tls) throws Exception {
        return new TwoGames(loop, tls(tls));
    }

    @ParameterizedTest
    @CsvSource({"wrtc, false", "ndc, false", "wrtc, true", "ndc, true"})
    void acceptsIndependentClient(String rtc, boolean tls) throws Exception {
        TwoGames server = server(tls);
        Bot bot = server.walker();
        Peer ann =
                npm.node(
                        "bedrock-any-client.mjs",
                        "127.0.0.1",
                        server.port(),
                        "Ann",
                        "--game",
                        VERSION,
                        "--rtc",
                        rtc,
                        "--wait-players",
                        "1",
                        "--ticks",
                        "25",
                        "--timeout",
                        "100000",
                        "--chat",
                        "hello arena");
        assertThat(ann.awaitLine("\"ev\":\"probed\"", SOON))
                .contains((tls ? "https" : "http") + "://127.0.0.1:" + server.port())
                .contains("\"version\":\"1.26.51\"");
        Vec3 began = BedrockPeers.visit(server, bot, ann);
        assertThat(ann.lines()).noneMatch(line -> line.contains("encryption"));
        assertThat(Npm.events(ann, "sent", "")).isNotEmpty();
        assertThat(Npm.position(Npm.events(ann, "sent", "").getLast().getAsJsonObject("pos")))
                .isNotEqualTo(began);
    }

    @ParameterizedTest
    @ValueSource(strings = {"wrtc", "ndc"})
    void acceptsTenIndependentClientsAtOnce(String rtc) throws Exception {
        // Node's binding of libwebrtc crashes now and then, which says nothing of us.
        for (int tries = 1; meetAtOnce(rtc) == CRASHED; tries++) {
            assertThat(tries).isLessThan(3);
        }
    }

    private int meetAtOnce(String rtc) throws Exception {
        TwoGames server = server(false);
        Bot bot = server.walker();
        Peer crowd =
                npm.node(
                        "bedrock-nethernet-crowd.mjs",
                        "127.0.0.1",
                        server.port(),
                        "10",
                        "--rtc",
                        rtc,
                        "--wait-players",
                        "10");
        int exit = crowd.awaitExit(SOON);
        if (exit == CRASHED) {
            return exit;
        }
        assertThat(exit).as(String.join("\n", crowd.lines())).isZero();
        List<JsonObject> left = Npm.events(crowd, "left", "");
        assertThat(left).hasSize(10);
        for (int i = 0; i < 10; i++) {
            String line = "[B]Guest" + i + ": I am Guest" + i;
            Peer.await(line, SOON, () -> bot.heard.contains(line));
        }
        // Each other and the bot.
        assertThat(left).allMatch(line -> line.get("seen").getAsInt() == 10);
        Peer.await("all have left", SOON, () -> server.names().equals(List.of("Bot")));
        server.droppedNothing();
        return exit;
    }

    @ParameterizedTest
    @CsvSource({"none, true", "signer, false", "expired, false", "login-key, false"})
    void checksIdentityOfIndependentClient(String identity, boolean in) throws Exception {
        TwoGames server = server(false);
        Peer eve =
                npm.node(
                        "bedrock-any-client.mjs",
                        "127.0.0.1",
                        server.port(),
                        "Eve",
                        "--game",
                        VERSION,
                        "--rtc",
                        "wrtc",
                        "--identity",
                        identity,
                        "--ticks",
                        "2");
        assertThat(eve.awaitExit(SOON)).isEqualTo(in ? 0 : 2);
        String said = String.join("\n", eve.lines());
        if (identity.equals("login-key")) {
            assertThat(said).contains("it is of another key than the connection's");
        } else if (!in) {
            assertThat(said).contains("\"status\":403");
        }
        Peer.await("nobody is here", SOON, () -> server.names().isEmpty());
    }

    private Bot bot(InetSocketAddress server, String name, @Nullable PlayerInput input) {
        return new Bot(
                loop,
                new BedrockGame().ofVersion(VERSION),
                server,
                name,
                "",
                Map.of("transport", "nethernet"),
                (_, self) -> input == null ? PlayerInput.look(self.yaw(), 0) : input);
    }

    private Peer itsServer(int port, String rtc, boolean tls) throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "bedrock-any-server.mjs",
                                "--game",
                                VERSION,
                                "--port",
                                String.valueOf(port),
                                "--max",
                                "20",
                                "--rtc",
                                rtc));
        tls(tls).forEach((option, file) -> command.addAll(List.of("--" + option, file)));
        return BedrockPeers.serve(npm, command);
    }

    @ParameterizedTest
    @CsvSource({"wrtc, false", "ndc, false", "wrtc, true", "ndc, true"})
    void walksOnIndependentServer(String rtc, boolean tls) throws Exception {
        int port = TestPort.free();
        Peer server = itsServer(port, rtc, tls);
        InetSocketAddress address = BedrockPeers.loopback(port);
        Bot watcher = bot(address, "Watcher", null);
        watcher.awaitJoined();
        Bot walker = bot(address, "Walker", BedrockPeers.WALK);
        walker.awaitJoined();
        BedrockPeers.walk(server, watcher, walker);
        assertThat(Npm.events(server, "join", ""))
                .hasSize(2)
                .noneMatch(line -> line.get("encrypted").getAsBoolean());
        watcher.say("!kick");
        Peer.await("the watcher is sent away", SOON, watcher.ended::isDone);
        assertThat(watcher.heard).contains("kicked by command");
    }

    @ParameterizedTest
    @ValueSource(strings = {"wrtc", "ndc"})
    void connectsTenClientsToIndependentServer(String rtc) throws Exception {
        int port = TestPort.free();
        itsServer(port, rtc, false);
        InetSocketAddress address = BedrockPeers.loopback(port);
        List<Bot> bots =
                IntStream.range(0, 10)
                        .mapToObj(i ->
                                bot(
                                        address,
                                        "Bot" + i,
                                        new PlayerInput(36 * i, 0, 0.1, 0, false, false)))
                        .toList();
        bots.forEach(Bot::awaitJoined);
        Peer.await(
                "everybody sees everybody",
                SOON,
                () -> bots.stream().allMatch(bot -> bot.others.size() == 9));
        bots.forEach(Bot::leave);
        Peer.await("all have left", SOON, () -> bots.stream().allMatch(b -> b.ended.isDone()));
    }

    /**
     * Five of a hundred datagrams are lost each way, and every connection opens. Ten here; 400 with
     * {@code -Dwishdir.nethernet.opens=400}, 50 at once.
     */
    @Test
    void opensEveryConnectionOverBadLine() throws Exception {
        int all = Integer.getInteger("wishdir.nethernet.opens", 10);
        int opened = 0;
        for (int i = 0; i < all; i += 50) {
            TwoGames server = server(false);
            int port = TestPort.free();
            Peer line = npm.node("lossy.mjs", String.valueOf(port), server.port(), "0.05");
            line.awaitLine("listening", SOON);
            Peer clients =
                    npm.node(
                            "nethernet-opens.mjs",
                            "http://127.0.0.1:" + port,
                            "--n",
                            String.valueOf(Math.min(50, all - i)));
            clients.awaitExit(SOON);
            JsonObject result = Npm.events(clients, "result", "").getFirst();
            opened += result.get("answered").getAsInt();
            line.close();
            server.close();
        }
        assertThat(opened).isEqualTo(all);
    }
}
