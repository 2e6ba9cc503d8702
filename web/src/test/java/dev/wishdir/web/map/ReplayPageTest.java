package dev.wishdir.web.map;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.WeaponNames;
import dev.wishdir.record.file.EventCursor;
import dev.wishdir.record.file.Recording;
import dev.wishdir.record.file.RecordingGenerator;
import dev.wishdir.web.WebHosts;
import dev.wishdir.web.WebServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

@Timeout(120)
@Tag("slow")
class ReplayPageTest {
    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir private Path folder = Path.of("");
    private Path file = Path.of("");
    private WebServer server;

    @BeforeEach
    void start() throws IOException {
        file = folder.resolve("match \"of\" day.mcap");
        RecordingGenerator.write(file, 1, 20, 60_000);
        server =
                WebServer.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        new WebHosts(List.of()),
                        List.of(
                                new ReplayPage(
                                        file,
                                        String.valueOf(file.getFileName()),
                                        Optional.of(RecordingGenerator.ARENA),
                                        "It was cut.",
                                        WeaponNames.MEANS)));
    }

    @AfterEach
    void stop() {
        server.close();
        http.close();
    }

    private HttpResponse<byte[]> get(String path) throws Exception {
        return http.send(
                HttpRequest.newBuilder(URI.create(server.url() + path)).build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }

    private JsonElement json(String path) throws Exception {
        return JsonParser.parseString(new String(get(path).body(), StandardCharsets.UTF_8));
    }

    private static List<ArenaEvent> events(Path recorded, long from, long to) throws IOException {
        List<ArenaEvent> events = new ArrayList<>();
        try (Recording recording = Recording.open(recorded)) {
            EventCursor cursor = recording.events(from, to);
            while (cursor.next()) {
                events.add(cursor.event());
            }
        }
        return events;
    }

    @Test
    void servesPageThatMayDecompressAndFetch() throws Exception {
        HttpResponse<byte[]> page = get("replay.html");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "script-src 'self' 'wasm-unsafe-eval';", "https:")
                .doesNotContain("'unsafe-");
        assertThat(get("").headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("script-src 'self';", "connect-src 'self';")
                .doesNotContain("unsafe");
        JsonObject info = json("replay/info").getAsJsonObject();
        assertThat(info.get("file").getAsString()).isEqualTo("match \"of\" day.mcap");
        assertThat(info.get("scene").getAsString()).isEqualTo("hall");
        assertThat(info.get("notice").getAsString()).isEqualTo("It was cut.");
        assertThat(get("replay/scene").body()).isEqualTo(Mesh.of(RecordingGenerator.ARENA));
        assertThat(get("replay/recording").body()).isEqualTo(Files.readAllBytes(file));
    }

    @Test
    void leadsRootToReplay() throws Exception {
        HttpResponse<byte[]> root = get("");
        assertThat(root.statusCode()).isEqualTo(302);
        assertThat(root.headers().firstValue("Location").orElseThrow()).endsWith("replay.html");
    }

    @Test
    void listsMarksOfWholeRecording() throws Exception {
        long start;
        try (Recording recording = Recording.open(file)) {
            start = recording.startNanos();
        }
        List<ArenaEvent> marked =
                events(file, 0, Long.MAX_VALUE).stream()
                        .filter(it ->
                                !(it instanceof ArenaEvent.Moved
                                        || it instanceof ArenaEvent.Spawned
                                        || it instanceof ArenaEvent.Teleported))
                        .toList();
        JsonArray marks = json("replay/marks").getAsJsonObject().getAsJsonArray("marks");
        assertThat(marks.size()).isEqualTo(marked.size()).isGreaterThan(20);
        int said = 0;
        for (int i = 0; i < marks.size(); i++) {
            JsonArray mark = marks.get(i).getAsJsonArray();
            assertThat(mark.get(0).getAsDouble()).isEqualTo((marked.get(i).time() - start) / 1e6);
            if (marked.get(i) instanceof ArenaEvent.Chat(long _, var player, String text)) {
                said++;
                assertThat(mark.get(1).getAsString()).isEqualTo("chat");
                assertThat(mark.get(3).getAsString()).isEqualTo(player.name());
                assertThat(mark.get(4).getAsString()).isEqualTo(text);
            }
        }
        assertThat(said).isPositive();
    }

    @Test
    void sendsClipOfRange() throws Exception {
        long start;
        try (Recording recording = Recording.open(file)) {
            start = recording.startNanos();
        }
        long from = start + 7_000_000_000L;
        long to = from + 5_000_000_000L;
        HttpResponse<byte[]> clip = get("replay/clip?from=" + from + "&to=" + to);
        assertThat(clip.statusCode()).isEqualTo(200);
        assertThat(clip.headers().firstValue("Content-Disposition").orElseThrow())
                .matches("attachment; filename=\"match__of__day-clip-\\d+\\.mcap\"");
        Path saved = Files.write(folder.resolve("clip.mcap"), clip.body());
        assertThat(events(saved, 0, Long.MAX_VALUE))
                .hasSizeGreaterThan(1000)
                .isEqualTo(events(file, from, to));
    }

    @Test
    void refusesClipsOfWrongTimes() throws Exception {
        for (String query :
                List.of(
                        "",
                        "?from=1",
                        "?from=a&to=b",
                        "?from=-1&to=5",
                        "?from=5&to=99999999999999999999",
                        "?from=5&to=5",
                        "?from=9000000000000000000&to=9100000000000000000")) {
            assertThat(get("replay/clip" + query).statusCode()).as(query).isEqualTo(400);
        }
    }
}
