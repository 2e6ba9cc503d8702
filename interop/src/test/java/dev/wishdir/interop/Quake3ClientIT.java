package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.quake3.Quake3Game;
import dev.wishdir.wire.TestPort;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.awt.Color;
import java.awt.Point;
import java.awt.geom.Point2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import javax.imageio.ImageIO;

/** The original OpenArena client, under a virtual screen, on our server as its own process. */
@Timeout(600)
class Quake3ClientIT {
    private static final Duration SOON = Duration.ofMinutes(2);

    /** Pixels of a ghost that is in a picture. */
    private static final int SEEN_PIXELS = 40;

    /** Five seconds of a bot. */
    private static final int SEEN_MOVES = 150;

    /** The pak that holds the client's game code. */
    private static final String ALTERED = "pak6-patch088.pk3";

    /** A player's input over some seconds: at first without others, then it looks on. */
    private static final String ACTIONS =
            """
            0.8 +forward
            0.3 -forward
            0.5 +left
            0.1 -left
            0.9 +forward;+moveup
            0.3 -forward;-moveup
            0.7 +moveright
            0.3 -moveright
            0.8 +forward;+movedown
            0.3 -forward;-movedown
            0.7 +back
            0.5 -back
            0.3 record proof
            0 echo walked alone
            hear saw the other
            0.5 screenshotJPEG proof
            0.3 stoprecord
            """;

    @TempDir private @Nullable Path directory;

    @BeforeEach
    void needClient() {
        Peer.need("openarena", Path.of("/usr/games/openarena"));
        Peer.need("openarena-data", Path.of("/usr/share/games/openarena/baseoa/pak0.pk3"));
        Peer.need("xvfb", Path.of("/usr/bin/Xvfb"));
    }

    /**
     * On a stock map, on one with curved patches, and on the generated one, which it downloads; on
     * servers that let in all and on pure ones.
     */
    @ParameterizedTest
    @CsvSource({
        "aggressor, 71, 71, 1",
        "dm6ish, 71, 0, 0",
        "wishdir_flat, 71, 71, 0",
        "wishdir_flat, 71, 0, 1"
    })
    void joinsWalksJumpsSeesSpeaksAndLeaves(String map, String protocol, String legacy, String pure)
            throws Exception {
        Path here = Objects.requireNonNull(directory);
        Path log = here.resolve("events.jsonl");
        Path home = here.resolve("alice");
        String address = "127.0.0.1:" + TestPort.free();
        try (Peer server = serve(here, address, "--map", map, "--quake3-pure", pure)) {
            server.awaitLine("players connect to", SOON);
            Map<String, String> settings =
                    Map.of("PROTOCOL", protocol, "LEGACY", legacy, "ACTIONS", ACTIONS);
            try (Peer alice = original(here, address, "alice", 38, settings)) {
                Peer.await("the walk", SOON, () -> console(home).contains("walked alone"));
                // A client predicts others to be where the last snapshot had them, and may well be
                // wrong where it bumps into one: its prediction is checked while no other player is
                // there.
                assertThat(console(home))
                        .doesNotContain("Prediction miss", "delta:")
                        .doesNotContainPattern("errorcode [1-6] ");
                type(home, "say hello from alice");
                Peer.await(
                        "her words", SOON, () -> !EventFile.events(log, "chat", "alice").isEmpty());
                String[] scout = {"bot", "quake3", address, "--name", "scout"};
                try (Peer bot = Peer.wishdir(here, scout)) {
                    bot.awaitLine("join scout", SOON);
                    Peer.await(
                            "the bot to walk",
                            SOON,
                            () -> EventFile.events(log, "move", "scout").size() > SEEN_MOVES);
                    type(home, "echo saw the other");
                    assertThat(alice.awaitExit(SOON)).as("%s", alice.lines()).isZero();
                    String leaving = "alice to have left";
                    Peer.await(
                            leaving,
                            SOON,
                            () -> !EventFile.events(log, "leave", "alice").isEmpty());
                    bot.terminate();
                }
            }
            server.terminate();
            assertThat(server.awaitExit(SOON)).isZero();
        }

        assertThat(EventFile.events(log, "chat", "alice"))
                .extracting(line -> line.get("text").getAsString())
                .containsExactly("hello from alice");
        List<JsonObject> moves = EventFile.events(log, "move", "alice");
        assertThat(moves).anyMatch(move -> move.get("flags").toString().contains("jumping"));
        List<JsonArray> way = moves.stream().map(move -> move.getAsJsonArray("position")).toList();
        assertThat(way).hasSizeGreaterThan(50);
        JsonArray first = way.getFirst();
        assertThat(way).anyMatch(at -> Math.hypot(along(at, first, 0), along(at, first, 1)) > 3);
        assertThat(pictures(home)).isNotEmpty();
        // On a stock map it may well have walked against a wall.
        boolean open = map.equals("wishdir_flat");
        assertThat(placesOfTheBot(here, home)).hasSizeGreaterThan(open ? 20 : 1);
        assertThat(downloads(home)).hasSize(open ? 1 : 0);
    }

