package dev.wishdir.app.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.app.Shell;
import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.file.EventCursor;
import dev.wishdir.record.file.Recording;
import dev.wishdir.record.file.RecordingGenerator;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs the questions of docs/questions.sql, and answers them without SQL as well. */
@Tag("slow")
class QueryCommandTest {
    private static final double LIMIT_METRES = 3;

    private record Move(int player, int track, double elapsed, String game, Movement movement) {
        double x() {
            return movement.position().x();
        }

        double y() {
            return movement.position().y();
        }
    }

    private record Step(Move from, Move to) {
        double seconds() {
            return to.elapsed - from.elapsed;
        }

        double metres() {
            return Math.hypot(to.x() - from.x(), to.y() - from.y());
        }

        double turn() {
            double turn = Math.abs(to.movement.yaw() - from.movement.yaw());
            return Math.min(turn, 360 - turn);
        }

        boolean onGround() {
            return to.movement.stance().onGround();
        }
    }

    @TempDir static Path folder;

    private static Path file = Path.of("");
    private static final List<Move> MOVES = new ArrayList<>();
    private static final List<Step> STEPS = new ArrayList<>();
    private static final List<String> QUESTIONS = new ArrayList<>();

    @BeforeAll
    static void record() throws IOException {
        file = folder.resolve("match.mcap");
        RecordingGenerator.write(file, 11, 12, 12_000);
        Map<Integer, Integer> tracks = new HashMap<>();
        Map<Integer, Move> last = new HashMap<>();
        try (Recording recording = Recording.open(file)) {
            EventCursor events = recording.events();
            while (events.next()) {
                switch (events.event()) {
                    case ArenaEvent.Spawned e -> tracks.merge(e.id().number(), 1, Integer::sum);
                    case ArenaEvent.Teleported e -> tracks.merge(e.id().number(), 1, Integer::sum);
                    case ArenaEvent.Moved e -> {
                        int player = e.id().number();
                        Move move =
                                new Move(
                                        player,
                                        tracks.getOrDefault(player, 0),
                                        (e.time() - recording.startNanos()) / 1e9,
                                        e.player().game(),
                                        e.movement());
                        Move before = last.put(player, move);
                        if (before != null && before.track == move.track) {
                            STEPS.add(new Step(before, move));
                        }
                        MOVES.add(move);
                    }
                    default -> {}
                }
            }
        }
        String questions = Files.readString(Path.of("../docs/questions.sql"));
        QUESTIONS.addAll(List.of(questions.replaceAll("--.*\\s*", "").split(";\\s*")));
        assertThat(QUESTIONS).hasSize(12);
    }

    private static Shell.Run run(Object... arguments) {
        return new Shell().run(Stream.of(arguments).map(Object::toString).toArray(String[]::new));
    }

    private static List<List<String>> rows(String sql) {
        Shell.Run run = run("query", file, sql, "--csv");
        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        List<List<String>> rows = ExportCommandTest.parseCsv(run.out());
        return rows.subList(1, rows.size());
    }

    private static void assertRows(int question, List<List<Object>> expected) {
        List<List<String>> rows = rows(QUESTIONS.get(question - 1));
        assertThat(rows).as("question %d", question).hasSameSizeAs(expected).isNotEmpty();
        for (int i = 0; i < rows.size(); i++) {
            for (int j = 0; j < expected.get(i).size(); j++) {
                String found = rows.get(i).get(j);
                switch (expected.get(i).get(j)) {
                    case Number number ->
                            assertThat(Double.parseDouble(found))
                                    .as("question %d, row %d: %s", question, i, rows.get(i))
                                    .isEqualTo(
                                            number.doubleValue(),
                                            within(1e-4 * Math.max(1, number.doubleValue())));
                    case Object text -> assertThat(found).isEqualTo(text.toString());
                }
            }
        }
    }

    private static <T> Map<Integer, List<T>> byPlayer(List<T> all, ToIntFunction<T> player) {
        return all.stream()
                .collect(
                        Collectors.groupingBy(
                                player::applyAsInt, TreeMap::new, Collectors.toList()));
    }

