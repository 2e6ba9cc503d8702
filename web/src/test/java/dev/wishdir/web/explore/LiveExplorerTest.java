package dev.wishdir.web.explore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.net.simulation.LinkCounters;
import dev.wishdir.web.WebHosts;
import dev.wishdir.web.WebServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The requests of the page of a running session. */
@Timeout(60)
class LiveExplorerTest {
    /** Accepts lines with {@code loss}. */
    private static final class Control implements LiveControl {
        final List<String> lines = new ArrayList<>();
        boolean ended;

        @Override
        public State state() {
            if (ended) {
                throw new IllegalStateException("ended");
            }
            double loss = lines.isEmpty() ? 0 : 5;
            return new State(
                    List.of(new FaultRange("loss", 100, "percent")),
                    Map.of("loss", loss),
                    Map.of("loss", 0.0),
                    new LinkCounters(10, 1, 0, 0, 0),
                    LinkCounters.ZERO,
                    2,
                    3);
        }

        @Override
        public synchronized State change(String line) {
            if (!line.contains("loss")) {
                throw new IllegalArgumentException("'" + line + "' is not FAULT=NUMBER");
            }
            lines.add(line);
            return state();
        }
    }

    private final HttpClient http = HttpClient.newHttpClient();
    private final LiveIndex index =
            new LiveIndex("golf", LiveIndex.MIN_MAX_BYTES, MovementSource.Factory.NONE);
    private final GolfSession session = new GolfSession(index, 100);
    private final Control control = new Control();
    private WebServer server;

