package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.BotController;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.motion.Movement;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.sauerbraten.SauerbratenGame;
import dev.wishdir.sauerbraten.client.KickRequest;
import dev.wishdir.sauerbraten.map.MapFile;
import dev.wishdir.sauerbraten.protocol.AuthPrivateKey;
import dev.wishdir.sauerbraten.protocol.PlayerKeys;
import dev.wishdir.wire.TestPort;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** Our headless clients on the original dedicated server. */
@Timeout(600)
class SauerbratenServerIT {
    private static final Path SERVER = Path.of("/usr/lib/cube2/cube2_server");
    private static final Duration SOON = Duration.ofMinutes(2);

    @TempDir private @Nullable Path directory;
    private final NettyLoop loop = new NettyLoop("clients");

    @BeforeEach
    void needServer() {
        Peer.need("cube2-server", SERVER);
    }

    @AfterEach
    void close() {
        loop.close();
    }

    /** The original, on a free port of the loopback address. */
    private Peer server(InetSocketAddress address, Map<String, String> settings, String... map)
            throws IOException {
        String[] command = new String[4 + map.length];
        command[0] = "bash";
        command[1] = Peer.script("sauerbraten-server.sh");
        command[2] = String.valueOf(address.getPort());
        command[3] = String.valueOf(directory);
        System.arraycopy(map, 0, command, 4, map.length);
        Peer server = Peer.start(Path.of("."), settings, command);
        Path out = Path.of(String.valueOf(directory), "server.out");
        await(
                "the server",
                () -> {
                    try {
                        return Files.exists(out)
                                && Files.readString(out, StandardCharsets.ISO_8859_1)
                                        .contains("dedicated server started");
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
        return server;
    }

    private Bot player(
            InetSocketAddress server, String name, String password, BotController controller) {
        return new Bot(loop, new SauerbratenGame(), server, name, password, Map.of(), controller);
    }

    private static PlayerInput still(long now, Movement self) {
        return PlayerInput.look(0, 0);
    }

    private static void await(String what, BooleanSupplier condition) {
        Peer.await(what, SOON, condition);
    }

    @Test
    void showsPlayersToEachOther() throws Exception {
        InetSocketAddress address = TestPort.freeAddress();
        try (Peer server = server(address, Map.of(), "boxarena", "ffa")) {
            AtomicBoolean mayWalk = new AtomicBoolean();
            Bot walker =
                    player(
                            address,
                            "walker",
                            "",
                            (_, _) ->
                                    mayWalk.get()
                                            ? PlayerInput.walk(90, 90, 20)
                                            : PlayerInput.look(0, 0));
            await("the walker", walker.joined::isDone);
            Bot witness = player(address, "witness", "", SauerbratenServerIT::still);
            await("the witness", witness.joined::isDone);
            long id = walker.id();

            await("the walker to be seen", () -> !witness.path.isEmpty());
            Client.RemotePlayer first = witness.path.getFirst();
            assertThat(first.name()).isEqualTo("walker");
            assertThat(first.id()).isEqualTo(id);
            mayWalk.set(true);
            await(
                    "the walker to run to the north",
                    () ->
                            witness.path.stream()
                                    .map(Client.RemotePlayer::movement)
                                    .filter(it -> it.yaw() == 90 && it.pitch() == 20)
                                    .filter(it ->
                                            it.position().y() > first.movement().position().y() + 1)
                                    .anyMatch(it ->
                                            it.velocity().y() > 10 && it.velocity().y() < 16.5));
            await("thirty positions", () -> witness.path.size() >= 30);
            await("the witness is seen", () -> walker.others.size() == 1);

            walker.say("hello, grüße \"%s\" \\n");
            await("chat", () -> witness.heard.contains("walker: hello, grüße \"%s\" \\n"));

            walker.leave();
            await("the walker leaves", walker.ended::isDone);
            assertThat(walker.ended.join()).startsWith("LEFT");
            await("it is gone", () -> witness.others.isEmpty());
            assertThat(witness.ended.isDone()).isFalse();
            witness.leave();
            await("the witness leaves", witness.ended::isDone);
            assertThat(server.isAlive()).isTrue();
        }
    }

    /** The client's goto lands 32 units from the other's eye, seen along its own view. */
    @Test
    void letsOriginalClientKickOurBot() throws Exception {
        Peer.need("cube2", Path.of("/usr/lib/cube2/cube2_client"));
        Peer.need("xvfb", Path.of("/usr/bin/Xvfb"));
        Peer.need("xdotool", Path.of("/usr/bin/xdotool"));
        InetSocketAddress address = TestPort.freeAddress();
        Path home = Files.createDirectories(Path.of(String.valueOf(directory), "alice"));
        try (Peer server = server(address, Map.of(), "boxarena", "coop")) {
            Bot scout =
                    player(
                            address,
                            "scout",
                            "",
                            (now, self) ->
                                    self.position().y() < 8
                                            ? PlayerInput.walk(90, 90, 0)
                                            : PlayerInput.look(90, 0));
            await("the bot", scout.joined::isDone);
            try (Peer alice =
                    Peer.start(
                            home,
                            Map.of(
                                    "NAME",
                                    "alice",
                                    "DISPLAY_NUM",
                                    Peer.display(13),
                                    "GOTO",
                                    "scout",
                                    "MAPFILE",
                                    Peer.script("boxarena.ogz"),
                                    "ACTIONS",
                                    "chat edit goto wait master kick wait"),
                            Peer.script("sauerbraten-client.sh"),
                            "127.0.0.1",
                            Integer.toString(address.getPort()),
                            home.toString(),
                            "6")) {
                Peer.await("the kick", Duration.ofSeconds(60), scout.ended::isDone);
                assertThat(scout.ended.join()).isEqualTo("KICKED: kicked or banned by the server");
                assertThat(scout.heard).contains("alice: hello from alice");
                double apart =
                        scout.movement()
                                .position()
                                .minus(scout.path.getLast().movement().position())
                                .length();
                assertThat(apart).isBetween(3.5, 4.5);

                Bot again = player(address, "scout", "", SauerbratenServerIT::still);
                await("the refusal", again.ended::isDone);
                assertThat(again.ended.join())
                        .isEqualTo("REFUSED: the server has banned this address");
                assertThat(alice.awaitExit(Duration.ofSeconds(60))).isZero();
            }
            assertThat(server.isAlive()).isTrue();
        }
    }

    /** Other players see the recorder as a spectator. */
    @Test
    void recordsAsSpectator() throws Exception {
        InetSocketAddress address = TestPort.freeAddress();
        try (Peer _ = server(address, Map.of(), "boxarena", "ffa")) {
            Bot walker =
                    player(
                            address,
                            "walker",
                            "",
                            (now, _) -> PlayerInput.walk(now / 1e9 * 40 % 360, 90, 0));
            await("the walker", walker.joined::isDone);
            Path here = Path.of(String.valueOf(directory));
            GhostRecording.assertRecords(here, "sauerbraten", address, "walker");
            assertThat(walker.path)
                    .extracting(Client.RemotePlayer::name)
                    .doesNotContain("recorder");
        }
    }

    @Test
    void readsMapsOfGame() throws IOException {
        Path base = Path.of("/usr/share/games/cube2/packages/base");
        Peer.need("cube2-data", base);
        List<String> refused = new ArrayList<>();
        try (DirectoryStream<Path> maps = Files.newDirectoryStream(base, "*.ogz")) {
            for (Path map : maps) {
                try {
                    assertThat(MapFile.read(map.toString()).side()).as("%s", map).isPositive();
                } catch (IOException e) {
                    refused.add(String.valueOf(e.getMessage()));
                }
            }
        }
        assertThat(refused)
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains("wake6.ogz", "is 24: only maps of versions 32 and 33 are supported");
    }

    /** The server has no map file: it learns the flags from our clients. */
    @Test
    void capturesFlag() throws Exception {
        InetSocketAddress address = TestPort.freeAddress();
        Map<String, String> map = Map.of("map-file", Peer.script("boxarena.ogz"));
        try (Peer server = server(address, Map.of(), "boxarena", "efficctf")) {
            FlagRunner runner = new FlagRunner(loop, new SauerbratenGame(), address, "ann", map);
            runner.bot.awaitJoined();
            FlagRunner witness = new FlagRunner(loop, new SauerbratenGame(), address, "ben", map);
            witness.bot.awaitJoined();
            long id = runner.bot.id();
            runner.setRunning(true);
            await("a take", () -> witness.carrier("good") == id);
            await("two captures", () -> witness.teamScore("evil") >= 2);
            assertThat(runner.teamScore("evil")).isGreaterThanOrEqualTo(2);
            await("another take", runner::carries);
            Bot.on(runner.bot.cycle, runner.bot.client::dropFlag);
            await("a drop", () -> witness.carrier("good") < 0);
            assertThat(server.isAlive()).isTrue();
        }
    }

    /** Two teams of ours; the witness stands in one of them. */
    @Test
    void letsFightingBotsCaptureFlags() throws Exception {
        InetSocketAddress address = TestPort.freeAddress();
        String map = Peer.script("boxarena.ogz");
        try (Peer server = server(address, Map.of(), "boxarena", "efficctf")) {
            FlagRunner witness =
                    new FlagRunner(
                            loop, new SauerbratenGame(), address, "ann", Map.of("map-file", map));
            witness.bot.awaitJoined();
            try (Peer _ =
                    Peer.wishdirWithoutCache(
                            Path.of(String.valueOf(directory)),
                            "bot",
                            "sauerbraten",
                            "127.0.0.1:" + address.getPort(),
                            "--count",
                            "3",
                            "--fight",
                            "--skill",
                            "5",
                            "--map-file",
                            map)) {
                await(
                        "two captures",
                        () -> witness.teamScore("good") + witness.teamScore("evil") >= 2);
            }
            assertThat(server.isAlive()).isTrue();
        }
    }

    @Test
    void sendsPasswordOnRequest() throws Exception {
        InetSocketAddress address = TestPort.freeAddress();
        try (Peer server =
                server(address, Map.of("EXTRA_CFG", "serverpass \"letmein\""), "boxarena", "ffa")) {
            Bot without = player(address, "without", "", SauerbratenServerIT::still);
            await("the refusal", without.ended::isDone);
            assertThat(without.ended.join()).isEqualTo("REFUSED: the server asks for a password");
            Bot wrong = player(address, "wrong", "guess", SauerbratenServerIT::still);
            await("the refusal", wrong.ended::isDone);
            assertThat(wrong.ended.join())
                    .isEqualTo("REFUSED: the server did not accept the password");
            Bot right = player(address, "right", "letmein", SauerbratenServerIT::still);
            await("the player", right.joined::isDone);
            right.leave();
            await("the player leaves", right.ended::isDone);
            assertThat(server.isAlive()).isTrue();
        }
    }

    @Test
    void entersLockedServerWithKeyAndKicks() throws Exception {
        InetSocketAddress address = TestPort.freeAddress();
        AuthPrivateKey ada = AuthPrivateKey.generate(new Random(1));
        Path here = Path.of(String.valueOf(directory));
        Path right = here.resolve("right.cfg");
        Path wrong = here.resolve("wrong.cfg");
        Files.writeString(right, "authkey ada " + ada.text() + " dom\n");
        Files.writeString(
                wrong, "authkey ada " + AuthPrivateKey.generate(new Random(2)).text() + " dom\n");
        String settings =
                "serverpass \"letmein\"\nserverauth dom\nadduser ada dom "
                        + ada.publicKey()
                        + " a\n";
        try (Peer server = server(address, Map.of("EXTRA_CFG", settings), "boxarena", "ffa")) {
            Bot stranger = owner(address, "stranger", wrong);
            await("the refusal", stranger.ended::isDone);
            assertThat(stranger.ended.join())
                    .isEqualTo("REFUSED: the server did not accept the key ada of dom");
            Bot rowdy = player(address, "rowdy", "letmein", SauerbratenServerIT::still);
            await("a player", rowdy.joined::isDone);
            Bot owner = owner(address, "owner", right);
            await("the owner of the key", owner.joined::isDone);
            await(
                    "its privilege",
                    () -> owner.heard.contains(": owner claimed admin as 'ada' [dom]"));
            await("the kick", rowdy.ended::isDone);
            assertThat(rowdy.ended.join()).isEqualTo("KICKED: kicked or banned by the server");
            assertThat(owner.ended.isDone()).isFalse();
            owner.leave();
            await("the owner leaves", owner.ended::isDone);
            assertThat(server.isAlive()).isTrue();
        }
    }

    private Bot owner(InetSocketAddress server, String name, Path keys) {
        return new Bot(
                loop,
                new SauerbratenGame(),
                server,
                name,
                "",
                Map.of(PlayerKeys.OPTION, keys.toString(), KickRequest.OPTION, "rowdy"),
                SauerbratenServerIT::still);
    }

    @Test
    void reportsFullServer() throws Exception {
        InetSocketAddress address = TestPort.freeAddress();
        try (Peer server = server(address, Map.of("MAXCLIENTS", "1"))) {
            Bot first = player(address, "first", "", SauerbratenServerIT::still);
            await("the first", first.joined::isDone);
            Bot second = player(address, "second", "", SauerbratenServerIT::still);
            await("the refusal", second.ended::isDone);
            assertThat(second.ended.join()).isEqualTo("REFUSED: the server is full");
            assertThat(first.ended.isDone()).isFalse();
            assertThat(server.isAlive()).isTrue();
        }
    }
}