    private static Map<Integer, List<Step>> stepsByPlayer() {
        return byPlayer(STEPS, step -> step.to.player);
    }

    private static double seconds(List<Step> steps) {
        return steps.stream().mapToDouble(Step::seconds).sum();
    }

    private static Comparator<Step> orderOfTime() {
        return Comparator.<Step>comparingDouble(step -> step.to.elapsed)
                .thenComparingInt(step -> step.to.player);
    }

    @Test
    void answersHowMuchThereIs() {
        assertRows(
                1,
                List.of(
                        List.of(
                                MOVES.size(),
                                MOVES.getFirst().elapsed,
                                MOVES.getLast().elapsed,
                                byPlayer(MOVES, Move::player).size())));
    }

    @Test
    void answersHowFastPlayersMove() {
        Map<String, Map<Integer, Integer>> counts = new TreeMap<>();
        for (Move move : MOVES) {
            int speed = (int) Math.floor(move.movement.velocity().horizontal());
            counts.computeIfAbsent(move.game, _ -> new TreeMap<>()).merge(speed, 1, Integer::sum);
        }
        List<List<Object>> expected = new ArrayList<>();
        counts.forEach((game, speeds) ->
                speeds.forEach((speed, count) -> expected.add(List.of(game, speed, count))));
        assertRows(2, expected);
    }

    @Test
    void answersHowFarPlayersGo() {
        List<List<Object>> expected = new ArrayList<>();
        stepsByPlayer()
                .forEach((player, steps) ->
                        expected.add(
                                List.of(player, steps.stream().mapToDouble(Step::metres).sum())));
        assertRows(3, expected);
    }

    @Test
    void answersWherePlayersAre() {
        Map<List<Integer>, Integer> counts = new HashMap<>();
        for (Move move : MOVES) {
            counts.merge(
                    List.of((int) Math.floor(move.x()), (int) Math.floor(move.y())),
                    1,
                    Integer::sum);
        }
        List<List<Object>> expected =
                counts.entrySet().stream()
                        .sorted(
                                Comparator.comparingInt((Map.Entry<List<Integer>, Integer> it) ->
                                                -it.getValue())
                                        .thenComparingInt(it -> it.getKey().get(0))
                                        .thenComparingInt(it -> it.getKey().get(1)))
                        .limit(10)
                        .map(it ->
                                List.<Object>of(
                                        it.getKey().get(0), it.getKey().get(1), it.getValue()))
                        .toList();
        assertRows(4, expected);
    }

    @Test
    void answersShareOfTimeInAir() {
        List<List<Object>> expected = new ArrayList<>();
        stepsByPlayer()
                .forEach((player, steps) ->
                        expected.add(
                                List.of(
                                        player,
                                        seconds(
                                                        steps.stream()
                                                                .filter(it -> !it.onGround())
                                                                .toList())
                                                / seconds(steps))));
        assertThat(expected).anyMatch(row -> (Double) row.get(1) > 0.01);
        assertRows(5, expected);
    }

    @Test
    void answersWhoIsNear() {
        Map<Integer, Map<Integer, Vec3>> places = new TreeMap<>();
        for (Move move : MOVES) {
            places.computeIfAbsent((int) Math.floor(move.elapsed), _ -> new TreeMap<>())
                    .put(move.player, move.movement.position());
        }
        List<List<Object>> expected = new ArrayList<>();
        places.forEach((second, players) ->
                players.forEach((player, at) ->
                        players.forEach((other, there) -> {
                            if (player < other && at.distance(there) <= LIMIT_METRES) {
                                expected.add(List.of(second, player, other, at.distance(there)));
                            }
                        })));
        assertRows(6, expected);
    }

    @Test
    void answersHowOftenPlayersJump() {
        List<List<Object>> expected = new ArrayList<>();
        byPlayer(MOVES, Move::player)
                .forEach((player, moves) -> {
                    int jumps = 0;
                    boolean airborne = false;
                    int track = -1;
                    for (Move move : moves) {
                        boolean grounded = move.movement.stance().onGround();
                        jumps += move.track == track && airborne && grounded ? 1 : 0;
                        airborne = !grounded;
                        track = move.track;
                    }
                    List<Step> steps = stepsByPlayer().getOrDefault(player, List.of());
                    expected.add(List.of(player, 60 * jumps / seconds(steps)));
                });
        assertThat(expected).anyMatch(row -> (Double) row.get(1) > 1);
        assertRows(7, expected);
    }

