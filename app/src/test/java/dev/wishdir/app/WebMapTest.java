package dev.wishdir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.Viewer;
import dev.wishdir.game.SilentViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.world.BoxArena;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

@Timeout(60)
class WebMapTest {
    private static final String SCRIPT = "<script>alert(1)</script>";

    private final Roster roster = new Roster();
    private final HttpClient http = HttpClient.newHttpClient();
    private WebMap map;

    /** The first picture, and how the socket was closed. */
    private static final class Browser implements WebSocket.Listener {
        final CompletableFuture<String> picture = new CompletableFuture<>();
        final CompletableFuture<Integer> closed = new CompletableFuture<>();
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                picture.complete(text.toString());
                text.setLength(0);
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
        Arena arena = new Arena(BoxArena.BOUNDS, 8);
        arena.observe(roster);
        Viewer blind = new SilentViewer();
        Player walker = arena.join(0, "quake2", SCRIPT, blind);
        arena.spawn(0, walker, Movement.at(new Vec3(1, 2, 3), 90));
        arena.join(0, "bedrock", "watching", blind);
        map =
                WebMap.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        roster,
                        BoxArena.BOUNDS);
    }

    @AfterEach
    void close() {
        map.close();
        http.shutdownNow();
    }

    private URI uri(String scheme, String path) {
        return URI.create(scheme + "://127.0.0.1:" + map.port() + path);
    }

    private WebSocket connect(Browser browser, String... headers) {
        WebSocket.Builder builder = http.newWebSocketBuilder();
        for (int i = 0; i < headers.length; i += 2) {
            builder.header(headers[i], headers[i + 1]);
        }
        return builder.buildAsync(uri("ws", "/live"), browser).join();
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

    @Test
    @DisplayName("F8 pages of other sites are refused")
    void otherOriginsAreRefused() {
        assertThatThrownBy(() -> connect(new Browser(), "Origin", "http://evil.example"))
                .hasCauseInstanceOf(WebSocketHandshakeException.class);
        connect(new Browser(), "Origin", "http://127.0.0.1:" + map.port());
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
    @DisplayName("F8 sockets over the limit are refused")
    void theNumberOfSocketsIsLimited() throws Exception {
        List<Browser> browsers = new ArrayList<>();
        for (int i = 0; i < WebMap.MOST_SOCKETS; i++) {
            Browser browser = new Browser();
            connect(browser);
            browsers.add(browser);
        }
        for (Browser browser : browsers) {
            browser.picture.get(10, TimeUnit.SECONDS);
        }
        assertThatThrownBy(() -> connect(new Browser()))
                .hasCauseInstanceOf(WebSocketHandshakeException.class);
    }

    @Test
    void aPortInUseIsOneClearLine() {
        assertThatThrownBy(() ->
                        WebMap.start(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), map.port()),
                                roster,
                                BoxArena.BOUNDS))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("cannot open the web map on")
                .hasMessageContaining(":" + map.port());
    }
}
