package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import dev.wishdir.app.command.Games;
import dev.wishdir.app.command.Web;
import dev.wishdir.inspect.Inspector;
import dev.wishdir.motion.Vec3;
import dev.wishdir.web.WebHosts;
import dev.wishdir.web.WebServer;
import dev.wishdir.web.explore.CaptureIndex;
import dev.wishdir.web.explore.Explorer;
import dev.wishdir.wire.dissect.Dissector;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The explorer of captures in a real browser, on one of each game. */
@Timeout(600)
class ExplorerIT {
    private static final Path PICTURES = Path.of("target", "screenshots").toAbsolutePath();

    /** A capture, the messages of its movements, and how many players its packets have. */
    private record Looked(
            String file,
            String game,
            String message,
            String field,
            String lit,
            String litBytes,
            int players) {}

    private static final List<Looked> LOOKED =
            List.of(
                    new Looked(
                            "/captures/two_clients.pcap",
                            "sauerbraten",
                            "N_POS",
                            "cn=1",
                            "cn",
                            "01",
                            2),
                    new Looked(
                            "/captures/03-yq2server-two-clients.pcap",
                            "quake2",
                            "frame",
                            "ps.origin.0=-1024",
                            "svc",
                            "14",
                            2),
                    new Looked(
                            "/dev/wishdir/quake3/ioq3-modern71-aggressor-2clients.pcap",
                            "quake3",
                            "snapshot",
                            "serverTime=7500",
                            "op",
                            "",
                            2),
                    new Looked(
                            "/captures/plain-client-auth.pcap",
                            "bedrock",
                            "move_player",
                            "on_ground=true",
                            "header",
                            "13",
                            2));

    @TempDir private Path directory;
    private Chromium browser;

    @BeforeEach
    void open() throws Exception {
        Chromium.need();
        browser = new Chromium(Files.createDirectories(directory.resolve("chromium")));
        browser.size(1400, 900);
        browser.prefers("dark");
    }

    @AfterEach
    void close() {
        if (browser != null) {
            browser.close();
        }
    }

    private WebServer serve(String resource) throws IOException {
        Path file = directory.resolve(Path.of(resource).getFileName());
        try (InputStream in = requireNonNull(getClass().getResourceAsStream(resource))) {
            Files.write(file, in.readAllBytes());
        }
        CaptureIndex index = CaptureIndex.open(Games.movements(Games.ALL));
        List<Dissector> dissectors = new ArrayList<>();
        for (var game : FourGames.ALL) {
            dissectors.add(game.dissector(true, Optional.empty()));
        }
        index.read(file, lines -> Inspector.of(dissectors, lines), (_, _) -> true);
        index.finish();
        return serve(index);
    }

