package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.sauerbraten.SauerbratenGame;
import dev.wishdir.sauerbraten.protocol.AuthPrivateKey;
import dev.wishdir.sauerbraten.protocol.PlayerKeys;
import dev.wishdir.wire.TestPort;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.imageio.ImageIO;

/** Original Sauerbraten clients, under a virtual screen, on our server as its own process. */
@Timeout(600)
class SauerbratenClientIT {
    private static final String ALL_IN = "all are in";
    private static final Duration SOON = Duration.ofMinutes(2);

    /** The client's goto lands 32 units from the other's eye, seen along its own view. */
    private static final double GOTO_METRES = 4;

    @BeforeEach
    void needClient() {
        Peer.need("cube2", Path.of("/usr/lib/cube2/cube2_client"));
        Peer.need("cube2-data", Path.of("/usr/share/games/cube2/data"));
        Peer.need("xvfb", Path.of("/usr/bin/Xvfb"));
        Peer.need("xdotool", Path.of("/usr/bin/xdotool"));
    }

    private static Peer client(
            Path home,
            int port,
            String name,
            int display,
            String actions,
            String seconds,
            Map<String, String> settings)
            throws IOException {
        Files.createDirectories(home);
        Map<String, String> environment = new HashMap<>(settings);
        environment.put("NAME", name);
        environment.put("DISPLAY_NUM", Peer.display(display));
        environment.put("ACTIONS", actions);
        environment.putIfAbsent("GOTO", "scout");
        return Peer.start(
                home,
                environment,
                Peer.script("sauerbraten-client.sh"),
                "127.0.0.1",
                Integer.toString(port),
                home.toString(),
                seconds);
    }

    private static double distance(JsonObject a, JsonObject b) {
        JsonArray p = a.getAsJsonArray("position");
        JsonArray q = b.getAsJsonArray("position");
        double sum = 0;
        for (int i = 0; i < 3; i++) {
            sum += Math.pow(p.get(i).getAsDouble() - q.get(i).getAsDouble(), 2);
        }
        return Math.sqrt(sum);
    }

    private static boolean hasWalked(Path log, String name) {
        List<JsonObject> moves = EventFile.events(log, "move", name);
        return moves.stream().anyMatch(move -> distance(move, moves.getFirst()) > 3);
    }

    /**
     * Waits until the client's board is as it should be, then lets go of it.
     *
     * @param expected of the lines of one of its columns
     */
    private static void awaitBoard(Path home, Path shots, Predicate<List<Board.Line>> expected)
            throws IOException {
        Path shot = shots.resolve("scores.png");
        Peer.await("the board", SOON, () -> Files.exists(shot) && expected.test(column(shot)));
        Files.createFile(home.resolve("read"));
    }