    @BeforeEach
    void start() throws IOException {
        server =
                WebServer.start(
                        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0),
                        new WebHosts(List.of()),
                        List.of(new Explorer(index, control)));
    }

    @AfterEach
    void stop() {
        server.close();
        http.close();
    }

    private HttpResponse<String> get(String path) throws Exception {
        return http.send(
                HttpRequest.newBuilder(URI.create(server.url() + "explore/" + path)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private JsonObject json(String path) throws Exception {
        HttpResponse<String> answer = get(path);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JsonParser.parseString(answer.body()).getAsJsonObject();
    }

    private HttpResponse<String> change(String line, String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(server.url() + "explore/faults"))
                        .POST(HttpRequest.BodyPublishers.ofString(line));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void answersWithNewestLines() throws Exception {
        session.play(300);
        JsonObject last = json("rows?last=10&name=putt");
        assertThat(last.get("total").getAsLong()).isEqualTo(300);
        assertThat(last.get("from").getAsLong()).isEqualTo(290);
        JsonArray rows = last.getAsJsonArray("rows");
        assertThat(rows).hasSize(10);
        long row = rows.get(9).getAsJsonObject().get("row").getAsLong();
        assertThat(row).isEqualTo(599);
        assertThat(last.get("next").getAsLong()).isEqualTo(600);
        JsonObject linked = json("rows?from=0&count=1&name=putt&at=" + row);
        assertThat(linked.get("at").getAsLong()).isEqualTo(299);
        JsonObject paused = json("rows?last=500&name=putt&until=590");
        assertThat(paused.get("total").getAsLong()).isLessThan(300);
        assertThat(json("detail?row=" + row).get("name").getAsString()).isEqualTo("putt");
        assertThat(get("detail?row=600").statusCode()).isEqualTo(404);
        JsonObject summary = json("summary");
        assertThat(summary.get("live").getAsBoolean()).isTrue();
        assertThat(summary.get("datagrams").getAsBoolean()).isTrue();
        assertThat(summary.getAsJsonArray("flows")).hasSize(2);
    }

    @Test
    void showsExplorerInsteadOfMap() throws Exception {
        HttpResponse<String> start =
                http.send(
                        HttpRequest.newBuilder(URI.create(server.url())).build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(start.statusCode()).isEqualTo(302);
        assertThat(start.headers().firstValue("Location").orElseThrow()).endsWith("explore/");
        assertThat(get("").body()).contains("Follow the end");
    }

    @Test
    void exportsFoundLines() throws Exception {
        session.play(300);
        HttpResponse<String> lines = get("export/jsonl?name=ball&player=4001");
        assertThat(lines.headers().firstValue("Content-Disposition"))
                .hasValue("attachment; filename=\"wishdir.jsonl\"");
        assertThat(lines.headers().firstValue("Content-Type")).hasValue("application/x-ndjson");
        assertThat(lines.body().lines()).hasSize(150);
        assertThat(get("export/csv?until=5").body().split("\r\n")).hasSize(6);
        assertThat(get("export/pcap").statusCode()).isEqualTo(200);
        assertThat(get("export/xml").statusCode()).isEqualTo(404);
    }

    @Test
    void changesFaults() throws Exception {
        assertThat(json("faults").getAsJsonObject("up").get("loss").getAsInt()).isZero();
        HttpResponse<String> changed = change("up loss=5", "Origin", origin());
        assertThat(changed.statusCode()).isEqualTo(200);
        assertThat(control.lines).containsExactly("up loss=5");
        assertThat(json("faults").getAsJsonObject("up").get("loss").getAsInt()).isEqualTo(5);
        HttpResponse<String> wrong = change("speed=5");
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body()).contains("'speed=5' is not FAULT=NUMBER");
        control.ended = true;
        assertThat(get("faults").statusCode()).isEqualTo(503);
    }

    private String origin() {
        return server.url().replaceFirst("/$", "");
    }

    @Test
    @DisplayName("P10: a page of another origin, or a name that points here, changes faults")
    void refusesForeignOrigins() throws Exception {
        for (String foreign :
                List.of(
                        "http://example.org",
                        "null",
                        origin().replace("127.0.0.1", "localhost"),
                        "http://127.0.0.1:1")) {
            assertThat(change("loss=5", "Origin", foreign).statusCode()).as(foreign).isEqualTo(403);
        }
        String rebound = raw("POST /explore/faults HTTP/1.1", "Host: evil.example", "loss=5");
        assertThat(rebound).startsWith("HTTP/1.1 403");
        assertThat(raw("GET /explore/rows?last=5 HTTP/1.1", "Host: evil.example", ""))
                .startsWith("HTTP/1.1 403");
        assertThat(control.lines).isEmpty();
    }

    /** The answer to a request as it stands. */
    private String raw(String request, String host, String body) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            String all =
                    String.join(
                            "\r\n",
                            request,
                            host,
                            "Connection: close",
                            "Content-Length: " + body.length(),
                            "",
                            body);
            socket.getOutputStream().write(all.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    @DisplayName("P10: long and malformed requests")
    void refusesMalformedRequests() throws Exception {
        session.play(10);
        String longText = "x".repeat(300);
        for (String request :
                List.of(
                        "rows?from=-1",
                        "rows?from=x",
                        "rows?last=99999999999999999999",
                        "rows?field=" + longText,
                        "export/csv?name=" + longText,
                        "rows?last=5&until=-4",
                        "ways?since=now",
                        "detail?row=1e3")) {
            assertThat(get(request).statusCode()).as(request).isEqualTo(400);
        }
        assertThat(get("rows?field=" + "x".repeat(4000)).statusCode()).isEqualTo(400);
        assertThat(change("loss=5 ".repeat(100)).statusCode()).isEqualTo(400);
        assertThat(control.lines).isEmpty();
        assertThat(json("rows?from=9000000000000000000&count=9000000000000000000"))
                .satisfies(rows -> assertThat(rows.getAsJsonArray("rows")).isEmpty());
        assertThat(json("rows?last=9000000000000000000").getAsJsonArray("rows")).hasSize(19);
    }

    @Test
    @DisplayName("P10: browsers that open many connections: others are answered, lines are added")
    void answersDespiteManyConnections() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 300; i++) {
                sockets.add(new Socket(InetAddress.getLoopbackAddress(), server.port()));
            }
            session.play(100);
            assertThat(json("rows?last=1").get("total").getAsLong()).isEqualTo(session.lines());
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void hasNoFaultsOfCaptures() throws Exception {
        CaptureIndex empty = CaptureIndex.open(MovementSource.Factory.NONE);
        empty.finish();
        try (WebServer files =
                WebServer.start(
                        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0),
                        new WebHosts(List.of()),
                        List.of(new Explorer(empty)))) {
            for (String path : List.of("explore/faults", "explore/export/pcap")) {
                HttpResponse<String> answer =
                        http.send(
                                HttpRequest.newBuilder(URI.create(files.url() + path)).build(),
                                HttpResponse.BodyHandlers.ofString());
                assertThat(answer.statusCode()).as(path).isEqualTo(404);
            }
        }
    }
}
