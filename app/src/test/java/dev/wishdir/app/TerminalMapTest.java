package dev.wishdir.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.web.Roster;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Collections;
import java.util.List;

final class TerminalMapTest {
    private static final Bounds BOUNDS = new Bounds(new Vec3(-32, -32, 0), new Vec3(32, 32, 8));
    private static final Bounds LONG = new Bounds(new Vec3(0, 0, 0), new Vec3(200, 50, 8));
    private static final Terminal.Size ROOM = new Terminal.Size(127, 34);
    private static final List<String> HEAD =
            List.of(
                    "Cube 2: Sauerbraten: connect to 127.0.0.1 port 28785",
                    "Quake II: connect to 127.0.0.1 port 27910",
                    "Quake III Arena: connect to 127.0.0.1 port 40000 (the usual port 27960 is"
                            + " taken)",
                    "Minecraft: Bedrock: connect to 127.0.0.1 port 19132",
                    "Live map: http://127.0.0.1:8260/",
                    "Ctrl-C ends it.");

    private static Roster.Entry at(double x, double y, double yaw) {
        return new Roster.Entry(1, "red", "rob", Movement.at(new Vec3(x, y, 0), yaw), true);
    }

    @Test
    void northIsUpAndTheArrowLooksWhereThePlayerDoes() {
        List<String> lines =
                TerminalMap.draw(
                        ROOM,
                        BOUNDS,
                        List.of(at(-31.5, 31.5, 0), at(31.5, -31.5, 90), at(999, 999, 315)));

        assertThat(lines).hasSize(34);
        assertThat(lines.get(1).charAt(1)).isEqualTo('→');
        assertThat(lines.get(32).charAt(64)).isEqualTo('↑');
        assertThat(lines.get(1).charAt(64)).isEqualTo('↘');
        assertThat(lines.get(1)).contains("red         rob               -31.5   31.5");
    }

    @Test
    void moreNamesThanRowsAreCounted() {
        List<String> lines = TerminalMap.draw(ROOM, BOUNDS, Collections.nCopies(50, at(0, 0, 0)));

        assertThat(lines).hasSize(34);
        assertThat(lines.get(32)).endsWith(" and 19 more");
    }

    @Test
    void asManyNamesAsRowsAreAllThere() {
        List<String> lines = TerminalMap.draw(ROOM, BOUNDS, Collections.nCopies(32, at(0, 0, 0)));

        assertThat(lines.subList(1, 33)).allMatch(line -> line.contains(" rob "));
    }

    @Test
    void aPlayerWithoutABodyIsNotOnTheMap() {
        Roster.Entry spectator = new Roster.Entry(1, "red", "rob", Movement.ORIGIN, false);

        List<String> lines = TerminalMap.draw(ROOM, BOUNDS, List.of(spectator));

        assertThat(String.join("", lines)).doesNotContain("→").contains("(no body)");
    }

    @ParameterizedTest
    @CsvSource({
        "80, 24", "110, 40", "200, 60", "60, 20", "40, 16", "300, 20", "50, 100", "20, 8", "1, 1",
        "10, 3"
    })
    void aPictureFitsTheTerminalAndSaysFirstWhereToConnect(int columns, int rows) {
        for (Bounds bounds : List.of(BOUNDS, LONG)) {
            List<String> lines =
                    TerminalMap.picture(
                            new Terminal.Size(columns, rows),
                            HEAD,
                            bounds,
                            Collections.nCopies(30, at(3, 3, 0)),
                            Collections.nCopies(20, "a rather long line of news ".repeat(20)));

            assertThat(lines).hasSizeLessThan(rows).allMatch(line -> line.length() <= columns);
            for (int i = 0; i < Math.min(HEAD.size(), rows - 1); i++) {
                assertThat(lines.get(i)).isEqualTo(Columns.cut(HEAD.get(i), columns));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"80, 24, 12, 24", "110, 40, 26, 52", "200, 60, 44, 88"})
    void theMapIsAsLargeAsThereIsRoom(int columns, int rows, int high, int wide) {
        List<String> lines =
                TerminalMap.picture(
                        new Terminal.Size(columns, rows),
                        HEAD,
                        BOUNDS,
                        List.of(at(3, 3, 0)),
                        Collections.nCopies(20, "news"));

        assertThat(lines).filteredOn(line -> line.startsWith("│")).hasSize(high);
        assertThat(lines.get(HEAD.size())).isEqualTo("┌" + "─".repeat(wide) + "┐");
        assertThat(String.join("\n", lines)).contains(" rob ").endsWith("\nnews");
    }

    @Test
    void aLongArenaIsNotStretched() {
        List<String> lines = TerminalMap.draw(new Terminal.Size(143, 60), LONG, List.of());

        assertThat(lines.getFirst()).isEqualTo("┌" + "─".repeat(100) + "┐");
        assertThat(lines).hasSize(2 + 13);
    }

    @Test
    void theNewestNewsIsLast() {
        List<String> lines =
                TerminalMap.picture(
                        new Terminal.Size(80, 24),
                        HEAD,
                        BOUNDS,
                        List.of(),
                        List.of("one", "two", "three", "four"));

        assertThat(lines).endsWith("two", "three", "four").doesNotContain("one");
    }
}
