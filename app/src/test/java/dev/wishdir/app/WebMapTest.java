package dev.wishdir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Level;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.arena.Viewer;
import dev.wishdir.game.SilentViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

@Timeout(60)
class WebMapTest {
    private static final List<Integer> REFUSED = List.of(400, 403);
    private static final List<String> UPGRADE =
            List.of(
                    "Connection: Upgrade",
                    "Upgrade: websocket",
                    "Sec-WebSocket-Version: 13",
                    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==");
    private static final String SCRIPT = "<script>alert(1)</script>";

    private final Roster roster = new Roster();
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<HttpClient> others = new ArrayList<>();
    private final AtomicLong passed = new AtomicLong();
    private WebMap map;

    /**
     * The first picture, how the socket was closed, and each picture that is not said to be seen.
     */
    private static final class Browser implements WebSocket.Listener {
        final CompletableFuture<String> picture = new CompletableFuture<>();
        final CompletableFuture<Integer> closed = new CompletableFuture<>();
        final Semaphore pictures = new Semaphore(0);
        private final boolean idle;
        private final StringBuilder text = new StringBuilder();

        Browser() {
            this(false);
        }

        Browser(boolean idle) {
            this.idle = idle;
        }

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                picture.complete(text.toString());
                pictures.release();
                text.setLength(0);
                if (!idle) {
                    socket.sendText("seen", true);
                }
            }
            return WebSocket.Listener.super.onText(socket, data, last);
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
            closed.complete(status);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            closed.complete(-1);
        }
    }

    @BeforeEach
    void open() throws Failure {
        Arena arena = new Arena(Level.BOX, 8);
        arena.observe(roster);
        Viewer blind = new SilentViewer();
        PlayerId walker = arena.join(0, "quake2", SCRIPT, blind).id();
        arena.spawn(0, walker, Movement.at(new Vec3(1, 2, 3), 90));
        arena.join(0, "bedrock", "watching", blind);
        map =
                WebMap.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        new WebHosts(List.of("Map.Example.Org")),
                        roster,
                        passed::get);
    }

    @AfterEach
    void close() {
        map.close();
        http.shutdownNow();
        others.forEach(HttpClient::shutdownNow);
    }

    private URI uri(String scheme, String path) {
        return URI.create(scheme + "://127.0.0.1:" + map.port() + path);
    }

    private WebSocket connect(Browser browser) {
        return http.newWebSocketBuilder().buildAsync(uri("ws", "/live"), browser).join();
    }

    /** From an address of this machine that nobody else has. */
    private void connectFrom(int number, Browser browser) throws IOException {
        HttpClient client =
                HttpClient.newBuilder()
                        .localAddress(
                                InetAddress.getByAddress(new byte[] {127, 0, 2, (byte) number}))
                        .build();
        others.add(client);
        client.newWebSocketBuilder().buildAsync(uri("ws", "/live"), browser).join();
    }

    /** The status of the answer to a request with just these headers. */
    private int status(String path, String... headers) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), map.port())) {
            socket.setSoTimeout(10_000);
            List<String> lines = new ArrayList<>(List.of("GET " + path + " HTTP/1.1"));
            lines.addAll(List.of(headers));
            lines.addAll(path.equals("/live") ? UPGRADE : List.of("Connection: close"));
            String request = String.join("\r\n", lines) + "\r\n\r\n";
            socket.getOutputStream()
                    .write(
                            request.replace("PORT", Integer.toString(map.port()))
                                    .getBytes(StandardCharsets.ISO_8859_1));
            String line =
                    new BufferedReader(
                                    new InputStreamReader(
                                            socket.getInputStream(), StandardCharsets.ISO_8859_1))
                            .readLine();
            return Integer.parseInt(line.split(" ")[1]);
        }
    }

    private static List<String> headers(String host, String origin) {
        List<String> headers = new ArrayList<>();
        if (!host.isEmpty()) {
            headers.add("Host: " + host);
        }
        if (!origin.isEmpty()) {
            headers.add("Origin: " + origin);
        }
        return headers;
    }

    @Test
    void aBrowserSeesWhoIsWhere() throws Exception {
        Browser browser = new Browser();
        connect(browser);
        JsonObject picture =
                JsonParser.parseString(browser.picture.get(10, TimeUnit.SECONDS)).getAsJsonObject();
        assertThat(picture.getAsJsonArray("bounds").toString())
                .isEqualTo("[-32.0,-32.0,32.0,32.0]");
        assertThat(picture.getAsJsonArray("players")).hasSize(2);
        JsonObject walker = picture.getAsJsonArray("players").get(0).getAsJsonObject();
        assertThat(walker.get("position").toString()).isEqualTo("[1.0,2.0,3.0]");
        assertThat(walker.get("yaw").getAsInt()).isEqualTo(90);
        assertThat(picture.getAsJsonArray("players").get(1).getAsJsonObject().has("position"))
                .isFalse();
    }

    @Test
    void thePageAndItsLibraryAreServed() throws Exception {
        for (String path :
                List.of("/", "/map.js", "/map.css", "/webjars/leaflet/1.9.4/dist/leaflet.js")) {
            HttpResponse<String> page =
                    http.send(
                            HttpRequest.newBuilder(uri("http", path)).build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(page.statusCode()).as(path).isEqualTo(200);
            assertThat(page.headers().firstValue("Content-Security-Policy")).as(path).isPresent();
        }
    }

    @Test
    @DisplayName("F8 a name with markup travels as text")
    void namesAreEncoded() throws Exception {
        Browser browser = new Browser();
        connect(browser);
        assertThat(browser.picture.get(10, TimeUnit.SECONDS))
                .doesNotContain("<script>")
                .contains("\\u003cscript");
    }

    @ParameterizedTest
    @DisplayName("G9 F8 only the hosts that are served are answered, and only their own pages")
    @CsvSource({
        "127.0.0.1:PORT,       '',                              true",
        "127.0.0.1:PORT,       http://127.0.0.1:PORT,           true",
        "localhost:PORT,       http://localhost:PORT,           true",
        "LOCALHOST:PORT,       http://localhost:PORT,           true",
        "map.example.org,      https://map.example.org,         true",
        "map.example.org:PORT, '',                              true",
        "evil.example:PORT,    '',                              false",
        "evil.example:PORT,    http://127.0.0.1:PORT,           false",
        "127.0.0.1:PORT,       http://evil.example,             false",
        "127.0.0.1:PORT,       http://evil.example:PORT,        false",
        "evil.example:PORT,    http://evil.example:PORT,        false",
        "evil.example,         http://evil.example,             false",
        "'',                   '',                              false",
        "'',                   http://127.0.0.1:PORT,           false",
        "127.0.0.1:PORT,       http://127.0.0.1,                false",
        "127.0.0.1:PORT,       http://localhost:PORT,           false",
        "127.0.0.1:PORT,       null,                            false",
        "null,                 null,                            false",
        "127.0.0.2:PORT,       '',                              false",
        "10.0.0.1:PORT,        '',                              false",
        "127.0.0.1.evil:PORT,  '',                              false",
        "localhost.evil:PORT,  http://localhost.evil:PORT,      false",
        "localhost:x,          '',                              false",
        "'@127.0.0.1:PORT',    '',                              false",
    })
    void onlyServedHostsAreAnswered(String host, String origin, boolean served) throws IOException {
        String[] headers = headers(host, origin).toArray(String[]::new);
        for (String path : List.of("/", "/map.js", "/webjars/leaflet/1.9.4/dist/leaflet.js")) {
            assertThat(status(path, headers)).as(path).isIn(served ? List.of(200) : REFUSED);
        }
        assertThat(status("/live", headers)).isIn(served ? List.of(101) : REFUSED);
    }

    @Test
    @DisplayName("G9 the name that the operator typed is served, no other")
    void theTypedNameIsServed() throws Exception {
        map.close();
        map = Objects.requireNonNull(WebMap.start("localhost:0", List.of(), roster));
        assertThat(status("/", "Host: localhost")).isEqualTo(200);
        assertThat(status("/", "Host: map.example.org")).isEqualTo(403);
    }

    @Test
    @DisplayName("F8 what a browser sends closes its socket, whatever its size")
    void theSocketOnlyShows() throws Exception {
        Browser small = new Browser();
        connect(small).sendText("hello", true);
        assertThat(small.closed.get(10, TimeUnit.SECONDS)).isEqualTo(1008);
        Browser large = new Browser();
        connect(large).sendText("x".repeat(1 << 20), true);
        assertThat(large.closed.get(10, TimeUnit.SECONDS)).isNotEqualTo(1000);
    }

    @Test
    @DisplayName("F8 sockets over the limit are refused, wherever they come from")
    void theNumberOfSocketsIsLimited() throws Exception {
        List<Browser> browsers = new ArrayList<>();
        for (int i = 0; i < WebMap.MOST_SOCKETS; i++) {
            Browser browser = new Browser();
            connectFrom(i / WebMap.MOST_OF_ADDRESS + 1, browser);
            browsers.add(browser);
        }
        for (Browser browser : browsers) {
            browser.picture.get(10, TimeUnit.SECONDS);
        }
        assertThatThrownBy(() -> connect(new Browser()))
                .hasCauseInstanceOf(WebSocketHandshakeException.class);
    }

    @Test
    @DisplayName("G22 64 idle sockets of one address at once have a few places, and not for long")
    void oneAddressHasFewPlaces() throws Exception {
        List<Browser> idle = new ArrayList<>();
        List<CompletableFuture<?>> handshakes = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            Browser browser = new Browser(true);
            idle.add(browser);
            handshakes.add(
                    http.newWebSocketBuilder()
                            .buildAsync(uri("ws", "/live"), browser)
                            .whenComplete((_, refused) -> {
                                if (refused != null) {
                                    browser.closed.complete(503);
                                }
                            }));
        }
        for (CompletableFuture<?> handshake : handshakes) {
            handshake.exceptionally(_ -> null).get(10, TimeUnit.SECONDS);
        }
        for (Browser browser : idle) {
            CompletableFuture.anyOf(browser.picture, browser.closed).get(10, TimeUnit.SECONDS);
        }
        assertThat(idle.stream().filter(browser -> browser.picture.isDone()))
                .hasSize(WebMap.MOST_OF_ADDRESS);
        Browser other = new Browser();
        connectFrom(1, other);
        other.picture.get(10, TimeUnit.SECONDS);

        passed.addAndGet(TimeUnit.MILLISECONDS.toNanos(WebMap.IDLE_MILLIS / 2));
        other.pictures.drainPermits();
        other.pictures.acquire(2);
        assertThat(idle.stream().filter(browser -> !browser.closed.isDone()))
                .hasSize(WebMap.MOST_OF_ADDRESS);
        passed.addAndGet(TimeUnit.MILLISECONDS.toNanos(WebMap.IDLE_MILLIS / 2 + 1));
        for (Browser browser : idle) {
            browser.closed.get(10, TimeUnit.SECONDS);
        }
        other.pictures.drainPermits();
        other.pictures.acquire(2);
        Browser again = new Browser();
        connect(again);
        again.picture.get(10, TimeUnit.SECONDS);
        assertThat(other.closed).isNotDone();
    }

    @Test
    @DisplayName("F8 what is said to be seen before it was shown closes the socket")
    void nobodySeesAhead() throws Exception {
        Browser browser = new Browser(true);
        WebSocket socket = connect(browser);
        browser.picture.get(10, TimeUnit.SECONDS);
        while (!browser.closed.isDone()) {
            socket.sendText("seen", true).exceptionally(_ -> socket).get(10, TimeUnit.SECONDS);
        }
        assertThat(browser.closed.get(10, TimeUnit.SECONDS)).isEqualTo(1008);
    }

    @Test
    void aPortInUseIsOneClearLine() {
        assertThatThrownBy(() ->
                        WebMap.start(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), map.port()),
                                new WebHosts(List.of()),
                                roster,
                                System::nanoTime))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("cannot open the web map on")
                .hasMessageContaining(":" + map.port());
    }
}
