package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.inspect.capture.CaptureReader;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The page of a running proxy in a real browser, between our clients and our server. */
@Timeout(600)
class LiveExplorerIT {
    private static final Path PICTURES = Path.of("target", "screenshots").toAbsolutePath();
    private static final Duration SOON = Duration.ofMinutes(2);

    @TempDir private Path directory;
    private final List<Peer> peers = new ArrayList<>();
    private Chromium browser;
    private Peer proxy;
    private String url;

    private Peer wishdir(String... arguments) throws Exception {
        Peer started = Peer.wishdir(directory, arguments);
        peers.add(started);
        return started;
    }

    /** What follows a text in a line. */
    private static String after(Peer peer, String text) {
        String line = peer.awaitLine(text, SOON);
        return line.substring(line.indexOf(text) + text.length()).replaceFirst("[, ].*", "");
    }

    @BeforeEach
    void open() throws Exception {
        Chromium.need();
        Peer server = wishdir("serve", "--quake3", "127.0.0.1:0", "--arena", "hall");
        String port = after(server, "players connect to 127.0.0.1, port ");
        proxy =
                wishdir(
                        "proxy",
                        "quake3",
                        "--to",
                        "127.0.0.1:" + port,
                        "--listen",
                        "0",
                        "--web",
                        "127.0.0.1:0",
                        "--seed",
                        "5");
        String clients = after(proxy, "clients connect to ");
        url = after(proxy, "page: ");
        wishdir("bot", "quake3", clients, "--name", "anna", "--count", "2");
        browser = new Chromium(Files.createDirectories(directory.resolve("chromium")));
        browser.size(1400, 900);
        browser.prefers("dark");
    }

    @AfterEach
    void close() {
        if (browser != null) {
            browser.close();
        }
        peers.reversed().forEach(Peer::close);
    }

    /** Sets a value as a user does, so that the page gets the event. */
    private void set(String selector, String value) {
        browser.value(
                "(() => { const input = document.querySelector('"
                        + selector
                        + "'); input.value = '"
                        + value
                        + "'; input.dispatchEvent(new Event('input', { bubbles: true })); })()");
    }

    @Test
    void showsSessionAsItGoesAndChangesItsFaults() throws Exception {
        browser.open(url);
        browser.await("explorer.total > 200 && explorer.rows.length > 3 && explorer.following");
        browser.await("explorer.rows.some(row => row.includes('anna'))");
        followsPausesAndFilters();
        linksToLine();
        changesFaults();
        exports();
        showsMovements();
        // The fault that is out of range.
        browser.checkComplaints("explore/faults");
    }

    private void followsPausesAndFilters() {
        String last = "Number(document.querySelector('.row[data-row]:last-child').dataset.row)";
        long before = browser.value(last).getAsLong();
        browser.await(last + " > " + (before + 100));
        assertThat(browser.value("explorer.following").getAsBoolean()).isTrue();

        browser.press("#pause");
        browser.await("document.getElementById('state').textContent.includes('paused')");
        long paused = browser.value("explorer.total").getAsLong();
        long sent = browser.value("explorer.faults.upCount.sent").getAsLong();
        // The proxy goes on, the list does not.
        browser.await("explorer.faults.upCount.sent > " + (sent + 100));
        assertThat(browser.value("explorer.total").getAsLong()).isEqualTo(paused);
        browser.press("#pause");
        browser.await("explorer.following && explorer.total > " + paused);

        // The selection has what the totals had at last, which are older than the lines.
        browser.await("!!document.querySelector('[name=name] [value=snapshot]')");
        set("[name=name]", "snapshot");
        browser.await("explorer.total > 3 && explorer.rows.every(row => row.includes('snapshot'))");
        set("[name=field]", "nothing like this");
        browser.await(
                "document.getElementById('nothing').textContent.startsWith('Nothing found') &&"
                        + " !document.getElementById('nothing').hidden");
        set("[name=field]", "");
        browser.await("explorer.total > 3");
    }

    private void linksToLine() {
        browser.value("document.querySelector('.row[data-row]').click()");
        browser.await(
                "explorer.selected !== null && !explorer.following &&"
                        + " document.getElementById('title').textContent.startsWith('snapshot,')");
        String title = "document.getElementById('title').textContent";
        String before = browser.value(title).getAsString();
        String link = browser.value("document.getElementById('link').href").getAsString();
        assertThat(link).contains("#name=snapshot&row=");
        browser.open("about:blank");
        browser.open(link);
        browser.await("explorer.selected !== null && " + title + " === '" + before + "'");
        assertThat(browser.value("document.querySelector('[name=name]').value").getAsString())
                .isEqualTo("snapshot");
    }

    private void changesFaults() throws Exception {
        browser.press("#faults-tab");
        set("[type=range][name=\"up loss\"]", "20");
        browser.await("explorer.faults.up.loss === 20 && explorer.faults.upCount.lost > 5");
        String counts = "[...document.querySelectorAll('#counts-up td')].map(it => it.textContent)";
        browser.await("Number(" + counts + "[1].replace(',', '')) > 5");
        proxy.type("status");
        proxy.awaitLine("up datagrams=\\d+ lost=[1-9].* faults up loss=20; down off", SOON);
        proxy.type("down delay=30");
        browser.await(
                "document.querySelector('[type=number][name=\"down delay\"]').value === '30'");
        set("[type=number][name=\"down reorder\"]", "500");
        browser.await(
                "document.getElementById('faults-problem').textContent.includes('from 0 to 100')");
        browser.picture(PICTURES.resolve("explorer-live.png"));
        browser.press("#faults-off");
        proxy.type("status");
        browser.await("explorer.faults.up.loss === 0 && explorer.faults.down.delay === 0");
    }

    private void exports() throws Exception {
        Path downloads = Files.createDirectories(directory.resolve("downloads"));
        browser.call(
                "Browser.setDownloadBehavior",
                Map.of("behavior", "allow", "downloadPath", downloads.toString()));
        browser.press("#export-pcap");
        Path file = downloads.resolve("wishdir.pcap");
        Peer.await("the download", SOON, () -> Files.exists(file));
        try (CaptureReader reader = CaptureReader.open(file)) {
            long count = 0;
            while (reader.next().isPresent()) {
                count++;
            }
            assertThat(count).isGreaterThan(3);
        }
    }

    private void showsMovements() throws Exception {
        browser.press("[data-tab=moves]");
        browser.await("explorer.players === 2 && explorer.drawn.length === 2");
        browser.press("#follow");
        browser.await("explorer.following");
        double before = browser.value("explorer.time").getAsDouble();
        browser.await("explorer.time > " + (before + 1));
        browser.press("#who button");
        browser.await(
                "explorer.view === 'follow' && String(explorer.followed) ==="
                        + " document.querySelector('[name=player]').value");
        browser.awaitNextFrame();
        browser.picture(PICTURES.resolve("explorer-live-movements.png"));
        browser.await("explorer.lines > 1000");
    }
}
