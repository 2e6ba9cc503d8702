package dev.wishdir.app.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;

import dev.wishdir.app.Shell;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.motion.Movement;
import dev.wishdir.record.file.EventCursor;
import dev.wishdir.record.file.Recording;
import dev.wishdir.record.file.RecordingGenerator;
import dev.wishdir.record.file.RecordingInfo;
import dev.wishdir.record.file.RecordingWriter;
import dev.wishdir.record.message.RecordingOptions;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

@Tag("slow")
class ReportCommandTest {
    @TempDir Path folder;

    private String report(Path file) throws IOException {
        Path html = folder.resolve("report.html");
        Shell.Run run = new Shell().run("report", file.toString(), "--html", html.toString());
        try (Recording recording = Recording.open(file)) {
            assertThat(run.err())
                    .isEqualTo(
                            recording.arenaText().isPresent()
                                    ? ""
                                    : String.valueOf(file.getFileName()).replace(".mcap", "")
                                            + ": the page has no picture: no arena is attached,"
                                            + " and no level is named\n");
        }
        assertThat(run.status()).isZero();
        return Files.readString(html);
    }

    private static JsonObject data(String html) {
        String begin = "<script id=\"data\" type=\"application/json\">";
        int start = html.indexOf(begin) + begin.length();
        return JsonParser.parseString(html.substring(start, html.indexOf("</script>", start)))
                .getAsJsonObject();
    }

    @Test
    void showsWhatRecordingHas() throws IOException {
        Path file = folder.resolve("match.mcap");
        RecordingGenerator.write(file, 21, 20, 60_000);
        long movements = 0;
        int violations = 0;
        try (Recording recording = Recording.open(file)) {
            EventCursor events = recording.events();
            while (events.next()) {
                movements += events.event() instanceof ArenaEvent.Moved ? 1 : 0;
                violations += events.event() instanceof ArenaEvent.MovementViolation ? 1 : 0;
            }
        }
        String html = report(file);
        JsonObject data = data(html);
        assertThat(data.get("movements").getAsLong()).isEqualTo(movements);
        assertThat(data.get("picture").getAsString()).startsWith("data:image/png;base64,");
        assertThat(data.get("violationCount").getAsInt()).isEqualTo(violations).isPositive();
        JsonArray incidents = data.getAsJsonArray("violations");
        assertThat(incidents.size()).isEqualTo(violations);
        JsonObject incident = incidents.get(0).getAsJsonObject();
        JsonArray around = incident.getAsJsonArray("points");
        double at = incident.get("seconds").getAsDouble();
        assertThat(around.size()).isBetween(20, 90);
        assertThat(around.get(0).getAsJsonArray().get(0).getAsDouble())
                .isEqualTo(at - 1, within(0.1));
        assertThat(around.get(around.size() - 1).getAsJsonArray().get(0).getAsDouble())
                .isEqualTo(at + 1, within(0.1));
        assertConnections(file, data);
        long heat = 0;
        for (JsonElement square : data.getAsJsonArray("heat")) {
            heat += square.getAsJsonArray().get(2).getAsLong();
        }
        assertThat(heat).isEqualTo(movements);
        assertThat(data.getAsJsonObject("speeds").keySet())
                .containsExactly("bedrock", "quake2", "quake3", "sauerbraten");
        assertThat(data.getAsJsonArray("pairs").size()).isPositive();
        assertThat(html.replace("http://www.w3.org/2000/svg", ""))
                .doesNotContain("http://", "https://")
                .contains("default-src 'none'");
    }

    @Test
    void showsProofsOfPlayers() throws IOException {
        Path file = ExportCommandTest.recordProofs(folder.resolve("proofs.mcap"));
        assertThat(data(report(file)).getAsJsonArray("players"))
                .extracting(player -> player.getAsJsonObject().get("proof").getAsString())
                .containsExactly("key ada@example.org", "account", "");
    }

    /** The counts at the middle and the end are those of the recording. */
    private static void assertConnections(Path file, JsonObject data) throws IOException {
        try (Recording recording = Recording.open(file)) {
            long half = (recording.endNanos() - recording.startNanos()) / 2;
            for (long elapsed : new long[] {half, 2 * half}) {
                Map<String, Integer> players = new TreeMap<>();
                recording
                        .stateAt(recording.startNanos() + elapsed)
                        .players()
                        .values()
                        .forEach(player -> players.merge(player.game(), 1, Integer::sum));
                data.getAsJsonObject("connections")
                        .asMap()
                        .forEach((game, points) -> {
                            int count = 0;
                            for (JsonElement point : points.getAsJsonArray()) {
                                JsonArray at = point.getAsJsonArray();
                                if (at.get(0).getAsDouble() <= elapsed / 1e9 + 0.0005) {
                                    count = at.get(1).getAsInt();
                                }
                            }
                            assertThat(count).isEqualTo(players.getOrDefault(game, 0));
                        });
                assertThat(data.getAsJsonObject("connections").keySet())
                        .containsAll(players.keySet());
            }
        }
    }

