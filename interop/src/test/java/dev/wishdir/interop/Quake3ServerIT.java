package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.quake3.Quake3Game;
import dev.wishdir.wire.TestPort;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Our headless client on the original dedicated servers. */
@Timeout(600)
class Quake3ServerIT {
    private static final Path DATA = Path.of("/usr/lib/openarena-server");
    private static final Path OPENARENA = Path.of("/usr/games/openarena-server");
    private static final Path IOQUAKE3 = Path.of("/usr/lib/ioquake3/ioq3ded");
    private static final Duration SOON = Duration.ofMinutes(2);

    /** Some 40 s on two quiet cores. */
    private static final Duration CAPTURE = Duration.ofMinutes(5);

    @TempDir private @Nullable Path home;
    private final NettyLoop loop = new NettyLoop("clients");

    @AfterEach
    void close() {
        loop.close();
    }

    @ParameterizedTest
    @CsvSource({
        "openarena-server, 71, 71, 0",
        "openarena-server, 71, 71, 1",
        "openarena-server, 71, 0, 0",
        "openarena-server, 71, 0, 1",
        "ioquake3-server, 71, 68, 0",
        "ioquake3-server, 71, 68, 1",
        "ioquake3-server, 68, 68, 0",
        "ioquake3-server, 68, 68, 1"
    })
    void joinsWalksSeesAndSpeaks(
            String program, String protocol, String legacyProtocol, String pure) throws Exception {
        InetSocketAddress address = TestPort.freeAddress();
        try (Peer server =
                server(
                        program,
                        address,
                        Map.of(
                                "com_protocol",
                                protocol,
                                "com_legacyprotocol",
                                legacyProtocol,
                                "sv_pure",
                                pure),
                        "+addbot",
                        "sarge",
                        "2")) {
            Bot walker = join(address, "walker", "").awaitJoined();
            Vec3 start = walker.joined.join().position();
            Peer.await(
                    "the other to be seen moving",
                    Duration.ofSeconds(60),
                    () ->
                            walker.path.stream()
                                            .map(Client.RemotePlayer::movement)
                                            .distinct()
                                            .count()
                                    > 5);
            assertThat(walker.path).extracting(Client.RemotePlayer::name).containsOnly("Sarge");
            Peer.await("the walker to walk", SOON, () -> walked(walker, start));
            server.awaitLine("ClientBegin", SOON);
            walker.say("hello from wishdir");
            server.awaitLine("say: walker: hello from wishdir", SOON);
            Peer.await(
                    "its own words",
                    SOON,
                    () -> walker.heard.contains("walker: hello from wishdir"));
            walker.leave();
            server.awaitLine("walker\\^7 disconnected", SOON);
            assertThat(walker.awaitEnded()).startsWith("LEFT");
        }
    }

    /** A spectator: the server's own bot plays on, and the recorder is not in its way. */
    @Test
    void recordsAsSpectator() throws Exception {
        InetSocketAddress address = TestPort.freeAddress();
        try (Peer server = server("openarena-server", address, Map.of(), "+addbot", "sarge", "2")) {
            server.awaitLine("ClientBegin", SOON);
            Path here = Path.of(String.valueOf(home));
            GhostRecording.assertRecords(here, "quake3", address, "Sarge");
            assertThat(server.lines())
                    .anyMatch(line -> line.contains("ClientUserinfoChanged") && isSpectator(line));
        }
    }

    private static boolean isSpectator(String line) {
        return line.contains("n\\recorder\\t\\3\\");
    }

    @Test
    void sendsPasswordOnRequest() throws Exception {
        InetSocketAddress address = TestPort.freeAddress();
        try (Peer _ = server("openarena-server", address, Map.of("g_password", "letmein"))) {
            assertThat(refusal(address, "")).isEqualTo("REFUSED: Invalid password");
            assertThat(refusal(address, "guess")).isEqualTo("REFUSED: Invalid password");
            join(address, "right", "letmein").awaitJoined();
        }
    }

