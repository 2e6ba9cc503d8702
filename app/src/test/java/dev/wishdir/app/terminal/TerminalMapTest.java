package dev.wishdir.app.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.web.map.LivePlayers;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Collections;
import java.util.List;
import java.util.Optional;

final class TerminalMapTest {
    private static final Bounds BOUNDS = new Bounds(new Vec3(-32, -32, 0), new Vec3(32, 32, 8));
    private static final Bounds LONG = new Bounds(new Vec3(0, 0, 0), new Vec3(200, 50, 8));
    private static final Terminal.Size ROOM = new Terminal.Size(127, 34);
    private static final List<String> GAMES = List.of("sauerbraten", "quake2", "quake3", "bedrock");
    private static final List<String> HEAD =
            List.of(
                    "Cube 2: Sauerbraten: connect to 127.0.0.1 port 28785",
                    "Quake II: connect to 127.0.0.1 port 27910",
                    "Quake III Arena: connect to 127.0.0.1 port 40000 (the usual port 27960 is"
                            + " taken)",
                    "Minecraft: Bedrock: connect to 127.0.0.1 port 19132",
                    "Live map: http://127.0.0.1:8260/",
                    "Press Ctrl-C to stop.");

    private static TerminalMap map(Bounds bounds) {
        return new TerminalMap(new GameMarks(GAMES, false), bounds, Optional.empty());
    }

    private static LivePlayers.Entry at(double x, double y, double yaw) {
        return new LivePlayers.Entry(1, "red", "rob", Movement.at(new Vec3(x, y, 0), yaw), true);
    }

    /** A walker of each game, whose names differ in the middle and at the end. */
    private static List<LivePlayers.Entry> walkers() {
        return GAMES.stream()
                .map(game ->
                        new LivePlayers.Entry(
                                GAMES.indexOf(game),
                                game,
                                "a-long-name-of-a-bot-of-" + game,
                                new Movement(
                                        new Vec3(10 * GAMES.indexOf(game) - 15, 4, 1),
                                        90,
                                        0,
                                        new Vec3(3, 4, 0),
                                        Stance.STANDING),
                                true))
                .toList();
    }

    @Test
    void drawsNorthUpAndPlayersAsGameLetters() {
        List<String> lines =
                map(BOUNDS)
                        .draw(
                                ROOM,
                                List.of(at(-31.5, 31.5, 0), at(31.5, -31.5, 90), at(0, 999, 315)));

        assertThat(lines).hasSize(34);
        assertThat(lines.get(1).charAt(1)).isEqualTo('R');
        assertThat(lines.get(32).charAt(64)).isEqualTo('R');
        assertThat(lines.get(1).charAt(33)).isEqualTo('R');
        assertThat(lines.get(1)).contains("R rob", "red", "→", "-31.5   31.5");
        assertThat(lines.get(2)).contains("↑");
        assertThat(lines.get(3)).contains("↘");
    }

    @Test
    void countsNamesBeyondRows() {
        List<String> lines = map(BOUNDS).draw(ROOM, Collections.nCopies(50, at(0, 0, 0)));

        assertThat(lines).hasSize(34);
        assertThat(lines.get(32)).endsWith(" and 19 more");
    }

    @Test
    void showsAllNamesThatFit() {
        List<String> lines = map(BOUNDS).draw(ROOM, Collections.nCopies(32, at(0, 0, 0)));

        assertThat(lines.subList(1, 33)).allMatch(line -> line.contains(" rob "));
    }

    @Test
    void omitsPlayersWithoutBody() {
        LivePlayers.Entry spectator =
                new LivePlayers.Entry(1, "red", "rob", Movement.ORIGIN, false);

        List<String> lines = map(BOUNDS).draw(ROOM, List.of(spectator));

        assertThat(String.join("", lines)).doesNotContain("→").contains("(not spawned)");
        assertThat(lines.get(17)).isEqualTo("│" + " ".repeat(64) + "│");
    }

