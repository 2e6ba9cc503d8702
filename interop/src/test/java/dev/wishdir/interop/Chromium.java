package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import javax.imageio.ImageIO;

/** A Chromium without a screen, which draws with its own software, driven by its DevTools. */
final class Chromium implements AutoCloseable {
    private static final Path PROGRAM = Path.of("/usr/bin/chromium");
    private static final Duration SOON = Duration.ofMinutes(2);

    /** What a console says of a fault. */
    private static final Set<String> FAULTS = Set.of("error", "warning", "assert");

    private final Gson gson = new Gson();
    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<Integer, CompletableFuture<JsonObject>> asked = new ConcurrentHashMap<>();
    private final AtomicInteger number = new AtomicInteger();

    /**
     * What a page's scripts threw, promises that were rejected, errors and warnings of its console,
     * and what a browser finds wrong, as a refused request.
     */
    private final List<String> complaints = new CopyOnWriteArrayList<>();

    private final Peer process;
    private final WebSocket socket;

    private final class Answers implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                take(JsonParser.parseString(text.toString()).getAsJsonObject());
                text.setLength(0);
            }
            return WebSocket.Listener.super.onText(from, data, last);
        }
    }

    /** Is there one? */
    static void need() {
        Peer.need("chromium", PROGRAM);
    }

    /** Starts with one empty page. */
    Chromium(Path directory) throws IOException, InterruptedException {
        process =
                Peer.start(
                        directory,
                        Map.of(),
                        PROGRAM.toString(),
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--hide-scrollbars",
                        "--use-angle=swiftshader",
                        "--enable-unsafe-swiftshader",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + directory,
                        "about:blank");
        URI browser =
                URI.create(
                        process.awaitLine("DevTools listening on ws", SOON)
                                .replaceFirst(".* on ", ""));
        URI list = URI.create("http://" + browser.getAuthority() + "/json");
        String pages =
                http.send(
                                HttpRequest.newBuilder(list).build(),
                                HttpResponse.BodyHandlers.ofString())
                        .body();
        URI page =
                JsonParser.parseString(pages).getAsJsonArray().asList().stream()
                        .map(JsonElement::getAsJsonObject)
                        .filter(each -> each.get("type").getAsString().equals("page"))
                        .map(each -> URI.create(each.get("webSocketDebuggerUrl").getAsString()))
                        .findFirst()
                        .orElseThrow();
        socket = http.newWebSocketBuilder().buildAsync(page, new Answers()).join();
        call("Runtime.enable", Map.of());
        call("Log.enable", Map.of());
        call("Page.enable", Map.of());
    }

    private void take(JsonObject message) {
        if (message.has("id")) {
            CompletableFuture<JsonObject> answer = asked.remove(message.get("id").getAsInt());
            if (answer != null) {
                answer.complete(message);
            }
            return;
        }
        String method = message.get("method").getAsString();
        JsonObject parameters = message.getAsJsonObject("params");
        if (method.equals("Runtime.exceptionThrown")
                || method.equals("Log.entryAdded")
                || method.equals("Runtime.consoleAPICalled")
                        && FAULTS.contains(parameters.get("type").getAsString())) {
            complaints.add(parameters.toString());
        }
    }

    /**
     * Fails if anything is wrong with the pages so far.
     *
     * @param allowed parts of what may be wrong
     */
    void checkComplaints(String... allowed) {
        assertThat(complaints)
                .allMatch(line -> Stream.of(allowed).anyMatch(line::contains), "is allowed");
    }

    JsonObject call(String method, Map<String, ?> parameters) {
        int id = number.incrementAndGet();
        CompletableFuture<JsonObject> answer = new CompletableFuture<>();
        asked.put(id, answer);
        socket.sendText(gson.toJson(Map.of("id", id, "method", method, "params", parameters)), true)
                .join();
        JsonObject message = answer.orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join();
        assertThat(message.has("error")).as(message.toString()).isFalse();
        return message.getAsJsonObject("result");
    }

    void size(int width, int height) {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of(
                        "width",
                        width,
                        "height",
                        height,
                        "deviceScaleFactor",
                        1,
                        "mobile",
                        width < height));
    }

    /** Whether it likes pages {@code dark} or {@code light}. */
    void prefers(String scheme) {
        call(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    void open(String url) {
        call("Page.navigate", Map.of("url", url));
    }

    /** The value of an expression in the page. */
    JsonElement value(String expression) {
        JsonObject answer =
                call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true));
        assertThat(answer.has("exceptionDetails")).as(expression + ": " + answer).isFalse();
        JsonElement value = answer.getAsJsonObject("result").get("value");
        return value == null ? JsonNull.INSTANCE : value;
    }

    /** Waits until an expression is true; one that can't be evaluated yet is not. */
    void await(String expression) {
        Peer.await(
                () ->
                        expression
                                + ", in a page of state "
                                + value("window.wishdir?.state + ', time ' + window.wishdir?.time")
                                + " with complaints "
                                + complaints,
                SOON,
                () -> isTrue(expression));
    }

    private boolean isTrue(String expression) {
        String guarded =
                "(() => { try { return !!(" + expression + "); } catch { return false; } })()";
        return value(guarded).getAsBoolean();
    }

    /** Waits until what was asked for is drawn; a map leaves out frames while the GPU is busy. */
    void awaitNextFrame() {
        value(
                "window.painted = 0, window.updated = window.wishdir?.updates,"
                    + " requestAnimationFrame(() => requestAnimationFrame(() => window.painted ="
                    + " 1))");
        await("window.painted === 1 && !(window.wishdir?.updates <= window.updated)");
    }

    void press(String selector) {
        value("document.querySelector('" + selector + "').click()");
    }

    /** Presses and lets go a key, on what has the focus. */
    void key(String code, String key) {
        for (String type : List.of("keyDown", "keyUp")) {
            call("Input.dispatchKeyEvent", Map.of("type", type, "code", code, "key", key));
        }
    }

    BufferedImage picture(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        String data =
                call("Page.captureScreenshot", Map.of("format", "png")).get("data").getAsString();
        byte[] png = Base64.getDecoder().decode(data);
        Files.write(file, png);
        return ImageIO.read(new ByteArrayInputStream(png));
    }

    @Override
    public void close() {
        socket.abort();
        http.shutdownNow();
        process.close();
    }
}