    @Test
    void reportsFullServer() throws Exception {
        InetSocketAddress address = TestPort.freeAddress();
        try (Peer _ = server("openarena-server", address, Map.of("sv_maxclients", "1"))) {
            Bot first = join(address, "first", "").awaitJoined();
            assertThat(refusal(address, "")).isEqualTo("REFUSED: Server is full.");
            assertThat(first.ended).isNotDone();
        }
    }

    @Test
    void reportsBan() throws Exception {
        InetSocketAddress address = TestPort.freeAddress();
        try (Peer _ = server("openarena-server", address, Map.of(), "+banaddr", "127.0.0.1")) {
            assertThat(refusal(address, "")).isEqualTo("REFUSED: You are banned from this server.");
        }
    }

    /** Its own bots are the red team; ours find the way on its map. */
    @Test
    void letsFightingBotsCaptureFlag() throws Exception {
        InetSocketAddress address = TestPort.freeAddress();
        try (Peer server =
                server(
                        "openarena-server",
                        "ps37ctf",
                        address,
                        Map.of("g_gametype", "4"),
                        "+addbot",
                        "sarge",
                        "1",
                        "red",
                        "+addbot",
                        "gargoyle",
                        "1",
                        "red")) {
            server.awaitLine("ClientBegin: 1", SOON);
            try (Peer _ =
                    Peer.wishdirWithoutCache(
                            Path.of(String.valueOf(home)),
                            "bot",
                            "quake3",
                            "127.0.0.1:" + address.getPort(),
                            "--count",
                            "3",
                            "--fight",
                            "--skill",
                            "5",
                            "--name",
                            "ours")) {
                server.awaitLine("ours\\d captured the RED flag", CAPTURE);
            }
        }
    }

    private String refusal(InetSocketAddress address, String password) {
        return join(address, "refused", password).awaitEnded();
    }

    private static boolean walked(Bot bot, Vec3 start) {
        Movement now = bot.movement();
        return now.position().distance(start) > 1.5 && now.velocity().horizontal() > 1;
    }

    private Peer server(
            String program,
            InetSocketAddress address,
            Map<String, String> settings,
            String... commands)
            throws IOException {
        return server(program, "oa_dm1", address, settings, commands);
    }

    private Peer server(
            String program,
            String map,
            InetSocketAddress address,
            Map<String, String> settings,
            String... commands)
            throws IOException {
        Path binary = program.equals("openarena-server") ? OPENARENA : IOQUAKE3;
        Peer.need(program, binary);
        Peer.need("openarena-server", DATA);
        Map<String, String> all = new LinkedHashMap<>();
        all.put("com_basegame", "baseoa");
        all.put("fs_basepath", DATA.toString());
        all.put("fs_homepath", String.valueOf(home));
        all.put("dedicated", "1");
        all.put("net_ip", "127.0.0.1");
        all.put("net_port", Integer.toString(address.getPort()));
        all.put("ttycon", "0");
        all.put("vm_game", "0");
        all.put("sv_master1", "");
        all.put("g_doWarmup", "0");
        all.put("bot_enable", "1");
        all.putAll(settings);
        List<String> command = new ArrayList<>();
        command.add(binary.toString());
        all.forEach((name, value) -> command.addAll(List.of("+set", name, value)));
        command.addAll(List.of("+map", map));
        command.addAll(List.of(commands));
        Peer server = Peer.start(Path.of("."), Map.of(), command.toArray(String[]::new));
        server.awaitLine("AAS initialized", SOON);
        return server;
    }

    private Bot join(InetSocketAddress server, String name, String password) {
        return new Bot(
                loop,
                new Quake3Game(),
                server,
                name,
                password,
                Map.of(),
                (now, _) -> PlayerInput.walk(now / 1e9 * 40 % 360, 45, 0));
    }
}