    @Test
    void answersHowLongPlayersStandStill() {
        List<List<Object>> expected = new ArrayList<>();
        stepsByPlayer()
                .forEach((player, steps) ->
                        expected.add(
                                List.of(
                                        player,
                                        seconds(
                                                steps.stream()
                                                        .filter(it ->
                                                                it.metres() < 0.1 * it.seconds())
                                                        .toList()))));
        assertRows(8, expected);
    }

    @Test
    void answersWhoTurnsFastest() {
        assertRows(
                9,
                STEPS.stream()
                        .filter(it -> it.seconds() >= 0.001 && it.seconds() <= 0.1)
                        .sorted(
                                Comparator.comparingDouble((Step it) -> -it.turn() / it.seconds())
                                        .thenComparing(orderOfTime()))
                        .limit(10)
                        .map(it ->
                                List.<Object>of(
                                        it.to.elapsed, it.to.player, it.turn() / it.seconds()))
                        .toList());
    }

    @Test
    void answersWhereGapsAre() {
        assertRows(
                10,
                STEPS.stream()
                        .sorted(
                                Comparator.comparingDouble(
                                                (Step it) -> -Math.rint(it.seconds() * 1e6))
                                        .thenComparing(orderOfTime()))
                        .limit(10)
                        .map(it -> List.<Object>of(it.to.elapsed, it.to.player, it.seconds()))
                        .toList());
    }

    @Test
    void answersWhereEverybodyWas() {
        Map<Integer, Vec3> last = new TreeMap<>();
        MOVES.stream()
                .filter(move -> move.elapsed > 5 && move.elapsed <= 10)
                .forEach(move -> last.put(move.player, move.movement.position()));
        List<List<Object>> expected = new ArrayList<>();
        last.forEach((player, at) -> expected.add(List.of(player, at.x(), at.y(), at.z())));
        assertRows(11, expected);
    }

    @Test
    void answersWhatWeaponsDo() throws IOException {
        Path fight = ExportCommandTest.recordHits(folder.resolve("fight.mcap"));
        Shell.Run run = run("query", fight, QUESTIONS.get(11), "--csv");
        assertThat(run.err()).isEmpty();
        assertThat(ExportCommandTest.parseCsv(run.out()))
                .containsExactly(
                        List.of("attacker_game", "game", "means", "hits", "damage", "kills"),
                        List.of("quake3", "quake3", "rocket", "2", "120.5", "1"));
    }

    @Test
    void printsTableForPeople() {
        Shell.Run run =
                run(
                        "query",
                        file,
                        "select 'a' as text, 7 as n union all select 'bcd', 10.5 order by n");
        assertThat(run.out()).isEqualToNormalizingNewlines("text     n\na      7.0\nbcd   10.5\n");
        Shell.Run json =
                run(
                        "query",
                        file,
                        "select true as b, null as n, timestamp '2026-11-25' as t",
                        "--jsonl");
        assertThat(json.out()).isEqualTo("{\"b\":true,\"n\":null,\"t\":1795564800.000000}\n");
        assertThat(run("query", file, "select chr(27) || '[2J' as text").out())
                .doesNotContain("\u001b");
    }

