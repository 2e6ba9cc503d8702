package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import dev.wishdir.game.BotController;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.quake3.Quake3Game;
import dev.wishdir.sauerbraten.SauerbratenGame;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The live map of one of two servers in a real browser: the players of both are drawn where they
 * are, and the table names the server of the other's.
 */
@Timeout(600)
class ClusterMapIT {
    private static final Path PICTURES = Path.of("target", "screenshots").toAbsolutePath();
    private static final Duration SOON = Duration.ofMinutes(2);

    /** Metres by which a body may be drawn off the places that the server reports. */
    private static final double NEAR_METRES = 0.5;

    /** By which the page may be late on a busy machine. */
    private static final double LATE_SECONDS = 10;

    /** Between two frames that a busy page receives: it draws a straight way between them. */
    private static final double FRAME_SECONDS = 4;

    private static final List<String> OWN = List.of("Ada", "Grace");
    private static final List<String> OTHERS = List.of("Edsger", "Barbara");

    /**
     * To and fro on a line, 4 s each way: where the page has missed some places, it draws a
     * straight line between others.
     */
    private static final BotController LINES =
            (now, _) -> PlayerInput.walk(now / 4e9 % 2 < 1 ? 110 : 290, now / 1e9 * 90 % 360, 0);

    private final NettyLoop loop = new NettyLoop("cluster-map");

    @TempDir private Path folder = Path.of("");

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    void showsPlayersOfBothServers() throws Exception {
        Peer.need("nats-server", Path.of("/usr/sbin/nats-server"));
        Chromium.need();
        try (Peer nats = NodeProcess.nats(folder)) {
            String address = NodeProcess.address(nats);
            try (NodeProcess a =
                            new NodeProcess(
                                    folder,
                                    "a",
                                    new Quake3Game(),
                                    address,
                                    "flat",
                                    "--web",
                                    "127.0.0.1:0");
                    NodeProcess b =
                            new NodeProcess(folder, "b", new SauerbratenGame(), address, "flat");
                    Chromium browser = new Chromium(Files.createDirectory(folder.resolve("web")))) {
                join(a, OWN);
                join(b, OTHERS);
                look(a, browser);
            }
        }
    }

    private void join(NodeProcess server, List<String> names) {
        names.stream()
                .map(name -> new Bot(loop, server.game, server.address(), name, LINES))
                .toList()
                .forEach(Bot::awaitJoined);
    }

    private static void look(NodeProcess a, Chromium browser) throws IOException {
        browser.size(1280, 800);
        browser.prefers("dark");
        browser.open(a.process.awaitLine("^Live map: ", SOON).substring("Live map: ".length()));
        browser.await("wishdir.state === 'live' && wishdir.scene === 'flat'");
        browser.await("wishdir.players.length === " + (OWN.size() + OTHERS.size()));
        browser.await("wishdir.labels.length > 0");
        assertTable(a, browser);
        Set<Vec3> places = new HashSet<>();
        Peer.await(
                "bodies to be drawn at several places",
                SOON,
                () -> {
                    JsonElement drawn = browser.value("wishdir.players");
                    double now = System.currentTimeMillis() / 1e3;
                    for (JsonElement each : drawn.getAsJsonArray()) {
                        places.add(assertInPlace(a, each.getAsJsonObject(), now));
                    }
                    return places.size() > 2 * (OWN.size() + OTHERS.size());
                });
        browser.picture(PICTURES.resolve("cluster-map.png"));
        browser.size(390, 780);
        browser.press("#more");
        browser.await("document.getElementById('side').getBoundingClientRect().height > 100");
        browser.awaitNextFrame();
        assertTable(a, browser);
        browser.picture(PICTURES.resolve("cluster-map-phone.png"));
        browser.checkComplaints();
    }

    /** The whole of what the table has of a player's game and server can be read. */
    private static void assertTable(NodeProcess a, Chromium browser) {
        int number = events(a, OTHERS.getFirst()).findFirst().orElseThrow().get("node").getAsInt();
        for (String name : OWN) {
            assertThat(cell(browser, name)).isEqualTo("quake3");
        }
        for (String name : OTHERS) {
            assertThat(cell(browser, name)).isEqualTo("sauerbraten\nserver " + number);
        }
    }

    private static String cell(Chromium browser, String name) {
        String cell =
                "[...document.querySelectorAll('#players tr')].find(row =>"
                        + " row.children[0].textContent === '"
                        + name
                        + "').children[1]";
        assertThat(browser.value("(cell => cell.scrollWidth <= cell.clientWidth)(" + cell + ")"))
                .as("%s is not cut off", name)
                .isEqualTo(new JsonPrimitive(true));
        return browser.value(cell + ".innerText").getAsString();
    }

    private static Stream<JsonObject> events(NodeProcess server, String name) {
        return EventFile.events(server.events).stream()
                .filter(event -> event.has("position"))
                .filter(event -> event.get("name").getAsString().equals(name));
    }

    /**
     * Fails where the server has not had a player; returns where it is drawn.
     *
     * @param now by when it was drawn there, seconds of the day's clock
     */
    private static Vec3 assertInPlace(NodeProcess server, JsonObject drawn, double now) {
        String name = drawn.get("name").getAsString();
        Peer.await(
                "later events of " + name,
                SOON,
                () -> events(server, name).anyMatch(event -> time(event) > now));
        Vec3 at =
                new Vec3(
                        drawn.get("x").getAsDouble(),
                        drawn.get("y").getAsDouble(),
                        drawn.get("z").getAsDouble());
        List<JsonObject> near =
                events(server, name)
                        .filter(event -> Math.abs(time(event) - now) < LATE_SECONDS)
                        .toList();
        assertThat(isBetween(near, at))
                .as("%s is drawn at %s and was at %s", name, at, near)
                .isTrue();
        return at;
    }

    /** Whether a place is on a straight way between two places, as the page draws it. */
    private static boolean isBetween(List<JsonObject> events, Vec3 at) {
        for (int from = 0; from < events.size(); from++) {
            Vec3 start = NodeProcess.position(events.get(from));
            for (int to = from;
                    to < events.size()
                            && time(events.get(to)) - time(events.get(from)) < FRAME_SECONDS;
                    to++) {
                Vec3 way = NodeProcess.position(events.get(to)).minus(start);
                double part = Math.clamp(at.minus(start).dot(way) / way.dot(way), 0, 1);
                if (start.plus(way.times(Double.isNaN(part) ? 0 : part)).distance(at)
                        < NEAR_METRES) {
                    return true;
                }
            }
        }
        return false;
    }

    private static double time(JsonObject event) {
        return event.get("time").getAsDouble();
    }
}