    private static WebServer serve(CaptureIndex index) throws IOException {
        return WebServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new WebHosts(List.of()),
                List.of(new Explorer(index), Web.styles()));
    }

    @Test
    void filtersHighlightsAndScrubsCaptureOfEachGame() throws Exception {
        for (Looked looked : LOOKED) {
            try (WebServer server = serve(looked.file())) {
                browser.open(server.url() + "explore/");
                look(looked);
                // What the page still requests must not meet a closed server.
                browser.open("about:blank");
            }
        }
        browser.checkComplaints();
    }

    @Test
    void fitsPhone() throws Exception {
        browser.size(390, 844);
        try (WebServer server = serve(LOOKED.getFirst().file())) {
            browser.open(server.url() + "explore/");
            browser.await("innerWidth === 390 && explorer.rows.length > 3");
            browser.value("document.getElementById('list').focus()");
            browser.key("ArrowDown", "ArrowDown");
            browser.await("document.querySelectorAll('.field').length > 3");
            assertThat(browser.value("document.documentElement.scrollWidth").getAsInt())
                    .isLessThanOrEqualTo(390);
            browser.picture(PICTURES.resolve("explorer-phone.png"));
            browser.open("about:blank");
        }
        browser.checkComplaints();
    }

    private void look(Looked looked) throws IOException {
        browser.await(
                "location.pathname === '/explore/' && explorer.total > 0 && explorer.rows.length >"
                        + " 3 && document.getElementById('files').textContent === '"
                        + Path.of(looked.file()).getFileName()
                        + "'");
        int all = browser.value("explorer.total").getAsInt();
        browser.value(
                "(() => { const form = document.getElementById('filter');"
                        + " form.elements.game.value = '"
                        + looked.game()
                        + "'; form.elements.name.value = '"
                        + looked.message()
                        + "'; form.elements.field.value = '"
                        + looked.field()
                        + "'; form.requestSubmit(); })()");
        browser.await("explorer.total > 0 && explorer.total < " + all);
        browser.await("explorer.rows.every(row => row.includes('" + looked.message() + "'))");
        browser.value("document.getElementById('list').focus()");
        browser.key("ArrowDown", "ArrowDown");
        browser.await(
                "document.getElementById('title').textContent.startsWith('"
                        + looked.message()
                        + ",') && document.querySelectorAll('.field').length > 3");

        String field =
                "[...document.querySelectorAll('.field')].find(each =>"
                        + " each.children[1].textContent === '"
                        + looked.lit()
                        + "')";
        browser.value(field + ".click()");
        browser.await("document.querySelectorAll('#bytes b.lit').length > 0");
        String lit = browser.value("document.querySelector('b.lit').textContent").getAsString();
        if (looked.litBytes().isEmpty()) {
            assertThat(browser.value("document.querySelectorAll('.bit.on').length").getAsInt())
                    .as("the bits of a field that is no whole bytes")
                    .isEqualTo(6);
        } else {
            assertThat(lit).isEqualTo(looked.litBytes());
        }
        browser.value("document.querySelector('.field.lit').classList.remove('lit')");
        browser.value("document.querySelector('b.lit').click()");
        browser.await("document.querySelectorAll('.field.lit').length === 1");
        if (looked.game().equals("sauerbraten")) {
            browser.picture(PICTURES.resolve("explorer.png"));
        }

        assertThat(browser.value("document.querySelectorAll('#summary tr').length").getAsInt())
                .isGreaterThanOrEqualTo(looked.players());
        browser.press("[data-tab=moves]");
        browser.await("explorer.players === " + looked.players());
        browser.value(
                "(() => { const time = document.getElementById('time'); time.value = time.max / 2;"
                        + " time.dispatchEvent(new Event('input')); })()");
        browser.await(
                "explorer.bodies.length > 0 && explorer.drawn.length === explorer.bodies.length"
                        + " && Math.abs(explorer.time - document.getElementById('time').max / 2) <"
                        + " 0.1");
        checkBodies(looked.game());
        browser.press("#theme");
        checkBodies(looked.game() + "-light");
        browser.press("#theme");

        browser.press("#who button");
        browser.await(
                "explorer.view === 'follow' && explorer.followed ==="
                    + " Number(document.querySelector('#who [aria-pressed=true]').dataset.player)");
        browser.press("#view-all");
        browser.await("explorer.view === 'all' && explorer.followed === null");
        String before = browser.value("JSON.stringify(explorer.drawn)").getAsString();
        browser.press("#play");
        browser.await("JSON.stringify(explorer.drawn) !== '" + before + "'");
    }

    /** Each body is seen where its samples have it, with its name. */
    private void checkBodies(String name) throws IOException {
        browser.awaitNextFrame();
        JsonArray bodies = browser.value("explorer.bodies").getAsJsonArray();
        browser.await("explorer.labels.length > 0");
        BufferedImage picture = browser.picture(PICTURES.resolve("explorer-" + name + ".png"));
        DrawnBodies drawn = new DrawnBodies(browser, "explorer", 34);
        for (JsonElement each : bodies) {
            JsonObject body = each.getAsJsonObject();
            drawn.check(
                    picture,
                    body.get("game").getAsString(),
                    new Vec3(
                            body.get("x").getAsDouble(),
                            body.get("y").getAsDouble(),
                            body.get("z").getAsDouble()));
        }
    }

    @Test
    void reportsCaptureWithoutMovements() throws Exception {
        CaptureIndex index = CaptureIndex.open(Games.movements(Games.ALL));
        index.finish();
        try (WebServer server = serve(index)) {
            browser.open(server.url() + "explore/");
            browser.await("explorer.total === 0");
            browser.press("[data-tab=moves]");
            browser.await("document.getElementById('none').textContent.includes('no movements')");
            browser.value("document.getElementById('ask').focus()");
            browser.key("Slash", "?");
            browser.await("document.getElementById('help').open");
        }
        browser.checkComplaints();
    }
}