    /** The lines below the last head of the board; none if there is no board. */
    private static List<Board.Line> column(Path shot) {
        BufferedImage picture;
        try {
            picture = ImageIO.read(shot.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Board.Header header = Board.Header.of(picture);
        return header.right() == 0
                ? List.of()
                : Board.linesOver(
                        picture,
                        header.right() - 20,
                        header.right() + 15,
                        header.bottom() + 5,
                        header.bottom() + 52,
                        20);
    }

    /** A game without settings of its own, in which the README's line is typed. */
    @Test
    void joinsAsReadmeSays(@TempDir Path directory) throws Exception {
        int port = TestPort.free();
        Path log = directory.resolve("events.jsonl");
        List<String> typed = JoinInstructionsTest.typed(new SauerbratenGame(), "127.0.0.1 " + port);
        assertThat(typed).hasSize(1);
        String[] serve = {
            "serve", "--sauerbraten", "127.0.0.1:" + port, "--events", log.toString()
        };
        try (Peer server = Peer.wishdir(directory, serve)) {
            server.awaitLine("players connect to", SOON);
            Map<String, String> settings = Map.of("TYPED", typed.getFirst());
            Path home = directory.resolve("fresh");
            try (Peer client = client(home, port, "", 11, "stay", "1", settings)) {
                // It tries again, each time for seconds, until the game has read the whole line.
                Peer.await(
                        "a spawn",
                        SOON.multipliedBy(3),
                        () ->
                                !client.isAlive()
                                        || !EventFile.events(log, "spawn", "unnamed").isEmpty());
                Files.createFile(home.resolve("done"));
                assertThat(client.awaitExit(SOON)).as("%s", client.lines()).isZero();
                assertThat(EventFile.events(log, "spawn", "unnamed"))
                        .as("%s", client.lines())
                        .isNotEmpty();
            }
        }
    }

    @Test
    void showsOriginalClientsToEachOther(@TempDir Path directory) throws Exception {
        int port = TestPort.free();
        Path log = directory.resolve("events.jsonl");
        try (Peer server =
                        Peer.wishdir(
                                directory,
                                "serve",
                                "--arena",
                                "flat",
                                "--sauerbraten",
                                "127.0.0.1:" + port,
                                "--events",
                                log.toString());
                Peer bot = startBot(directory, port, server);
                Peer alice =
                        client(
                                directory.resolve("alice"),
                                port,
                                "alice",
                                11,
                                "roam chat taunt edit goto wait hear",
                                "7",
                                Map.of("READY", ALL_IN, "HEAR", "hello from bob"));
                Peer bob =
                        client(
                                directory.resolve("bob"),
                                port,
                                "bob",
                                12,
                                "roam turn jump chat walk wait hear",
                                "7",
                                Map.of("READY", ALL_IN, "HEAR", "hello from alice"))) {
            Peer.await(
                    "both to be in",
                    SOON,
                    () ->
                            !EventFile.events(log, "spawn", "alice").isEmpty()
                                    && !EventFile.events(log, "spawn", "bob").isEmpty());
            server.type("say " + ALL_IN);
            for (String name : List.of("alice", "bob")) {
                Peer.await(name + " to walk", SOON, () -> hasWalked(log, name));
                Files.createFile(directory.resolve(name).resolve("walked"));
            }
            assertThat(alice.awaitExit(SOON)).as("%s", alice.lines()).isZero();
            assertThat(bob.awaitExit(SOON)).as("%s", bob.lines()).isZero();
            Peer.await(
                    "both to have left",
                    SOON,
                    () ->
                            !EventFile.events(log, "leave", "alice").isEmpty()
                                    && !EventFile.events(log, "leave", "bob").isEmpty());
            bot.terminate();
            server.terminate();
            assertThat(server.awaitExit(SOON)).isZero();
        }

        for (String name : List.of("alice", "bob")) {
            assertThat(EventFile.events(log, "join", name)).hasSize(1);
            assertThat(EventFile.events(log, "chat", name))
                    .extracting(line -> line.get("text").getAsString())
                    .containsExactly("hello from " + name);
            List<JsonObject> walked = EventFile.events(log, "move", name);
            assertThat(walked).hasSizeGreaterThan(20);
            assertThat(walked)
                    .allSatisfy(line -> {
                        JsonArray at = line.getAsJsonArray("position");
                        double half = ArenaCatalog.FLAT.bounds().max().x();
                        assertThat(at.get(0).getAsDouble()).isBetween(-half, half);
                        assertThat(at.get(1).getAsDouble()).isBetween(-half, half);
                    });
            assertThat(Files.readString(directory.resolve(name).resolve("client.out")))
                    .doesNotContain("illegal network message")
                    .contains(name.equals("alice") ? "hello from bob" : "hello from alice");
        }
        // On the floor of the same arena that everyone else walks on, after the fall of its spawn.
        assertThat(
                        EventFile.events(log, "move", "bob").stream()
                                .mapToDouble(line ->
                                        line.getAsJsonArray("position").get(2).getAsDouble())
                                .min()
                                .orElseThrow())
                .isBetween(0.0, 0.5);
        double jumped =
                distance(
                        EventFile.events(log, "move", "alice").getLast(),
                        EventFile.events(log, "move", "scout").getLast());
        assertThat(jumped).isBetween(GOTO_METRES - 0.5, GOTO_METRES + 0.5);
    }

    /**
     * The ghosts of a recording are players for the original client: it lists them, shows their
     * bodies, and does so no more once they are gone.
     */
    @Test
    @Timeout(600)
    void showsGhostsOfRecording(@TempDir Path directory) throws Exception {
        Path recording = GhostRecording.make(directory, List.of("sauerbraten", "quake3"));
        int port = TestPort.free();
        Path log = directory.resolve("events.jsonl");
        Path home = directory.resolve("alice");
        Path shots = directory.resolve("shots");
        try (Peer server =
                Peer.wishdir(
                        directory,
                        "serve",
                        "--arena",
                        "flat",
                        "--sauerbraten",
                        "127.0.0.1:" + port,
                        "--events",
                        log.toString(),
                        "--replay",
                        GhostRecording.option(recording))) {
            server.awaitLine("players connect to", SOON);
            List<String> ghosts = List.of("~ofsauerbraten", "~ofquake3");
            Peer.await(
                    "the ghosts",
                    SOON,
                    () ->
                            ghosts.stream()
                                    .noneMatch(it -> EventFile.events(log, "spawn", it).isEmpty()));
            server.type("replay pause");
            server.awaitLine("paused at .*, 2 ghosts", SOON);
            Map<String, String> settings =
                    Map.of(
                            "SHOTS",
                            shots.toString(),
                            "READY",
                            "the map is loaded",
                            "GOTO",
                            ghosts.getFirst(),
                            "HEAR",
                            "the ghosts are gone");
            // It goes to where it has a ghost before its eyes.
            String actions = "edit goto edit wait picture board hear wait";
            try (Peer alice = client(home, port, "alice", 11, actions, "16", settings)) {
                Peer.await(
                        "alice to have loaded the map",
                        SOON,
                        () -> !EventFile.events(log, "spawn", "alice").isEmpty());
                server.type("say the map is loaded");
                awaitBoard(home, shots, lines -> lines.size() == 1 + 2);
                server.type("kick 1:1");
                server.type("kick 1:2");
                Peer.await(
                        "the ghosts to be gone",
                        SOON,
                        () ->
                                ghosts.stream()
                                        .noneMatch(it ->
                                                EventFile.events(log, "leave", it).isEmpty()));
                server.type("say the ghosts are gone");
                assertThat(alice.awaitExit(SOON)).as("%s", alice.lines()).isZero();
            }
        }
        assertThat(Files.readString(home.resolve("client.out")))
                .contains("join: ~ofsauerbraten", "join: [Q3]~ofquake3");
        assertThat(Quake3ClientIT.difference(ground(shots, "picture"), ground(shots, "end")))
                .isGreaterThan(40);
    }

    /** A picture below the lines of text and above the figures. */
    private static BufferedImage ground(Path shots, String name) throws IOException {
        BufferedImage whole = ImageIO.read(shots.resolve(name + ".png").toFile());
        return whole.getSubimage(0, 100, whole.getWidth(), 100);
    }

    /**
     * The board of one who looks on has the ping of another client, and those of other games. It
     * lets through what is behind it: the even floor is, so that the figures stand out.
     */
    @Test
    void showsPingsToOriginalClient(@TempDir Path directory) throws Exception {
        int port = TestPort.free();
        int other = TestPort.free();
        Path log = directory.resolve("events.jsonl");
        Path shots = directory.resolve("shots");
        try (Peer server =
                        Peer.wishdir(
                                directory,
                                "serve",
                                "--arena",
                                "flat",
                                "--sauerbraten",
                                "127.0.0.1:" + port,
                                "--quake2",
                                "127.0.0.1:" + other,
                                "--events",
                                log.toString());
                Peer _ = startBot(directory, port, server);
                Peer ranger =
                        Peer.wishdir(
                                directory,
                                "bot",
                                "quake2",
                                "127.0.0.1:" + other,
                                "--name",
                                "ranger",
                                "--path",
                                "still");
                Peer _ =
                        client(
                                directory.resolve("bob"),
                                port,
                                "bob",
                                12,
                                "wait",
                                "590",
                                Map.of())) {
            ranger.awaitLine("join ranger", SOON);
            Peer.await("bob to be in", SOON, () -> !EventFile.events(log, "join", "bob").isEmpty());
            try (Peer alice =
                    client(
                            directory.resolve("alice"),
                            port,
                            "alice",
                            11,
                            "wait lookdown lookdown lookdown lookdown board wait",
                            "12",
                            Map.of("SHOTS", shots.toString(), "READY", ALL_IN))) {
                // Until its map is loaded, a client takes no keys.
                Peer.await(
                        "alice to be in",
                        SOON,
                        () -> !EventFile.events(log, "spawn", "alice").isEmpty());
                server.type("say " + ALL_IN);
                // A client that draws sixty pictures a second answers once a picture: two figures.
                awaitBoard(
                        directory.resolve("alice"),
                        shots,
                        pings ->
                                pings.size() == 4
                                        && pings.stream().filter(line -> line.width() > 5).count()
                                                >= 2);
                assertThat(alice.awaitExit(SOON)).as("%s", alice.lines()).isZero();
            }
        }
    }

    private static Peer startBot(Path directory, int port, Peer server, String... options)
            throws IOException {
        server.awaitLine("players connect to", SOON);
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "bot",
                                "sauerbraten",
                                "127.0.0.1:" + port,
                                "--name",
                                "scout",
                                "--path",
                                "still"));
        arguments.addAll(List.of(options));
        Peer bot = Peer.wishdir(directory, arguments.toArray(String[]::new));
        bot.awaitLine("join scout", SOON);
        return bot;
    }

