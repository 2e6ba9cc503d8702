package dev.wishdir.quake2.server.match;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.TeamScore;
import dev.wishdir.quake2.message.LayoutProgram;
import dev.wishdir.quake2.server.match.ScoreBoard.Mark;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.IntStream;

class ScoreBoardTest {
    private static final List<TeamScore> TEAMS =
            List.of(new TeamScore(Team.RED, 3), new TeamScore(Team.BLUE, -1));

    private static List<ScoreBoard.Row> rows(int count) {
        return IntStream.range(0, count)
                .mapToObj(slot ->
                        new ScoreBoard.Row(slot, slot == 0 ? Mark.OWN : Mark.NONE, 0, 999, slot))
                .toList();
    }

    /** As a real server sent it to one player in the capture 02, whose score was -1. */
    @Test
    void matchesFieldOfRealServer() {
        assertThat(
                        ScoreBoard.layout(
                                        List.of(new ScoreBoard.Row(0, Mark.OWN, -1, 15, 0)),
                                        0,
                                        List.of())
                                .text())
                .isEqualTo("xv 32 yv 32 picn tag1 client 0 32 0 -1 15 0 ");
    }

    @Test
    void showsTheScoresOfTeams() {
        assertThat(ScoreBoard.layout(rows(1), 0, TEAMS).text())
                .startsWith("xv 0 yv 4 string2 \"red 3\" xv 160 yv 4 string2 \"blue -1\" ");
    }

    @Test
    void startsSecondColumnAtSeventhField() {
        assertThat(ScoreBoard.layout(rows(7), 0, List.of()).text())
                .contains("client 0 192 5 0 999 5 ", "client 160 32 6 0 999 6 ");
    }

    @Test
    void usesLinePerPlayerAboveTwelve() {
        assertThat(ScoreBoard.layout(rows(13), 0, List.of()).text())
                .startsWith("ctf 0 16 0 0 999 ctf 0 24 1 0 999 ")
                .doesNotContain("client", "more");
    }

    @Test
    void countsPlayersWithoutRoom() {
        String layout = ScoreBoard.layout(rows(255), 45, TEAMS).text();
        int shown = layout.split("ctf ", -1).length - 1;
        assertThat(shown).isBetween(40, 50);
        assertThat(layout)
                .hasSizeLessThanOrEqualTo(LayoutProgram.MAX_CHARS)
                .endsWith("string \"and " + (300 - shown) + " more\"");
    }
}