    @Test
    @DisplayName("M7 SQL from elsewhere sees the recordings and nothing else")
    void givesNoAccessToFiles() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret.csv"), "a,b\n1,2\n");
        for (String sql :
                List.of(
                        "select * from '" + secret + "'",
                        "copy players to '" + folder.resolve("out.csv") + "'",
                        "attach '" + folder.resolve("out.duckdb") + "'",
                        "set enable_external_access = true",
                        "install httpfs")) {
            Shell.Run run = run("query", file, sql);
            assertThat(run.status()).as(sql).isEqualTo(1);
        }
        assertThat(folder.resolve("out.csv")).doesNotExist();
        assertThat(folder.resolve("out.duckdb")).doesNotExist();
    }

    @Test
    void reportsMistakesInSql() {
        Shell.Run run = run("query", file, "select nothing from movements");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("nothing");
    }

    @Test
    void saysWhatToDoWithoutExtra() {
        assertThatThrownBy(() -> QueryDatabase.checkPresent("org.duckdb.Missing"))
                .isInstanceOf(CommandFailedException.class)
                .hasMessageContaining("needs the query extra")
                .hasMessageContaining("wishdir-query-")
                .hasMessageContaining("Maven Central (org.duckdb) as /")
                .hasMessageContaining("/lib/query/duckdb_jdbc.jar")
                .hasMessageContaining("--csv");
    }

    /** The first row of the result. */
    private static List<Object> row(String sql) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:duckdb:");
                var statement = connection.createStatement();
                var result = statement.executeQuery(sql)) {
            result.next();
            List<Object> row = new ArrayList<>();
            for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                row.add(result.getObject(i));
            }
            return row;
        }
    }

    @Test
    void exportsAsParquet() throws Exception {
        Path out = folder.resolve("tables");
        assertThat(run("export", file, "--parquet", out).status()).isZero();
        String movements = "'" + out.resolve("movements.parquet") + "'";
        List<Object> found =
                row(
                        "select count(*), sum(x), sum(yaw), sum(track), sum(on_ground::integer),"
                                + " any_value(recording), max(epoch_us(time) - epoch_us(started))"
                                + " from "
                                + movements
                                + " join '"
                                + out.resolve("recordings.parquet")
                                + "' using (recording)");
        assertThat(found.get(0)).isEqualTo((long) MOVES.size());
        assertThat((Double) found.get(1))
                .isEqualTo(MOVES.stream().mapToDouble(Move::x).sum(), within(0.1));
        assertThat((Double) found.get(2))
                .isEqualTo(MOVES.stream().mapToDouble(it -> it.movement.yaw()).sum(), within(1.0));
        assertThat(found.get(3).toString())
                .isEqualTo(String.valueOf(MOVES.stream().mapToInt(Move::track).sum()));
        assertThat(found.get(4).toString())
                .isEqualTo(
                        String.valueOf(
                                MOVES.stream()
                                        .filter(it -> it.movement.stance().onGround())
                                        .count()));
        assertThat(found.get(5)).isEqualTo("match");
        assertThat((Long) found.get(6)).isEqualTo(Math.round(MOVES.getLast().elapsed * 1e6));
        assertThat(run("export", file, "--parquet", out).err())
                .contains("recordings.parquet exists: choose another folder");
    }

    @Test
    void exportsDocumentedColumns() throws Exception {
        Path out = folder.resolve("columns");
        assertThat(run("export", file, "--parquet", out).status()).isZero();
        for (Table table : Table.values()) {
            String expected =
                    table.columns().stream()
                            .filter(it -> table != Table.MOVEMENTS || !it.name().equals("elapsed"))
                            .map(it -> it.name() + " " + it.type().sql())
                            .collect(Collectors.joining(", "));
            assertThat(
                            row(
                                    "select string_agg(column_name || ' ' || lower(column_type), ',"
                                            + " ') from (describe from '"
                                            + out.resolve(table + ".parquet")
                                            + "')"))
                    .as(table.toString())
                    .containsExactly(expected);
        }
    }

    @Test
    void exportsMovementsInFewBytes() throws Exception {
        Path large = folder.resolve("large.mcap");
        RecordingGenerator.write(large, 7, RecordingGenerator.PLAYERS, 200_000);
        Path out = folder.resolve("large");
        assertThat(run("export", large, "--parquet", out).status()).isZero();
        assertThat(Files.size(out.resolve("movements.parquet")) / 200_000.0).isLessThan(15);
    }

    @Test
    void leavesNoMovementsOfFailedExport() {
        Path out = folder.resolve("failed");
        Shell.Run run = run("export", file, folder.resolve("missing.mcap"), "--parquet", out);
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("missing.mcap: no such file").doesNotContain("DuckDB");
        assertThat(out).isEmptyDirectory();
    }
}