    /** An event, the player or the author with its proof, and the reason, as far as it has them. */
    private static String summary(JsonObject event) {
        return Stream.of("event", "name", "author", "proof", "reason")
                .filter(event::has)
                .map(key -> event.get(key).getAsString())
                .collect(Collectors.joining(" "));
    }

    /**
     * The client names its key when it connects, so that no password is typed; claims again with
     * {@code /sauth}; and kicks by the privilege of its key. It stays, although the ban of the
     * kicked player is one of its own address.
     */
    @Test
    void admitsOriginalClientWithKeyAndLetsItKick(@TempDir Path directory) throws Exception {
        int port = TestPort.free();
        Path log = directory.resolve("events.jsonl");
        AuthPrivateKey key = AuthPrivateKey.generate(new Random(1));
        Path keys = directory.resolve("keys.txt");
        Files.writeString(keys, "ada dom " + key.publicKey() + " auth\n");
        Path home = Files.createDirectories(directory.resolve("alice"));
        Files.writeString(
                home.resolve("auth.cfg"),
                PlayerKeys.line(new PlayerKeys.Entry("dom", "ada", key)) + "\n");
        String author = "alice (sauerbraten 127.0.0.1)";
        String kicked = "alice kicked scout because: too loud";
        String reason = "\\* You are banned until .*: too loud";
        Map<String, String> settings =
                Map.of("READY", ALL_IN, "REASON", "too loud", "HEAR", kicked);
        try (Peer server =
                        Peer.wishdir(
                                directory,
                                "serve",
                                "--arena",
                                "flat",
                                "--password",
                                "letmein",
                                "--sauerbraten",
                                "127.0.0.1:" + port,
                                "--sauerbraten-auth-keys",
                                keys.toString(),
                                "--sauerbraten-auth-domain",
                                "dom",
                                "--events",
                                log.toString());
                Peer scout = startBot(directory, port, server, "--password", "letmein");
                Peer alice =
                        client(
                                home,
                                port,
                                "alice",
                                14,
                                "reclaim kick hear chat stay",
                                "1",
                                settings)) {
            server.awaitLine("became auth by key ada@dom", SOON);
            // Until its map is loaded, a client takes no keys.
            Peer.await(
                    "alice to be in",
                    SOON,
                    () -> !EventFile.events(log, "spawn", "alice").isEmpty());
            server.type("say " + ALL_IN);
            Peer.await(
                    "alice's words", SOON, () -> !EventFile.events(log, "chat", "alice").isEmpty());
            assertThat(scout.awaitExit(SOON)).as("%s", scout.lines()).isEqualTo(1);
            Files.createFile(home.resolve("done"));
            assertThat(alice.awaitExit(SOON)).as("%s", alice.lines()).isZero();
            Peer.await(
                    "alice to leave",
                    SOON,
                    () -> !EventFile.events(log, "leave", "alice").isEmpty());
            server.terminate();
            assertThat(server.awaitExit(SOON)).isZero();

            assertThat(server.lines())
                    .filteredOn(line -> line.endsWith(author + " became auth by key ada@dom"))
                    .as("claims")
                    .hasSize(2);
            assertThat(server.lines())
                    .anyMatch(line ->
                            line.contains(author + " with key ada@dom banned 127.0.0.1 (scout)")
                                    && line.endsWith(": too loud"));
            assertThat(scout.lines())
                    .contains("* " + kicked)
                    .anyMatch(line -> line.matches(reason));
        }
        assertThat(EventFile.events(log).stream().map(SauerbratenClientIT::summary))
                .containsSubsequence(
                        "operator-command " + author + " key ada@dom",
                        "leave scout banned",
                        "chat alice",
                        "leave alice left");
        assertThat(EventFile.events(log, "leave", "scout"))
                .singleElement()
                .extracting(line -> "* " + line.get("text").getAsString())
                .asString()
                .matches(reason);
    }
}
