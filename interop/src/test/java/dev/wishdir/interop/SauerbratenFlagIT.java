package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;

import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.sauerbraten.SauerbratenGame;
import dev.wishdir.wire.TestPort;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The original Sauerbraten client plays capture the flag on our server against a headless client of
 * ours: on a map of the game, and in an arena. Its pictures stay in {@code target/screens}.
 */
@Timeout(600)
class SauerbratenFlagIT {
    private static final String BEGIN = "now begin";
    private static final String LOOK = "now look";
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final Path SCREENS = Path.of("target", "screens").toAbsolutePath();

    private final NettyLoop loop = new NettyLoop("clients");

    @BeforeEach
    void needClient() {
        Peer.need("cube2", Path.of("/usr/lib/cube2/cube2_client"));
        Peer.need("cube2-data", Path.of("/usr/share/games/cube2/data"));
        Peer.need("xvfb", Path.of("/usr/bin/Xvfb"));
        Peer.need("xdotool", Path.of("/usr/bin/xdotool"));
    }

    @AfterEach
    void close() {
        loop.close();
    }

    private FlagRunner runner(InetSocketAddress server, String name, Map<String, String> options) {
        return new FlagRunner(loop, new SauerbratenGame(), server, name, options);
    }

    private static Peer alice(
            Path home,
            InetSocketAddress server,
            Path shots,
            String actions,
            String seconds,
            Map<String, String> settings)
            throws IOException {
        Files.createDirectories(home);
        Files.createDirectories(shots);
        Files.deleteIfExists(shots.resolve("start.png"));
        Files.deleteIfExists(shots.resolve("scores.png"));
        Map<String, String> environment = new HashMap<>(settings);
        environment.put("NAME", "alice");
        environment.put("DISPLAY_NUM", Peer.display(15));
        environment.put("SIZE", "640x480");
        environment.put("SHOTS", shots.toString());
        environment.put("READY", BEGIN);
        environment.put("HEAR", LOOK);
        environment.put("ACTIONS", actions);
        return Peer.start(
                home,
                environment,
                Peer.script("sauerbraten-client.sh"),
                "127.0.0.1",
                Integer.toString(server.getPort()),
                home.toString(),
                seconds);
    }

    /** Waits until a player has changed a flag. */
    private static void awaitChange(Path log, String name, String change) {
        Peer.await(
                name + " has " + change + " a flag",
                SOON,
                () ->
                        EventFile.events(log, "flag", name).stream()
                                .anyMatch(it -> it.get("change").getAsString().equals(change)));
    }

    private static String printed(Path home) throws IOException {
        return Files.readString(home.resolve("client.out"), StandardCharsets.ISO_8859_1);
    }

    /**
     * From its start the client runs over the enemy's flag to its own, and back over the enemy's,
     * while ours takes its flag.
     */
    @Test
    void playsOnMapOfGame(@TempDir Path directory) throws Exception {
        InetSocketAddress address = TestPort.freeAddress();
        Path log = directory.resolve("events.jsonl");
        Path home = directory.resolve("alice");
        Path shots = SCREENS.resolve("sauerbraten-ctf");
        String map = Peer.script("boxarena.ogz");
        try (Peer server =
                Peer.wishdir(
                        directory,
                        "serve",
                        "--match",
                        "ctf-effic",
                        "--sauerbraten",
                        "127.0.0.1:" + address.getPort(),
                        "--sauerbraten-map-file",
                        map,
                        "--events",
                        log.toString())) {
            server.awaitLine("players connect to", SOON);
            FlagRunner scout = runner(address, "scout", Map.of("map-file", map));
            scout.bot.awaitJoined();
            String actions = "roam back back hear picture board wait";
            try (Peer alice = alice(home, address, shots, actions, "14", Map.of("MAPFILE", map))) {
                Peer.await(
                        "a spawn", SOON, () -> !EventFile.events(log, "spawn", "alice").isEmpty());
                server.type("say " + BEGIN);
                awaitChange(log, "alice", "captured");
                Files.createFile(home.resolve("walked"));
                scout.setRunning(true);
                Peer.await("the scout to have a flag", SOON, scout::carries);
                scout.setRunning(false);
                assertThat(scout.teamScore("good")).isEqualTo(1);
                server.type("say " + LOOK);
                Peer.await("the board", SOON, () -> Files.exists(shots.resolve("scores.png")));
                Files.createFile(home.resolve("read"));
                assertThat(alice.awaitExit(SOON)).as("%s", alice.lines()).isZero();
            }
        }
        assertThat(printed(home))
                .contains("you stole the enemy flag", "you scored for your team")
                .contains("scout stole your flag")
                .doesNotContain("illegal network message");
    }

    /** Seven of the eight starts are blue's, so that a red client is at red's not by chance. */
    private static String arena() {
        String floor = "#".repeat(60) + "\n";
        String air = ".".repeat(60) + "\n";
        StringBuilder text = new StringBuilder("wishdir-arena 3\nname strip\nsize 60 12 10\n");
        text.append("ground 1\nblock # stone\nspawn -26 0 0 0\n");
        for (int i = 0; i < 7; i++) {
            text.append("spawn ").append(25 + i / 4 * 2).append(' ').append(i % 4 * 3 - 5);
            text.append(" 0 180\n");
        }
        return text.append("flag red -20 0 0\nflag blue 18 0 0\nlayer 0\n")
                .append(floor.repeat(12))
                .append("layers 1-9\n")
                .append(air.repeat(12))
                .toString();
    }

    /** Ours takes the flag before the client's eyes; the client takes the other, and drops it. */
    @Test
    void playsInArena(@TempDir Path directory) throws Exception {
        InetSocketAddress address = TestPort.freeAddress();
        Path log = directory.resolve("events.jsonl");
        Path home = directory.resolve("alice");
        Path shots = SCREENS.resolve("sauerbraten-ctf-arena");
        Path arena = directory.resolve("strip.arena");
        Files.writeString(arena, arena());
        try (Peer server =
                Peer.wishdir(
                        directory,
                        "serve",
                        "--match",
                        "ctf",
                        "--arena",
                        arena.toString(),
                        "--sauerbraten",
                        "127.0.0.1:" + address.getPort(),
                        "--events",
                        log.toString())) {
            server.awaitLine("players connect to", SOON);
            String actions = "roam wait say wait picture hear wait";
            try (Peer alice = alice(home, address, shots, actions, "10", Map.of("SAY", "!drop"))) {
                Peer.await(
                        "a spawn", SOON, () -> !EventFile.events(log, "spawn", "alice").isEmpty());
                FlagRunner bob = runner(address, "bob", Map.of());
                bob.bot.awaitJoined();
                bob.setRunning(true);
                Peer.await("bob to have a flag", SOON, bob::carries);
                bob.setRunning(false);
                server.type("say " + BEGIN);
                Peer.await("a picture", SOON, () -> Files.exists(shots.resolve("start.png")));
                bob.setRunning(true);
                awaitChange(log, "alice", "taken");
                Files.createFile(home.resolve("walked"));
                bob.setRunning(false);
                awaitChange(log, "alice", "dropped");
                server.type("say " + LOOK);
                assertThat(alice.awaitExit(SOON)).as("%s", alice.lines()).isZero();
            }
        }
        JsonArray start =
                EventFile.events(log, "spawn", "alice").getLast().getAsJsonArray("position");
        assertThat(start.get(0).getAsDouble()).as("the start of its team").isNegative();
        assertThat(printed(home))
                .contains("bob took the red flag.", "You took the blue flag.")
                .contains("You dropped the blue flag.")
                .doesNotContain("illegal network message");
    }
}
