package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import dev.wishdir.app.command.Games;
import dev.wishdir.app.command.Web;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.file.EventCursor;
import dev.wishdir.record.file.Recording;
import dev.wishdir.record.file.RecordingGenerator;
import dev.wishdir.web.WebHosts;
import dev.wishdir.web.WebServer;
import dev.wishdir.web.map.ReplayPage;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** A recording of millions of movements as a real browser draws it, compared with the file. */
@Timeout(600)
@TestInstance(Lifecycle.PER_CLASS)
class ReplayIT {
    private static final Path PICTURES = Path.of("target", "screenshots").toAbsolutePath();
    private static final int MOVEMENTS = Integer.getInteger("wishdir.replay.movements", 1_000_000);

    /** Metres by which a body may be drawn off the file's position. */
    private static final double NEAR = 0.05;

    /** A player without movements for longer stays where it is. */
    private static final long SILENT_NANOS = 500_000_000;

    private final Random random = new Random(5);
    private Path file = Path.of("");
    private long start;
    private WebServer server;

    /** One for all tests: to start it takes longer than some of them. */
    private Chromium browser;

    private record Step(long time, Vec3 at) {}

    @BeforeAll
    void write(@TempDir Path folder, @TempDir Path profile) throws Exception {
        Chromium.need();
        file = folder.resolve("match.mcap");
        RecordingGenerator.write(file, 1, RecordingGenerator.PLAYERS, MOVEMENTS);
        try (Recording recording = Recording.open(file)) {
            start = recording.startNanos();
            System.out.printf(
                    "%d movements: %d bytes, %.0f s%n",
                    MOVEMENTS, Files.size(file), (recording.endNanos() - start) / 1e9);
        }
        server =
                WebServer.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        new WebHosts(List.of()),
                        List.of(
                                new ReplayPage(
                                        file,
                                        "match.mcap",
                                        Optional.of(RecordingGenerator.ARENA),
                                        "",
                                        Games.weaponNames(Games.ALL)),
                                Web.styles()));
        // The light of the arena takes longer than a page may wait, where the machine is busy.
        try (InputStream scene = URI.create(server.url() + "replay/scene").toURL().openStream()) {
            assertThat(scene.readAllBytes()).isNotEmpty();
        }
        browser = new Chromium(profile);
    }

    @AfterAll
    void close() {
        if (browser != null) {
            browser.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void prepare() {
        browser.size(1280, 800);
        browser.prefers("dark");
    }

    private void openPage(String query) {
        browser.open(server.url() + "replay.html" + query);
        browser.await("wishdir.ready && wishdir.players.length > 0");
    }

    private double number(String expression) {
        return browser.value(expression).getAsDouble();
    }

    /** Where each player with a body is at a time, by its number, between two movements in line. */
    private Map<Integer, Vec3> positions(long time) throws IOException {
        Map<PlayerId, Step> before = new HashMap<>();
        Map<PlayerId, Vec3> found = new HashMap<>();
        try (Recording recording = Recording.open(file)) {
            for (Player player : recording.stateAt(time).players().values()) {
                if (player.spawned()) {
                    found.put(player.id(), player.movement().position());
                }
            }
            EventCursor events = recording.events(time - SILENT_NANOS, time + SILENT_NANOS + 1);
            Map<PlayerId, Boolean> after = new HashMap<>();
            while (events.next()) {
                ArenaEvent event = events.event();
                if (!(event instanceof ArenaEvent.OfPlayer of)) {
                    continue;
                }
                Vec3 at = of.player().movement().position();
                boolean isMove = event instanceof ArenaEvent.Moved;
                if (event.time() <= time) {
                    if (isMove
                            || event instanceof ArenaEvent.Spawned
                            || event instanceof ArenaEvent.Teleported) {
                        before.put(of.id(), new Step(event.time(), at));
                    }
                    continue;
                }
                Step last = before.get(of.id());
                boolean isNext =
                        isMove
                                || event instanceof ArenaEvent.Spawned
                                || event instanceof ArenaEvent.Teleported;
                if (isNext && after.putIfAbsent(of.id(), true) == null && isMove && last != null) {
                    double gap = event.time() - last.time();
                    if (gap <= SILENT_NANOS && found.containsKey(of.id())) {
                        double part = (time - last.time()) / gap;
                        found.put(of.id(), last.at().plus(at.minus(last.at()).times(part)));
                    }
                }
            }
        }
        Map<Integer, Vec3> numbers = new HashMap<>();
        found.forEach((id, at) -> numbers.put(id.number(), at));
        return numbers;
    }

    /** Compares what is drawn with the file; returns the largest distance. */
    private double checkBodies() throws IOException {
        JsonObject drawn =
                browser.value("({ time: wishdir.time, players: wishdir.players })")
                        .getAsJsonObject();
        Map<Integer, Vec3> expected =
                positions(start + Math.round(drawn.get("time").getAsDouble() * 1e6));
        double worst = 0;
        assertThat(drawn.getAsJsonArray("players").size()).isEqualTo(expected.size());
        for (JsonElement each : drawn.getAsJsonArray("players")) {
            JsonObject player = each.getAsJsonObject();
            Vec3 at =
                    new Vec3(
                            player.get("x").getAsDouble(),
                            player.get("y").getAsDouble(),
                            player.get("z").getAsDouble());
            double apart = at.distance(requireNonNull(expected.get(player.get("id").getAsInt())));
            assertThat(apart).as("%s at %s", player, drawn.get("time")).isLessThan(NEAR);
            worst = Math.max(worst, apart);
        }
        return worst;
    }

    /** Clicks on the timeline; returns the milliseconds until the picture is drawn. */
    private double seek(double part) {
        click(part);
        browser.await("!Number.isNaN(wishdir.sought)");
        return number("wishdir.sought");
    }

    @Test
    void drawsBodiesOfFileAfterSeeks() throws Exception {
        openPage("?t=5");
        browser.await("wishdir.scene === 'hall'");
        List<Double> millis = new ArrayList<>();
        double worst = 0;
        boolean complete = browser.value("wishdir.complete").getAsBoolean();
        for (int i = 0; i < 10; i++) {
            millis.add(seek(random.nextDouble()));
            worst = Math.max(worst, checkBodies());
        }
        System.out.printf(
                "from click to picture, ms: %s; bodies at most %.4f m off; marks %s%n",
                millis.stream().map(Math::round).toList(),
                worst,
                complete ? "were there" : "were being read");
        browser.picture(PICTURES.resolve("replay.png"));
        browser.checkComplaints();
    }

    @Test
    void playsAtSpeedWithBoundedMemory() throws Exception {
        openPage("?t=20");
        browser.value("document.getElementById('stage').focus()");
        browser.key("Space", " ");
        browser.await("wishdir.state === 'playing' && wishdir.time > 21_000");
        checkBodies();
        for (int i = 0; i < 3; i++) {
            browser.value("dispatchEvent(new KeyboardEvent('keydown', { key: ']' }))");
        }
        browser.await("wishdir.speed === 8 && wishdir.time > 30_000");
        checkBodies();
        assertThat(number("wishdir.steps")).isLessThan(1_000_000);
        browser.value("dispatchEvent(new KeyboardEvent('keydown', { key: ' ' }))");
        browser.await("wishdir.state === 'paused'");
        checkBodies();
        double time = number("wishdir.time");
        browser.value("dispatchEvent(new KeyboardEvent('keydown', { key: '.' }))");
        browser.await("wishdir.ready && wishdir.time > " + time);
        assertThat(number("wishdir.time")).isCloseTo(time + 50, within(0.001));
        browser.checkComplaints();
    }

    private static Offset<Double> within(double offset) {
        return Offset.offset(offset);
    }

    private void click(double part) {
        JsonObject box =
                browser.value(
                                "(({ left, top, width, height }) => ({ left, top, width, height"
                                        + " }))(document.getElementById('timeline')"
                                        + ".getBoundingClientRect())")
                        .getAsJsonObject();
        double x = box.get("left").getAsDouble() + part * box.get("width").getAsDouble();
        double y = box.get("top").getAsDouble() + box.get("height").getAsDouble() / 2;
        for (String type : List.of("mousePressed", "mouseReleased")) {
            browser.call(
                    "Input.dispatchMouseEvent",
                    Map.of("type", type, "x", x, "y", y, "button", "left", "clickCount", 1));
        }
    }

    @Test
    void seeksOnTimelineFollowsAndChoosesClip() throws Exception {
        openPage("?t=5");
        browser.await("wishdir.scene === 'hall' && wishdir.complete");
        assertThat(number("wishdir.marks")).isGreaterThan(100);
        double duration = number("wishdir.duration");
        click(0.5);
        browser.await("wishdir.ready && Math.abs(wishdir.time / wishdir.duration - 0.5) < 0.01");
        checkBodies();
        browser.await("document.querySelectorAll('#chat li').length > 20");
        browser.await("document.querySelectorAll('#players tr').length === 160");
        double time = number("wishdir.time");
        browser.value("document.getElementById('timeline').focus()");
        browser.key("ArrowRight", "ArrowRight");
        browser.await("wishdir.ready && Math.abs(wishdir.time - " + (time + 1000) + ") < 1");
        browser.key("End", "End");
        browser.await("wishdir.ready && wishdir.time === " + duration);
        checkBodies();
        click(0.25);
        browser.await("wishdir.ready && wishdir.time < " + duration / 2);
        browser.value("document.getElementById('stage').focus()");
        browser.key("KeyN", "n");
        browser.await("wishdir.view === 'follow' && wishdir.followed !== null");
        browser.await("document.getElementById('state').textContent === 'paused'");
        browser.press("#clip-from");
        browser.await("wishdir.clip !== null && !document.getElementById('save').disabled");
        browser.awaitNextFrame();
        browser.picture(PICTURES.resolve("replay-follow.png"));
        browser.press("[data-view=eyes]");
        browser.awaitNextFrame();
        browser.picture(PICTURES.resolve("replay-eyes.png"));
        browser.press("[data-view=top]");
        browser.awaitNextFrame();
        browser.picture(PICTURES.resolve("replay-top.png"));
        browser.checkComplaints();
    }

    @Test
    void playsFileOfAnyServerWithBoundsOnly() throws Exception {
        openPage("?file=replay/recording&t=60");
        browser.await("wishdir.ready && wishdir.time === 60_000");
        checkBodies();
        assertThat(browser.value("wishdir.scene").getAsString()).isEmpty();
        assertThat(browser.value("document.getElementById('note').textContent").getAsString())
                .contains("Only the bounds of the level are drawn");
        browser.press("#clip-from");
        assertThat(browser.value("document.getElementById('save').disabled").getAsBoolean())
                .isTrue();
        browser.prefers("light");
        browser.size(390, 780);
        openPage("?file=replay/recording&t=60");
        browser.awaitNextFrame();
        assertThat(browser.value("document.documentElement.scrollWidth").getAsInt())
                .isLessThanOrEqualTo(390);
        browser.picture(PICTURES.resolve("replay-phone.png"));
        browser.open(server.url() + "replay.html?file=map/main.js");
        browser.await("document.getElementById('state').classList.contains('lost')");
        browser.checkComplaints();
    }
}