    /**
     * A game without settings of its own, in whose console the README's lines are typed; then the
     * same view of the arena, without a bot and then with one that walks in it.
     */
    @Test
    void joinsAsReadmeSaysAndShowsBotInScreenshot() throws Exception {
        Peer.need("xdotool", Path.of("/usr/bin/xdotool"));
        Path here = Objects.requireNonNull(directory);
        Path home = here.resolve("alice");
        String address = "127.0.0.1:" + TestPort.free();
        try (Peer server = serve(here, address)) {
            server.awaitLine("players connect to", SOON);
            String typed = String.join("\n", JoinInstructionsTest.typed(new Quake3Game(), address));
            Map<String, String> settings = Map.of("ACTIONS", "590 echo watching", "TYPED", typed);
            try (Peer alice = original(here, address, "alice", 38, settings)) {
                alice.awaitLine("joined", SOON);
                assertThat(downloads(home)).hasSize(1);
                type(home, "cg_draw2D 0;cg_drawGun 0;con_notifytime -1");
                List<BufferedImage> views = new ArrayList<>(List.of(picture(home, "view0")));
                Peer.await(
                        "the view to be still",
                        SOON,
                        () -> {
                            views.add(picture(home, "view" + views.size()));
                            return difference(views.getLast(), views.get(views.size() - 2)) == 0;
                        });
                BufferedImage empty = views.getLast();
                try (Peer bot = Peer.wishdir(here, "bot", "quake3", address)) {
                    bot.awaitLine("join", SOON);
                    Peer.await(
                            "the bot to be in a picture",
                            SOON,
                            () -> {
                                views.add(picture(home, "view" + views.size()));
                                return difference(views.getLast(), empty) > 40;
                            });
                }
            }
        }
    }

    /** The default renderer ends the game at too many vertices of sky in sight. */
    @Test
    void drawsHillsWithItsDefaultRenderer() throws Exception {
        Peer.need("xdotool", Path.of("/usr/bin/xdotool"));
        Path here = Objects.requireNonNull(directory);
        String address = "127.0.0.1:" + TestPort.free();
        try (Peer server = serve(here, address, "--arena", "hills")) {
            server.awaitLine("players connect to", SOON);
            String typed = String.join("\n", JoinInstructionsTest.typed(new Quake3Game(), address));
            Map<String, String> settings =
                    Map.of("ACTIONS", "590 echo watching", "TYPED", typed, "RENDERER", "");
            try (Peer alice = original(here, address, "alice", 38, settings)) {
                alice.awaitLine("joined", SOON);
                for (int i = 0; i < 3; i++) {
                    picture(here.resolve("alice"), "hills" + i);
                }
            }
        }
    }