    @ParameterizedTest
    @CsvSource({
        "80, 24", "110, 40", "200, 60", "60, 20", "40, 16", "300, 20", "50, 100", "20, 8", "1, 1",
        "10, 3", "40, 24", "41, 13", "13, 40"
    })
    void fitsTerminalAndStartsWithAddress(int columns, int rows) {
        for (Bounds bounds : List.of(BOUNDS, LONG)) {
            List<String> lines =
                    map(bounds)
                            .screen(
                                    new Terminal.Size(columns, rows),
                                    HEAD,
                                    Collections.nCopies(30, at(3, 3, 0)),
                                    Collections.nCopies(
                                            20, "a rather long line of news ".repeat(20)));

            assertThat(lines).hasSizeLessThan(rows).allMatch(line -> line.length() <= columns);
            for (int i = 0; i < Math.min(HEAD.size(), rows - 1); i++) {
                assertThat(lines.get(i)).isEqualTo(Columns.cut(HEAD.get(i), columns));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"80, 24, 12, 24", "110, 40, 26, 52", "200, 60, 44, 88"})
    void fillsAvailableSpace(int columns, int rows, int high, int wide) {
        List<String> lines =
                map(BOUNDS)
                        .screen(
                                new Terminal.Size(columns, rows),
                                HEAD,
                                List.of(at(3, 3, 0)),
                                Collections.nCopies(20, "news"));

        assertThat(lines).filteredOn(line -> line.startsWith("│")).hasSize(high);
        assertThat(lines.get(HEAD.size())).startsWith("┌" + "─".repeat(wide) + "┐ ");
        assertThat(String.join("\n", lines)).contains(" rob").endsWith("\nnews");
    }

    @Test
    void doesNotStretchLongArena() {
        List<String> lines = map(LONG).draw(new Terminal.Size(148, 60), List.of());

        assertThat(lines.getFirst()).startsWith("┌" + "─".repeat(100) + "┐");
        assertThat(lines).hasSize(2 + 13);
    }

    @Test
    void putsNewestEventLast() {
        List<String> lines =
                map(BOUNDS)
                        .screen(
                                new Terminal.Size(80, 24),
                                HEAD,
                                List.of(),
                                List.of("one", "two", "three", "four"));

        assertThat(lines).endsWith("two", "three", "four").doesNotContain("one");
    }

    /** What matters most of each player is there at each width, and the columns have heads. */
    @ParameterizedTest
    @CsvSource({
        "120, 40, 'player,m/s,game,x, y, z'",
        "80, 24, 'player,m/s,game'",
        "60, 24, 'player,m/s,game'",
        "40, 24, 'player,m/s,game'"
    })
    void keepsMostImportantColumns(int columns, int rows, String heads) {
        List<String> lines =
                map(BOUNDS)
                        .screen(new Terminal.Size(columns, rows), HEAD, walkers(), List.of("news"));
        String text = String.join("\n", lines);

        for (String head : heads.split(",")) {
            assertThat(text).as(text).contains(head.strip());
        }
        for (String game : GAMES) {
            // The end of the name, by which it differs from others.
            assertThat(text).as(text).contains(game.substring(game.length() - 3) + " ");
            assertThat(lines)
                    .as(text)
                    .filteredOn(line -> line.contains(game) && line.contains(" 5.0"))
                    .hasSize(1);
        }
        assertThat(text).as(text).contains("S", "2", "3", "B").contains("┌──");
        assertThat(lines).allMatch(line -> line.length() <= columns);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hall", "hills"})
    void drawsWalls(String name) {
        BlockArena arena = ArenaCatalog.shipped(name);
        TerminalMap map =
                new TerminalMap(new GameMarks(GAMES, false), arena.bounds(), Optional.of(arena));
        List<String> lines = map.draw(new Terminal.Size(120, 40), List.of());
        List<String> rows = lines.stream().filter(line -> line.startsWith("│")).toList();
        long wide = lines.getFirst().indexOf('┐') - 1L;

        long walls = rows.stream().flatMapToInt(String::chars).filter(c -> c == '▒').count();
        assertThat(walls).as(String.join("\n", lines)).isBetween(20L, rows.size() * wide * 2 / 3);
        // Where a player may begin there is no wall.
        arena.spawns()
                .forEach(spawn -> {
                    Vec3 at = spawn.position();
                    LivePlayers.Entry player =
                            new LivePlayers.Entry(1, "quake2", "rob", Movement.at(at, 0), true);
                    assertThat(String.join("\n", map.draw(ROOM, List.of(player))))
                            .contains("2 rob");
                });
    }

    /** Without its colours a picture is the picture of a terminal that has none. */
    @ParameterizedTest
    @ValueSource(ints = {120, 80, 40})
    void changesOnlyColours(int columns) {
        Terminal.Size size = new Terminal.Size(columns, 24);
        BlockArena hall = ArenaCatalog.shipped("hall");
        List<String> coloured =
                new TerminalMap(new GameMarks(GAMES, true), hall.bounds(), Optional.of(hall))
                        .screen(size, HEAD, walkers(), List.of("news"));
        List<String> plain =
                new TerminalMap(new GameMarks(GAMES, false), hall.bounds(), Optional.of(hall))
                        .screen(size, HEAD, walkers(), List.of("news"));

        assertThat(String.join("\n", coloured))
                .contains("\u001B[33mS\u001B[39m", "\u001B[32m2\u001B[39m", "\u001B[31m3\u001B[39m")
                .contains("\u001B[36mB\u001B[39m");
        assertThat(coloured.stream().map(line -> line.replaceAll("\u001B\\[\\d+m", "")).toList())
                .isEqualTo(plain);
        assertThat(String.join("", plain)).doesNotContain("\u001B");
    }
}