    @Test
    void keepsMarkupOfPlayersAsText() throws IOException {
        Path file = folder.resolve("hostile.mcap");
        RecordingInfo info = new RecordingInfo("test", "", "", Instant.EPOCH);
        String name = "</script><script>x()";
        try (RecordingWriter writer =
                RecordingWriter.create(file, info, Optional.empty(), RecordingOptions.DEFAULT)) {
            Player player =
                    new Player(
                            new PlayerId(0, 1),
                            "quake2",
                            name,
                            1,
                            0,
                            true,
                            Movement.ORIGIN,
                            NativeMovement.Stored.NONE);
            writer.onEvent(new ArenaEvent.Joined(1, player));
            writer.onEvent(new ArenaEvent.Moved(1000, player, Movement.ORIGIN));
        }
        String html = report(file);
        assertThat(html).doesNotContain(name);
        assertThat(data(html).getAsJsonArray("players").get(0).getAsJsonObject().get("name"))
                .isEqualTo(new JsonPrimitive(name));
        assertThat(data(html).get("picture").getAsString()).isEmpty();
    }

    private static Player player(int number, Movement movement) {
        return new Player(
                new PlayerId(0, number),
                "sauerbraten",
                "p" + number,
                1,
                0,
                true,
                movement,
                NativeMovement.Stored.NONE);
    }

    @Test
    @Timeout(30)
    @DisplayName("M12 a report of 200,000 movements and violations at one time takes seconds")
    void readsManyMovementsOfOneTime() throws IOException {
        Path file = folder.resolve("one-time.mcap");
        RecordingInfo info = new RecordingInfo("test", "", "", Instant.EPOCH);
        int count = 200_000;
        try (RecordingWriter writer =
                RecordingWriter.create(file, info, Optional.empty(), RecordingOptions.DEFAULT)) {
            writer.onEvent(new ArenaEvent.Joined(1000, player(1, Movement.ORIGIN)));
            for (int i = 0; i < count; i++) {
                Player player = player(1, Movement.ORIGIN);
                writer.onEvent(new ArenaEvent.Moved(1000, player, Movement.ORIGIN));
                writer.onEvent(
                        new ArenaEvent.MovementViolation(
                                1000, player, ViolationRule.DISTANCE, 9, 5, 1));
            }
        }
        JsonObject data = data(report(file));
        assertThat(data.get("movements").getAsInt()).isEqualTo(count);
        assertThat(data.get("violationCount").getAsInt()).isEqualTo(count);
        Shell.Run judged = new Shell().run("judge", file.toString());
        assertThat(judged.status()).isZero();
        assertThat(judged.out()).contains("0 now, " + count + " then");
    }

    @Test
    @DisplayName("M12 a report keeps a bounded number of players, points and pairs")
    void boundsPlayersOfReport() throws IOException {
        ReportData report = new ReportData(List.of());
        Path file = folder.resolve("crowd.mcap");
        RecordingInfo info = new RecordingInfo("test", "", "", Instant.EPOCH);
        try (RecordingWriter writer =
                RecordingWriter.create(file, info, Optional.empty(), RecordingOptions.DEFAULT)) {
            for (int i = 1; i <= 6_000; i++) {
                Player player = player(i, Movement.ORIGIN);
                long time = i * 1_000_000L;
                writer.onEvent(new ArenaEvent.Joined(time, player));
                for (int j = 0; j < 10; j++) {
                    writer.onEvent(new ArenaEvent.Spawned(time, player, Movement.ORIGIN));
                }
                writer.onEvent(new ArenaEvent.Moved(time, player, Movement.ORIGIN));
            }
        }
        try (Recording recording = Recording.open(file)) {
            report.read("crowd", recording, recording.events(), Optional.empty());
        }
        JsonObject data = data(report.html());
        assertThat(data.get("movements").getAsInt()).isEqualTo(6_000);
        assertThat(data.getAsJsonArray("players").size()).isEqualTo(5_000);
        assertThat(data.get("unlistedMovements").getAsInt()).isEqualTo(1_000);
        assertThat(data.getAsJsonArray("pairs").size()).isEqualTo(20);
        for (JsonElement each : data.getAsJsonArray("players")) {
            assertThat(each.getAsJsonObject().getAsJsonArray("track").size()).isEqualTo(1);
        }
    }

    @Test
    void replacesOnlyAnHtmlFile() throws IOException {
        Path file = folder.resolve("match.mcap");
        RecordingGenerator.write(file, 1, 2, 1_000);
        byte[] before = Files.readAllBytes(file);
        Shell.Run run = new Shell().run("report", file.toString(), "--html", file.toString());
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("another kind of file, which is not replaced");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        assertThat(report(file)).isNotEmpty();
        assertThat(report(file)).isNotEmpty();
    }
}