    /**
     * The ghosts of a recording are on the board, walk in the picture, leave it when the recording
     * ends, and are in the client's own demo where they were recorded.
     */
    @Test
    @Timeout(600)
    void showsGhostsOfRecording() throws Exception {
        Path here = Objects.requireNonNull(directory);
        Path home = here.resolve("alice");
        Path recording = GhostRecording.make(here, List.of("quake3", "sauerbraten"));
        String address = "127.0.0.1:" + TestPort.free();
        try (Peer server = serve(here, address, "--replay", GhostRecording.option(recording))) {
            server.awaitLine("players connect to", SOON);
            Map<String, String> settings = Map.of("ACTIONS", "590 echo watching");
            try (Peer alice = original(here, address, "alice", 38, settings)) {
                alice.awaitLine("joined", SOON);
                server.awaitLine("replay of .* ended", SOON);
                type(home, "cg_draw2D 0;cg_drawGun 0;con_notifytime -1");
                List<BufferedImage> views = new ArrayList<>();
                BufferedImage still = stillView(home, views);
                type(home, "record ghosts");
                // What arrives as a demo begins may be in it neither as state nor as command.
                Peer.await("the demo to begin", SOON, () -> console(home).contains("ecording to"));
                // It spawns anywhere: until it looks at the ghosts, it turns.
                while (!pausesInSight(server, home, views, still)) {
                    BufferedImage before = still;
                    type(home, "+left");
                    Peer.await(
                            "the view to turn",
                            SOON,
                            () -> difference(view(home, views), before) > 1000);
                    type(home, "-left");
                    still = stillView(home, views);
                }
                BufferedImage empty = still;
                type(home, "cg_draw2D 1");
                awaitBoard(home, "ghosts", 1 + 2);
                type(home, "cg_draw2D 0");
                long before = ends(server);
                server.type("replay play");
                // They may walk out of the view before their recording ends.
                Peer.await("the replay to end", SOON, () -> ends(server) > before);
                Peer.await(
                        "the ghosts to be gone",
                        SOON,
                        () -> difference(view(home, views), empty) == 0);
                type(home, "stoprecord");
                Peer.await("the demo", SOON, () -> console(home).contains("Stopped demo"));
            }
        }
        GhostRecording.assertSeen(
                here, recording, files(home, "ghosts\\.(dm_.*|.*dm_71)").getFirst());
    }

    /** The next picture, without its top, where the client writes that it records a demo. */
    private static BufferedImage view(Path home, List<BufferedImage> views) {
        BufferedImage whole = picture(home, "view" + views.size());
        views.add(whole.getSubimage(0, 24, whole.getWidth(), whole.getHeight() - 24));
        return views.getLast();
    }

    /** The view as soon as two pictures of it are the same. */
    private static BufferedImage stillView(Path home, List<BufferedImage> views) {
        view(home, views);
        Peer.await(
                "the view without ghosts to be still",
                SOON,
                () -> {
                    BufferedImage before = views.getLast();
                    return difference(view(home, views), before) == 0;
                });
        return views.getLast();
    }

    /**
     * Plays the recording until a ghost is in a picture, and pauses it there until the ghost stands
     * still; or plays it to its end, as the ghost may also have left the picture by then.
     */
    private static boolean pausesInSight(
            Peer server, Path home, List<BufferedImage> views, BufferedImage empty) {
        long before = ends(server);
        server.type("replay play");
        Peer.await(
                "a ghost to be in a picture, or the end of the replay",
                SOON,
                () -> difference(view(home, views), empty) > SEEN_PIXELS || ends(server) > before);
        if (ends(server) > before) {
            return false;
        }
        long pauses = pauses(server);
        server.type("replay pause");
        Peer.await(
                "the replay to pause, or its end",
                SOON,
                () -> pauses(server) > pauses || ends(server) > before);
        // A player that stands breathes: its pixels change, the middle of them does not.
        Peer.await(
                "the ghosts to stand still, in the picture or out of it",
                SOON,
                () -> {
                    BufferedImage last = views.getLast();
                    return centre(last, empty).distance(centre(view(home, views), empty)) < 2;
                });
        if (difference(views.getLast(), empty) > SEEN_PIXELS) {
            return true;
        }
        if (ends(server) == before) {
            server.type("replay play");
            Peer.await("the replay to end", SOON, () -> ends(server) > before);
        }
        return false;
    }

    /** The middle of the pixels that differ from the picture without ghosts; the corner if none. */
    private static Point2D centre(BufferedImage picture, BufferedImage empty) {
        double x = 0;
        double y = 0;
        List<Point> differing = differing(picture, empty);
        for (Point each : differing) {
            x += each.x;
            y += each.y;
        }
        int count = Math.max(1, differing.size());
        return new Point2D.Double(x / count, y / count);
    }

    /** How often the server has answered that the replay is paused. */
    private static long pauses(Peer server) {
        return server.lines().stream().filter(line -> line.contains(" paused at ")).count();
    }

    /** How often the replay has ended. */
    private static long ends(Peer server) {
        return server.lines().stream()
                .filter(line -> line.matches(".*replay of .* ended.*"))
                .count();
    }

