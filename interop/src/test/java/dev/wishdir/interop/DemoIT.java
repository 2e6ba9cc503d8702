package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** {@code demo} as a newcomer sees it: the program itself, and a real browser. */
@Timeout(600)
class DemoIT {
    private static final Path PICTURES = Path.of("target", "screenshots").toAbsolutePath();
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final int PLAYERS = 12;

    private final Ways ways = new Ways();

    /** Reads the events that the server writes, for as long as it does. */
    private void read(Path events, Peer demo) {
        try (BufferedReader lines = Files.newBufferedReader(events)) {
            StringBuilder line = new StringBuilder();
            while (demo.isAlive()) {
                int next = lines.read();
                if (next == '\n') {
                    event(JsonParser.parseString(line.toString()).getAsJsonObject());
                    line.setLength(0);
                } else if (next >= 0) {
                    line.append((char) next);
                } else {
                    LockSupport.parkNanos(5_000_000);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void event(JsonObject event) {
        if (event.has("position")) {
            JsonArray at = event.getAsJsonArray("position");
            ways.put(
                    event.get("player").getAsInt(),
                    Math.round(event.get("time").getAsDouble() * 1000),
                    new Vec3(
                            at.get(0).getAsDouble(),
                            at.get(1).getAsDouble(),
                            at.get(2).getAsDouble()));
        }
    }

    private void awaitAllInPlace(Chromium browser) {
        ways.awaitAllInPlace(browser, "wall", PLAYERS);
    }

    private static void offline(Chromium browser, boolean offline) {
        browser.call(
                "Network.emulateNetworkConditions",
                Map.of(
                        "offline",
                        offline,
                        "latency",
                        0,
                        "downloadThroughput",
                        -1,
                        "uploadThroughput",
                        -1));
    }

    @Test
    void showsServerEventsOnDemoMap(@TempDir Path directory) throws Exception {
        Chromium.need();
        Path events = directory.resolve("events");
        Files.createFile(events);
        try (Peer demo =
                        Peer.wishdir(
                                directory,
                                "demo",
                                "--web",
                                "127.0.0.1:0",
                                "--events",
                                events.toString());
                Chromium browser = new Chromium(Files.createDirectory(directory.resolve("web")))) {
            browser.size(1280, 800);
            browser.prefers("dark");
            browser.call("Network.enable", Map.of());
            String url = demo.awaitLine("^Live map: ", SOON).substring("Live map: ".length());
            Thread.ofVirtual().start(() -> read(events, demo));
            browser.open(url);
            browser.await("wishdir.state === 'live' && wishdir.scene === 'hall'");
            browser.await("wishdir.players.length === " + PLAYERS);
            for (int i = 0; i < 3; i++) {
                awaitAllInPlace(browser);
            }
            assertThat(browser.value("new Set(wishdir.players.map(p => p.game)).size").getAsInt())
                    .isEqualTo(FourGames.GAMES.size());
            browser.await(
                    "[...document.querySelectorAll('#players tr')].every(row =>"
                            + " [3, 4, 5].every(i => parseFloat(row.children[i].textContent) >= 0))"
                            + " && [...document.querySelectorAll('#players tr')].some(row =>"
                            + " parseFloat(row.children[5].textContent) > 0)");
            browser.picture(PICTURES.resolve("demo.png"));

            browser.value("document.getElementById('stage').focus()");
            browser.key("KeyN", "n");
            browser.await("wishdir.view === 'follow' && wishdir.followed !== null");
            awaitAllInPlace(browser);
            browser.checkComplaints();

            offline(browser, true);
            browser.await("wishdir.state === 'lost'");
            offline(browser, false);
            browser.await("wishdir.state === 'live'");
            awaitAllInPlace(browser);
            browser.picture(PICTURES.resolve("demo-follow.png"));
            browser.checkComplaints("ERR_INTERNET_DISCONNECTED", "ERR_NETWORK");
        }
    }

    @Test
    void showsFightOfBots(@TempDir Path directory) throws Exception {
        Chromium.need();
        try (Peer demo = Peer.wishdir(directory, "demo", "--fight", "--web", "127.0.0.1:0");
                Chromium browser = new Chromium(Files.createDirectory(directory.resolve("web")))) {
            browser.size(1280, 800);
            browser.prefers("dark");
            String url = demo.awaitLine("^Live map: ", SOON).substring("Live map: ".length());
            browser.open(url);
            browser.await("wishdir.state === 'live' && wishdir.scene === 'hall'");
            for (String game : FourGames.GAMES) {
                demo.awaitLine("^" + game + " \\S+ killed ", Duration.ofMinutes(5));
            }
            browser.await("document.getElementById('chat').textContent.includes('killed')");
            browser.picture(PICTURES.resolve("demo-fight.png"));
            browser.checkComplaints();
        }
    }
}
