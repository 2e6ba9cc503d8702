package dev.wishdir.app.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.app.Shell;
import dev.wishdir.app.command.Games;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.FlagCause;
import dev.wishdir.arena.event.FlagChange;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.arena.event.RoundEndReason;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.file.EventCursor;
import dev.wishdir.record.file.Recording;
import dev.wishdir.record.file.RecordingGenerator;
import dev.wishdir.record.file.RecordingInfo;
import dev.wishdir.record.file.RecordingWriter;
import dev.wishdir.record.message.RecordingOptions;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

@Tag("slow")
class ExportCommandTest {
    private static final long START = 1_764_100_800_123_456_000L;
    private static final String HOSTILE = "=cmd|' /C calc'!A0,\"x\"\r\n\u0001\t\u2028é😀";

    @TempDir Path folder;

    /** Fields as RFC 4180 has them; null for an empty field without quotes. */
    static List<List<String>> parseCsv(String text) {
        List<List<String>> rows = new ArrayList<>();
        List<String> row = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            StringBuilder field = new StringBuilder();
            boolean quoted = text.charAt(at) == '"';
            if (quoted) {
                at++;
                while (text.charAt(at) != '"' || text.startsWith("\"\"", at)) {
                    at += text.charAt(at) == '"' ? 1 : 0;
                    field.append(text.charAt(at++));
                }
                at++;
            } else {
                while (text.charAt(at) != ',' && text.charAt(at) != '\r') {
                    assertThat(text.charAt(at)).isNotIn('"', '\n');
                    field.append(text.charAt(at++));
                }
            }
            row.add(quoted || !field.isEmpty() ? field.toString() : "none");
            if (text.charAt(at) == ',') {
                at++;
            } else {
                assertThat(text.startsWith("\r\n", at)).isTrue();
                at += 2;
                rows.add(row);
                row = new ArrayList<>();
            }
        }
        assertThat(row).isEmpty();
        return rows;
    }

    /** The rows of a table, by the names of the first line. */
    private static List<Map<String, String>> csv(Path folder, String table) throws IOException {
        List<List<String>> rows = parseCsv(Files.readString(folder.resolve(table + ".csv")));
        List<Map<String, String>> named = new ArrayList<>();
        for (List<String> row : rows.subList(1, rows.size())) {
            assertThat(row).hasSameSizeAs(rows.getFirst());
            Map<String, String> fields = new LinkedHashMap<>();
            for (int i = 0; i < row.size(); i++) {
                fields.put(rows.getFirst().get(i), row.get(i));
            }
            named.add(fields);
        }
        return named;
    }

    private static Player player(int number, String name, boolean spawned) {
        return new Player(
                new PlayerId(0, number),
                "quake3",
                name,
                START,
                number == 1 ? 42 : 0,
                spawned,
                Movement.at(new Vec3(1.5, -2, 0.25), 90),
                NativeMovement.Stored.NONE);
    }

    private Path record(String file) throws IOException {
        Path path = folder.resolve(file);
        RecordingInfo info = new RecordingInfo("test", "", "hall", Instant.ofEpochSecond(0, START));
        try (RecordingWriter writer =
                RecordingWriter.create(path, info, Optional.empty(), RecordingOptions.DEFAULT)) {
            Player first = player(1, "a,\"b\"", true);
            Player second = player(2, "=1+1", false);
            writer.onEvent(new ArenaEvent.Joined(START, player(1, "a,\"b\"", false)));
            writer.onEvent(new ArenaEvent.Spawned(START, first, first.movement()));
            writer.onEvent(new ArenaEvent.Joined(START + 1_000_000, second));
            for (int i = 1; i <= 20; i++) {
                writer.onEvent(
                        new ArenaEvent.Moved(START + i * 100_000_000L, first, first.movement()));
            }
            long end = START + 2_500_000_000L;
            writer.onEvent(new ArenaEvent.Chat(end, second, HOSTILE));
            writer.onEvent(
                    new ArenaEvent.MovementViolation(
                            end, first, ViolationRule.DISTANCE, 3.5, 1.25, 0.5));
            writer.onEvent(new ArenaEvent.Teleported(end, first, first.movement()));
            writer.onEvent(new ArenaEvent.Moved(end, first, first.movement()));
            writer.onEvent(new ArenaEvent.Left(end, second, LeaveReason.TIMED_OUT));
        }
        return path;
    }

    /** A recording of three players: the second kills the first by two hits, and hits itself. */
    static Path recordHits(Path file) throws IOException {
        RecordingInfo info = new RecordingInfo("test", "", "hall", Instant.ofEpochSecond(0, START));
        try (RecordingWriter writer =
                RecordingWriter.create(file, info, Optional.empty(), RecordingOptions.DEFAULT)) {
            Player victim = player(1, "victim", true);
            Player attacker = player(2, "attacker", true);
            for (Player player : List.of(victim, attacker, player(3, "other", true))) {
                writer.onEvent(new ArenaEvent.Joined(START, player));
                writer.onEvent(new ArenaEvent.Spawned(START, player, player.movement()));
            }
            writer.onEvent(
                    new ArenaEvent.Hit(
                            START + 500_000_000,
                            victim,
                            attacker,
                            DamageMeans.ROCKET,
                            80,
                            new Vec3(1, -2, 3),
                            new Vec3(1.5, -2, 1),
                            new Vitals(20, 5, 0.5)));
            writer.onEvent(
                    new ArenaEvent.Hit(
                            START + 700_000_000,
                            victim,
                            attacker,
                            DamageMeans.ROCKET,
                            40.5,
                            Vec3.ZERO,
                            new Vec3(1.5, -2, 1),
                            new Vitals(-20.5, 0, 0)));
            writer.onEvent(
                    new ArenaEvent.Hit(
                            START + 900_000_000,
                            attacker,
                            attacker,
                            DamageMeans.GRENADE,
                            30,
                            Vec3.ZERO,
                            new Vec3(0, 0, 0),
                            new Vitals(70, 0, 0)));
        }
        return file;
    }

    private static Shell.Run run(Object... arguments) {
        return new Shell().run(Stream.of(arguments).map(Object::toString).toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sauerbraten/src/test/resources/captures/solo_walk.pcap",
                "quake2/src/test/resources/captures/12-demo.dm2"
            })
    void exportsCapturesAndDemosLikeTheirRecordings(String file) throws IOException {
        Path capture = Path.of("..").resolve(file);
        Path recording = folder.resolve(capture.getFileName() + ".mcap");
        Shell games = new Shell(Games.ALL.toArray(Game[]::new));
        Shell.Run record =
                games.run("record", "--from", capture.toString(), "--out", recording.toString());
        assertThat(record.status()).as(record.err()).isZero();
        assertThat(run("export", recording, "--csv", folder.resolve("recorded")).status()).isZero();
        Shell.Run run = run("export", capture, "--csv", folder.resolve("captured"));
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.err()).contains(capture + ": 1 player, ");
        assertThat(csv(folder.resolve("captured"), "movements")).hasSizeGreaterThan(10);
        for (String table : List.of("players", "movements", "events", "chat", "recordings")) {
            assertThat(folder.resolve("captured").resolve(table + ".csv"))
                    .hasSameTextualContentAs(folder.resolve("recorded").resolve(table + ".csv"));
        }
    }

    @Test
    void refusesFilesThatAreNoRecordingNorCapture() throws IOException {
        Path text = Files.writeString(folder.resolve("notes.txt"), "nothing of a game");
        Shell.Run run = run("export", text, "--csv", folder.resolve("out"));
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains(text + " is neither a capture nor a demo of a game");
    }

    /** A recording of three players, of which two prove who they are. */
    static Path recordProofs(Path file) throws IOException {
        RecordingInfo info = new RecordingInfo("test", "", "hall", Instant.ofEpochSecond(0, START));
        try (RecordingWriter writer =
                RecordingWriter.create(file, info, Optional.empty(), RecordingOptions.DEFAULT)) {
            writer.onEvent(new ArenaEvent.Joined(START, proved(1, Proof.PASSWORD)));
            writer.onEvent(new ArenaEvent.Joined(START, proved(2, Proof.account("xuid:99"))));
            writer.onEvent(new ArenaEvent.Joined(START, proved(3, Proof.UNKNOWN)));
            writer.onEvent(
                    new ArenaEvent.Proved(
                            START + 1_000_000, proved(1, Proof.key("ada", "example.org"))));
        }
        return file;
    }

    private static Player proved(int number, Proof proof) {
        Player player = player(number, "p" + number, false);
        return new Player(
                player.id(),
                player.game(),
                player.name(),
                player.joined(),
                0,
                proof,
                false,
                player.movement(),
                player.nativeMovement());
    }

    @Test
    void writesProofsOfPlayers() throws IOException {
        Path out = folder.resolve("out");
        Path recording = recordProofs(folder.resolve("proofs.mcap"));
        assertThat(run("export", recording, "--csv", out).status()).isZero();
        assertThat(csv(out, "players"))
                .extracting(row -> row.get("proof") + " " + row.get("key"))
                .containsExactly("key ada@example.org", "account none", "none none");
        assertThat(csv(out, "events"))
                .extracting(row -> row.get("event") + " " + row.get("code") + " " + row.get("text"))
                .containsExactly(
                        "join password none",
                        "join account none",
                        "join none none",
                        "proof key ada@example.org");
    }

    @Test
    void namesPlayersOfFlagsAndRounds() throws IOException {
        Path file = folder.resolve("flags.mcap");
        RecordingInfo info = new RecordingInfo("test", "", "hall", Instant.ofEpochSecond(0, START));
        Player anna = player(1, "anna", true);
        try (RecordingWriter writer =
                RecordingWriter.create(file, info, Optional.empty(), RecordingOptions.DEFAULT)) {
            writer.onEvent(new ArenaEvent.Joined(START, anna));
            writer.onEvent(new ArenaEvent.Joined(START, player(2, "bob", true)));
            writer.onEvent(flag(1, FlagChange.TAKEN, FlagCause.TOUCH, Optional.of(anna)));
            writer.onEvent(flag(2, FlagChange.DROPPED, FlagCause.DEATH, Optional.of(anna)));
            writer.onEvent(flag(3, FlagChange.RETURNED, FlagCause.TIME, Optional.empty()));
            writer.onEvent(
                    new ArenaEvent.RoundEnded(
                            START + 4_000_000,
                            RoundEndReason.TIME_LIMIT,
                            Optional.of(anna),
                            Optional.empty()));
        }
        List<String> ofAnna =
                List.of(
                        "flag 1 quake3 anna red taken touch",
                        "flag 1 quake3 anna red dropped death",
                        "round-end 1 quake3 anna time-limit anna");
        assertThat(events(file))
                .containsAll(ofAnna)
                .contains("flag none none none red returned time");
        assertThat(events(file, "--player", "anna")).containsAll(ofAnna);
        assertThat(events(file, "--player", "bob"))
                .filteredOn(row -> row.contains("anna"))
                .containsExactly("round-end 1 quake3 anna time-limit anna");
    }

    private static ArenaEvent flag(
            int version, FlagChange change, FlagCause cause, Optional<Player> player) {
        return new ArenaEvent.FlagChanged(
                START + version * 1_000_000L,
                Team.RED,
                change,
                cause,
                player,
                Vec3.ZERO,
                version,
                Duration.ZERO);
    }

    /** Rows of the table of events. */
    private List<String> events(Path recording, String... options) throws IOException {
        Path out = Files.createTempDirectory(folder, "out");
        List<Object> arguments = new ArrayList<>(List.of("export", recording, "--csv", out));
        arguments.addAll(List.of(options));
        assertThat(run(arguments.toArray()).status()).isZero();
        return csv(out, "events").stream()
                .map(row ->
                        Stream.of("event", "player", "game", "name", "code", "text")
                                .map(row::get)
                                .collect(Collectors.joining(" ")))
                .toList();
    }

    @Test
    void writesTablesAsCsv() throws IOException {
        Path out = folder.resolve("out");
        Shell.Run run = run("export", record("match.mcap"), "--csv", out);
        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        List<Map<String, String>> movements = csv(out, "movements");
        assertThat(movements).hasSize(21);
        assertThat(movements.getFirst())
                .containsEntry("recording", "match")
                .containsEntry("time", "1764100800.223456")
                .containsEntry("elapsed", "0.1")
                .containsEntry("player", "1")
                .containsEntry("game", "quake3")
                .containsEntry("track", "1")
                .containsEntry("x", "1.5")
                .containsEntry("y", "-2")
                .containsEntry("z", "0.25")
                .containsEntry("yaw", "90")
                .containsEntry("stance", "1")
                .containsEntry("on_ground", "true");
        assertThat(movements.getLast()).containsEntry("track", "2");
        List<Map<String, String>> players = csv(out, "players");
        assertThat(players).extracting(row -> row.get("name")).containsExactly("a,\"b\"", "'=1+1");
        assertThat(players).extracting(row -> row.get("ping")).containsExactly("42", "none");
        assertThat(players)
                .extracting(row -> row.get("gone_elapsed"))
                .containsExactly("none", "2.5");
        assertThat(players)
                .extracting(row -> row.get("reason"))
                .containsExactly("none", "timed-out");
        assertThat(csv(out, "recordings").getFirst())
                .containsEntry("software", "test")
                .containsEntry("server", "none")
                .containsEntry("arena", "hall")
                .containsEntry("started", "1764100800.123456")
                .containsEntry("seconds", "2.5");
        assertThat(csv(out, "chat"))
                .extracting(row -> row.get("text"))
                .containsExactly("'" + HOSTILE);
        assertThat(csv(out, "violations").getFirst())
                .containsEntry("rule", "distance")
                .containsEntry("unit", "m")
                .containsEntry("measured", "3.5")
                .containsEntry("allowance", "0.5")
                .containsEntry("z", "0.25");
        assertThat(csv(out, "events"))
                .extracting(row -> row.get("event"))
                .containsExactly("join", "spawn", "join", "chat", "violation", "teleport", "leave");
    }

    @Test
    void writesHits() throws IOException {
        Path out = folder.resolve("out");
        Path file = recordHits(folder.resolve("fight.mcap"));
        assertThat(run("export", file, "--csv", out).status()).isZero();
        List<Map<String, String>> hits = csv(out, "hits");
        assertThat(hits).hasSize(3);
        assertThat(hits.getFirst())
                .containsEntry("elapsed", "0.5")
                .containsEntry("player", "1")
                .containsEntry("name", "victim")
                .containsEntry("attacker_node", "0")
                .containsEntry("attacker", "2")
                .containsEntry("attacker_game", "quake3")
                .containsEntry("attacker_name", "attacker")
                .containsEntry("means", "rocket")
                .containsEntry("damage", "80")
                .containsEntry("health", "20")
                .containsEntry("armour", "5")
                .containsEntry("z", "1")
                .containsEntry("ky", "-2");
        assertThat(hits.get(1)).containsEntry("health", "-20.5");
        for (var counts : Map.of("victim", 2, "attacker", 3, "other", 0).entrySet()) {
            Path one = folder.resolve(counts.getKey());
            assertThat(run("export", file, "--player", counts.getKey(), "--csv", one).status())
                    .isZero();
            assertThat(csv(one, "hits")).as(counts.getKey()).hasSize(counts.getValue());
        }
    }

    @Test
    void writesTablesAsJsonLines() throws IOException {
        Path out = folder.resolve("out");
        assertThat(run("export", record("match.mcap"), "--jsonl", out).status()).isZero();
        JsonObject chat =
                JsonParser.parseString(Files.readString(out.resolve("chat.jsonl")))
                        .getAsJsonObject();
        assertThat(chat.get("text").getAsString()).isEqualTo(HOSTILE);
        List<JsonObject> players =
                Files.readAllLines(out.resolve("players.jsonl")).stream()
                        .map(line -> JsonParser.parseString(line).getAsJsonObject())
                        .toList();
        assertThat(players.getFirst().get("gone").isJsonNull()).isTrue();
        assertThat(players.getLast().get("gone").getAsBigDecimal())
                .isEqualByComparingTo("1764100802.623456");
        assertThat(Files.readAllLines(out.resolve("movements.jsonl"))).hasSize(21);
    }

    @Test
    void writesEveryMovementOfRecording() throws IOException {
        Path file = folder.resolve("large.mcap");
        RecordingGenerator.write(file, 4, 8, 3000);
        Path out = folder.resolve("out");
        assertThat(run("export", file, "--csv", out).status()).isZero();
        List<Map<String, String>> rows = csv(out, "movements");
        Map<String, Integer> counts = new HashMap<>();
        try (Recording recording = Recording.open(file)) {
            EventCursor events = recording.events();
            int at = 0;
            while (events.next()) {
                if (events.event() instanceof ArenaEvent.Moved moved) {
                    Map<String, String> row = rows.get(at++);
                    assertThat(Double.parseDouble(row.get("x")))
                            .isEqualTo(moved.movement().position().x(), within(1e-6));
                    assertThat(Double.parseDouble(row.get("pitch")))
                            .isEqualTo(moved.movement().pitch(), within(1e-6));
                    assertThat(row.get("player")).isEqualTo(moved.id().toString());
                    assertThat(Double.parseDouble(row.get("elapsed")))
                            .isEqualTo((moved.time() - recording.startNanos()) / 1e9, within(1e-9));
                    counts.merge(moved.id().toString(), 1, Integer::sum);
                }
            }
            assertThat(rows).hasSize(at).hasSize(3000);
        }
        Map<String, Integer> written = new HashMap<>();
        csv(out, "players")
                .forEach(row ->
                        written.put(row.get("player"), Integer.valueOf(row.get("movements"))));
        assertThat(written).containsAllEntriesOf(counts);
    }

    @Test
    void choosesPartPlayerAndInterval() throws IOException {
        Path file = record("match.mcap");
        Path part = folder.resolve("part");
        run("export", file, "--csv", part, "--from", "0.45", "--to", "1.2");
        assertThat(csv(part, "movements"))
                .extracting(row -> row.get("elapsed"))
                .containsExactly("0.5", "0.6", "0.7", "0.8", "0.9", "1", "1.1");
        Path moment = folder.resolve("moment");
        run("export", file, "--csv", moment, "--from", "2025-11-25T20:00:02Z");
        assertThat(csv(moment, "movements")).hasSize(3);
        Path thinned = folder.resolve("thinned");
        run("export", file, "--csv", thinned, "--every", "0.5");
        assertThat(csv(thinned, "movements"))
                .extracting(row -> row.get("elapsed"))
                .containsExactly("0.1", "0.6", "1.1", "1.6", "2.5");
        Path other = folder.resolve("other");
        run("export", file, "--csv", other, "--player", "=1+1");
        assertThat(csv(other, "movements")).isEmpty();
        assertThat(csv(other, "players")).hasSize(1);
    }

    @Test
    void joinsSeveralRecordings() throws IOException {
        Path one = record("one.mcap");
        Path two = record("two.mcap");
        Path out = folder.resolve("out");
        assertThat(run("export", one, two, "--csv", out).status()).isZero();
        assertThat(csv(out, "chat"))
                .extracting(row -> row.get("recording"))
                .containsExactly("one", "two");
    }

    @Test
    void keepsExistingFilesAndSaysWhatIsWrong() throws IOException {
        Path file = record("match.mcap");
        Path out = folder.resolve("out");
        Files.createDirectories(out);
        Files.writeString(out.resolve("movements.csv"), "mine");
        Shell.Run run = run("export", file, "--csv", out);
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("movements.csv exists: choose another folder");
        assertThat(out.resolve("movements.csv")).hasContent("mine");
        assertThat(run("export", file).status()).isEqualTo(2);
        assertThat(run("export", file, "--csv", out, "--jsonl", out).status()).isEqualTo(2);
        Shell.Run time = run("export", file, "--csv", out, "--from", "noon");
        assertThat(time.status()).isEqualTo(2);
        assertThat(time.err()).contains("'noon' is not a time");
        Path text = Files.writeString(folder.resolve("text.mcap"), "no recording");
        Shell.Run wrong = run("export", text, "--csv", folder.resolve("new"));
        assertThat(wrong.status()).isEqualTo(1);
        assertThat(wrong.err()).contains("text.mcap");
    }

    @Test
    void readsCutFileAndReportsIt() throws IOException {
        Path file = folder.resolve("large.mcap");
        RecordingGenerator.write(file, 4, 8, 20_000);
        byte[] whole = Files.readAllBytes(file);
        Path cut = folder.resolve("cut.mcap");
        Files.write(cut, Arrays.copyOf(whole, whole.length * 2 / 3));
        Path out = folder.resolve("out");
        Shell.Run run = run("export", cut, "--csv", out);
        assertThat(run.status()).isZero();
        assertThat(run.err()).contains("cut.mcap: not complete; read as far as it goes");
        assertThat(csv(out, "movements")).hasSizeBetween(5000, 15_000);
    }

    @Test
    void writesFileForViewers() throws IOException {
        Path file = record("match.mcap");
        Path out = folder.resolve("viewer");
        assertThat(run("export", file, "--viewer", out).status()).isZero();
        try (Recording recording = Recording.open(out.resolve("match.mcap"))) {
            int events = 0;
            EventCursor cursor = recording.events();
            while (cursor.next()) {
                events++;
            }
            assertThat(events).isEqualTo(28);
        }
        String content = Files.readString(out.resolve("match.mcap"), StandardCharsets.ISO_8859_1);
        assertThat(content).contains("foxglove.PointCloud", "/points", "/tf", "/bodies");
    }

    @Test
    void readsAFileOnceAndNamesFilesApart() throws IOException {
        Path one = record("one.mcap");
        Path same = Files.createSymbolicLink(folder.resolve("same.mcap"), one);
        Path out = folder.resolve("out");
        Shell.Run twice = run("export", one, one, same, "--csv", out);
        assertThat(twice.status()).isZero();
        assertThat(twice.err().lines().toList())
                .hasSize(2)
                .allMatch(line -> line.endsWith("is the same file as " + one));
        assertThat(csv(out, "recordings")).hasSize(1);

        Path a = Files.createDirectories(folder.resolve("a")).resolve("w.mcap");
        Path b = Files.createDirectories(folder.resolve("b")).resolve("w.mcap");
        Files.copy(one, a);
        Files.copy(one, b);
        assertThat(run("export", a, b, one, "--csv", folder.resolve("apart")).err()).isEmpty();
        assertThat(csv(folder.resolve("apart"), "recordings"))
                .extracting(row -> row.get("recording"))
                .containsExactly(
                        folder.resolve("a/w").toString(), folder.resolve("b/w").toString(), "one");
    }

    @Test
    void reportsThatNothingWasChosen() throws IOException {
        Path one = record("one.mcap");
        Shell.Run player = run("export", one, "--csv", folder.resolve("x"), "--player", "nobody");
        assertThat(player.status()).isEqualTo(1);
        assertThat(player.err()).contains("no player 'nobody'", "=1+1");
        Shell.Run range = run("export", one, "--csv", folder.resolve("y"), "--from", "1000");
        assertThat(range.status()).isEqualTo(1);
        assertThat(range.err()).contains("must be a part of the recording");
    }

    @Test
    void saysWhatIsWrongWithItsPaths() throws IOException {
        Path file = record("match.mcap");
        Shell.Run onto = run("export", file, "--jsonl", file);
        assertThat(onto.status()).isEqualTo(2);
        assertThat(onto.err()).contains(file + " is a file: give a folder");
        Shell.Run below = run("export", file, "--jsonl", file.resolve("below"));
        assertThat(below.status()).isEqualTo(1);
        assertThat(below.err())
                .contains("match.mcap")
                .containsPattern("[Nn]ot a (directory|folder)");
        Shell.Run input = run("export", folder, "--jsonl", folder.resolve("out"));
        assertThat(input.status()).isEqualTo(1);
        assertThat(input.err()).contains(folder + " is a folder: give the files in it");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void namesPipeInPlaceOfItsCopy() {
        for (String command : List.of("judge", "replay")) {
            Shell.Run run = run(command, "/dev/null");
            assertThat(run.status()).as(command).isEqualTo(1);
            assertThat(run.err()).contains("/dev/null").doesNotContain("wishdir-pipe");
        }
    }

    /** As of a shell's substitution: what it gives can be read once, and not at any place. */
    @Test
    void readsARecordingFromAPipe() throws Exception {
        Path one = record("one.mcap");
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        Thread writer =
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> {
                            try (var to = Files.newOutputStream(pipe)) {
                                Files.copy(one, to);
                            } catch (IOException e) {
                                throw new java.io.UncheckedIOException(e);
                            }
                        });
        Path out = folder.resolve("out");
        Shell.Run run = run("export", pipe, "--csv", out);
        writer.join();
        assertThat(run.err()).isEmpty();
        Path direct = folder.resolve("direct");
        assertThat(run("export", one, "--csv", direct).status()).isZero();
        assertThat(csv(out, "movements")).isNotEmpty().hasSameSizeAs(csv(direct, "movements"));
    }
}