    /** Has a client run a line of its console. */
    private static void type(Path home, String line) {
        try {
            Files.writeString(home.resolve("in"), line + "\n", StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static BufferedImage picture(Path home, String name) {
        type(home, "screenshotJPEG " + name);
        Path file = home.resolve("baseoa/screenshots/" + name + ".jpg");
        Peer.await(name, SOON, () -> endsWhole(file));
        try {
            return ImageIO.read(file.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the last bytes of a JPEG have been written. */
    private static boolean endsWhole(Path file) {
        try {
            byte[] jpeg = Files.readAllBytes(file);
            return jpeg.length > 2
                    && jpeg[jpeg.length - 2] == (byte) 0xFF
                    && jpeg[jpeg.length - 1] == (byte) 0xD9;
        } catch (IOException e) {
            return false;
        }
    }

    /** How many pixels differ by more than the noise of the compression. */
    static int difference(BufferedImage a, BufferedImage b) {
        return differing(a, b).size();
    }

    private static List<Point> differing(BufferedImage a, BufferedImage b) {
        List<Point> differing = new ArrayList<>();
        for (int y = 0; y < a.getHeight(); y++) {
            for (int x = 0; x < a.getWidth(); x++) {
                Color one = new Color(a.getRGB(x, y));
                Color other = new Color(b.getRGB(x, y));
                int most =
                        Math.max(
                                Math.abs(one.getRed() - other.getRed()),
                                Math.max(
                                        Math.abs(one.getGreen() - other.getGreen()),
                                        Math.abs(one.getBlue() - other.getBlue())));
                if (most > 32) {
                    differing.add(new Point(x, y));
                }
            }
        }
        return differing;
    }

    /** The board names the players of all games, and who reconnects is back at once, each time. */
    @Test
    void listsAllOnBoardAndReadmitsAtOnce() throws Exception {
        Path here = Objects.requireNonNull(directory);
        Path home = here.resolve("alice");
        Path log = here.resolve("events.jsonl");
        String address = "127.0.0.1:" + TestPort.free();
        List<String> others = List.of("sauerbraten", "quake2", "bedrock");
        List<String> options = new ArrayList<>();
        Map<String, String> addresses = new HashMap<>();
        for (String game : others) {
            addresses.put(game, "127.0.0.1:" + TestPort.free());
            options.addAll(List.of("--" + game, addresses.get(game)));
        }
        try (Peer server = serve(here, address, options.toArray(String[]::new))) {
            server.awaitLine("players connect to", SOON);
            Map<String, String> settings = Map.of("ACTIONS", "590 echo watching");
            try (Peer alice = original(here, address, "alice", 38, settings)) {
                alice.awaitLine("joined", SOON);
                for (int times = 1; times <= 10; times++) {
                    int before = EventFile.events(log, "join", "alice").size();
                    type(home, "reconnect");
                    Peer.await(
                            "alice to be back, time " + times,
                            SOON,
                            () -> EventFile.events(log, "join", "alice").size() > before);
                }
                assertThat(console(home)).doesNotContain("No or bad challenge");
                type(home, "cg_drawGun 0");
                awaitBoard(home, "alone", 1);
                List<Peer> bots = new ArrayList<>();
                try {
                    for (String game : others) {
                        bots.add(
                                Peer.wishdir(
                                        here,
                                        "bot",
                                        game,
                                        Objects.requireNonNull(addresses.get(game)),
                                        "--name",
                                        "of" + game,
                                        "--path",
                                        "still"));
                    }
                    awaitBoard(home, "all", 1 + others.size());
                } finally {
                    bots.forEach(Peer::close);
                }
            }
        }
    }

    /** Waits until the board shows the given number of names. */
    private static void awaitBoard(Path home, String name, int names) {
        List<BufferedImage> pictures = new ArrayList<>();
        Peer.await(
                names + " names on the board",
                SOON,
                () -> {
                    type(home, "+scores");
                    LockSupport.parkNanos(1_000_000_000);
                    pictures.add(picture(home, name + pictures.size()));
                    type(home, "-scores");
                    return Board.lines(pictures.getLast(), 205, 312, 50, 200, 200).size() == names;
                });
    }

    /** Each hears the other, and sees where it walks. */
    @Test
    void showsOriginalClientsToEachOther() throws Exception {
        Path here = Objects.requireNonNull(directory);
        Path log = here.resolve("events.jsonl");
        String address = "127.0.0.1:" + TestPort.free();
        try (Peer server = serve(here, address, "--map", "aggressor")) {
            server.awaitLine("players connect to", SOON);
            try (Peer alice = original(here, address, "alice", 37, meeting("alice"));
                    Peer bob = original(here, address, "bob", 38, meeting("bob"))) {
                List<String> both = List.of("alice", "bob");
                for (String each : both) {
                    Peer.await(
                            each + " to be in",
                            SOON,
                            () ->
                                    !EventFile.events(log, "spawn", each).isEmpty()
                                            && hasBegun(here, each));
                }
                both.forEach(each -> type(here.resolve(each), "echo both are in"));
                for (String each : both) {
                    Peer.await(
                            each + " to hear both",
                            SOON,
                            () ->
                                    both.stream()
                                            .map("hello from "::concat)
                                            .allMatch(console(here.resolve(each))::contains));
                }
                both.forEach(each -> type(here.resolve(each), "echo both have spoken"));
                for (Peer client : List.of(alice, bob)) {
                    assertThat(client.awaitExit(SOON)).as("%s", client.lines()).isZero();
                }
            }
        }
        for (String[] pair : new String[][] {{"alice", "bob"}, {"bob", "alice"}}) {
            Path home = here.resolve(pair[0]);
            assertThat(console(home)).contains("hello from " + pair[1]);
            assertThat(placesOfTheBot(here, home)).as(pair[0]).hasSizeGreaterThan(1);
            assertThat(EventFile.events(log, "move", pair[0])).hasSizeGreaterThan(50);
        }
    }

    /** Whether a client records what it sees. */
    private static boolean hasBegun(Path here, String name) {
        return console(here.resolve(name)).contains("ecording to");
    }

    private static Map<String, String> meeting(String name) {
        return Map.of(
                "ACTIONS",
                """
                0.3 record proof
                hear both are in
                0.7 +forward
                0.3 -forward
                0.7 +back;+left
                0.3 -back;-left
                0.3 say hello from %s
                hear both have spoken
                0.3 stoprecord
                """
                        .formatted(name));
    }

    /** Our server, which writes its events into {@code events.jsonl}. */
    private static Peer serve(Path here, String address, String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("serve", "--quake3", address));
        arguments.addAll(List.of(options));
        if (!arguments.contains("--arena")) {
            arguments.addAll(List.of("--arena", "flat"));
        }
        arguments.addAll(List.of("--events", here.resolve("events.jsonl").toString()));
        return Peer.wishdir(here, arguments.toArray(String[]::new));
    }

    /** The original client, whose files are in a folder of its name. */
    private static Peer original(
            Path here, String address, String name, int display, Map<String, String> settings)
            throws IOException {
        Map<String, String> environment = new HashMap<>(settings);
        environment.put("NAME", name);
        environment.put("DISPLAY_NUM", Peer.display(display));
        return Peer.start(
                here,
                environment,
                Peer.script("openarena-client.sh"),
                address,
                here.resolve(name).toString(),
                Integer.toString(TestPort.free()));
    }

    /** Who has another cgame is asked to get the server's, and sent away if it comes without. */
    @ParameterizedTest
    @CsvSource({
        "1, This server does not offer baseoa/pak6-patch088.pk3.",
        "0, Unpure client detected. Invalid .PK3 files referenced!"
    })
    void refusesAlteredPak(String download, String refusal) throws Exception {
        Path here = Objects.requireNonNull(directory);
        Path log = here.resolve("events.jsonl");
        Path home = here.resolve("mallory");
        String address = "127.0.0.1:" + TestPort.free();
        try (Peer server = serve(here, address, "--map", "aggressor", "--quake3-pure", "1")) {
            server.awaitLine("players connect to", SOON);
            String base = altered(here.resolve("altered")).toString();
            Map<String, String> settings = Map.of("BASEPATH", base, "DOWNLOAD", download);
            try (Peer mallory = original(here, address, "mallory", 38, settings)) {
                awaitConsole(server, mallory, home, refusal);
            }
        }
        assertThat(EventFile.events(log, "move", "mallory")).isEmpty();
    }

    /**
     * A game that does not download ends with an error about the map, which it shows instead of the
     * server's words. As it connects again, it reads what to type; and with that it joins.
     */
    @Test
    void readsWhatToTypeAfterItJoinedWithoutDownload() throws Exception {
        Path here = Objects.requireNonNull(directory);
        Path home = here.resolve("carol");
        String address = "127.0.0.1:" + TestPort.free();
        try (Peer server = serve(here, address)) {
            server.awaitLine("players connect to", SOON);
            Map<String, String> settings = Map.of("DOWNLOAD", "0", "ACTIONS", "590 echo watching");
            try (Peer carol = original(here, address, "carol", 38, settings)) {
                String error = "Couldn't load maps/wishdir_flat.bsp";
                awaitConsole(server, carol, home, error);
                type(home, "connect " + address);
                awaitConsole(server, carol, home, "type /cl_allowDownload 1 in the console");
                type(home, "cl_allowDownload 1");
                carol.awaitLine("joined", SOON);
            }
        }
    }

    /** The game's own files, but for one. */
    private static Path altered(Path base) throws IOException {
        Path game = Files.createDirectories(base.resolve("baseoa"));
        try (Stream<Path> all = Files.list(Path.of("/usr/lib/openarena/baseoa"))) {
            for (Path file : all.filter(each -> !each.endsWith(ALTERED)).toList()) {
                Files.createSymbolicLink(game.resolve(file.getFileName()), file);
            }
        }
        try (ZipOutputStream pak =
                new ZipOutputStream(Files.newOutputStream(game.resolve(ALTERED)))) {
            for (String code : List.of("vm/cgame.qvm", "vm/ui.qvm")) {
                pak.putNextEntry(new ZipEntry(code));
                pak.write(code.getBytes(StandardCharsets.US_ASCII));
            }
        }
        return base;
    }

    /** What a client has printed. */
    private static String console(Path home) {
        try {
            return Files.readString(home.resolve("client.out"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    /** Waits for words that a game prints; a failure shows what both sides have printed. */
    private static void awaitConsole(Peer server, Peer client, Path home, String words) {
        Supplier<String> seen =
                () ->
                        "'%s' in:\n%s\n%s\nserver:\n%s"
                                .formatted(
                                        words,
                                        console(home),
                                        String.join("\n", client.lines()),
                                        String.join("\n", server.lines()));
        Peer.await(seen, SOON, () -> !client.isAlive() || console(home).contains(words));
        assertThat(console(home)).as(seen).contains(words);
    }

    private static double along(JsonArray at, JsonArray from, int axis) {
        return at.get(axis).getAsDouble() - from.get(axis).getAsDouble();
    }

    private static List<Path> files(Path home, String glob) throws IOException {
        try (Stream<Path> all = Files.walk(home)) {
            return all.filter(file -> String.valueOf(file.getFileName()).matches(glob)).toList();
        }
    }

    private static List<Path> pictures(Path home) throws IOException {
        return files(home, "proof.*\\.jpg");
    }

    private static List<Path> downloads(Path home) throws IOException {
        return files(home, "zz-wishdir_flat.*\\.pk3");
    }

    /** The places of the other player in the client's own recording. */
    private static List<String> placesOfTheBot(Path here, Path home) throws Exception {
        Path demo = files(home, "proof\\.(dm_.*|.*dm_71)").getFirst();
        List<String> places = new ArrayList<>();
        try (Peer inspect =
                Peer.wishdir(here, "inspect", "--json", "--message", "snapshot", demo.toString())) {
            assertThat(inspect.awaitExit(SOON)).isZero();
            for (String line : inspect.lines()) {
                if (!line.startsWith("{")) {
                    continue;
                }
                JsonObject fields =
                        JsonParser.parseString(line).getAsJsonObject().getAsJsonObject("fields");
                for (JsonElement entity : fields.getAsJsonArray("entities")) {
                    JsonArray delta = entity.getAsJsonArray();
                    JsonElement changes = delta.get(delta.size() - 1);
                    if (changes.isJsonObject() && changes.getAsJsonObject().has("pos.trBase[0]")) {
                        places.add(delta.get(0) + " " + changes);
                    }
                }
            }
        }
        return places.stream().distinct().toList();
    }
}
