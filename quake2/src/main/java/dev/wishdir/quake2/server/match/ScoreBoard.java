package dev.wishdir.quake2.server.match;

import dev.wishdir.arena.event.TeamScore;
import dev.wishdir.quake2.message.LayoutProgram;

import java.util.List;

/**
 * The scoreboard as a layout program of the client's status bar. Up to twelve players have a field
 * with a picture each, as on the game's own servers; more players have a line each.
 */
final class ScoreBoard {
    private static final int MAX_FIELDS = 12;
    private static final int FIELDS_PER_COLUMN = 6;
    private static final int FIELD_HEIGHT = 32;
    private static final int COLUMN_WIDTH = 160;
    private static final int LINES_PER_COLUMN = 25;
    private static final int LINE_HEIGHT = 8;
    private static final int TOP = 16;
    private static final int HEADING_Y = 4;

    /** Room for the number of further players. */
    private static final int MORE_LINE_CHARS = 40;

    /** Relation of a player to the viewer. */
    enum Mark {
        NONE,
        /** The viewer itself. */
        OWN,
        /** The player that killed the viewer. */
        KILLER
    }

    /**
     * One player.
     *
     * @param slot from 0, by which clients know its name and picture
     * @param mark the picture in front of it
     * @param score its frags
     * @param ping milliseconds
     * @param minutes since it joined
     */
    record Row(int slot, Mark mark, int score, int ping, long minutes) {}

    private ScoreBoard() {}

    /**
     * The layout program.
     *
     * @param rows best first
     * @param others number of players without a slot
     * @param teams their scores in the first line; empty in a match without teams
     */
    static LayoutProgram layout(List<Row> rows, int others, List<TeamScore> teams) {
        String heading = heading(teams);
        return new LayoutProgram(
                rows.size() <= MAX_FIELDS && others == 0
                        ? fields(heading, rows)
                        : lines(heading, rows, others));
    }

    private static String heading(List<TeamScore> teams) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < teams.size(); i++) {
            text.append("xv ").append(COLUMN_WIDTH * i).append(" yv ").append(HEADING_Y);
            text.append(" string2 \"").append(teams.get(i).team()).append(' ');
            text.append(teams.get(i).frags()).append("\" ");
        }
        return text.toString();
    }

    private static String fields(String heading, List<Row> rows) {
        StringBuilder text = new StringBuilder(heading);
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            int x = COLUMN_WIDTH * (i / FIELDS_PER_COLUMN);
            int y = FIELD_HEIGHT * (1 + i % FIELDS_PER_COLUMN);
            if (row.mark != Mark.NONE) {
                text.append("xv ").append(x + FIELD_HEIGHT).append(" yv ").append(y);
                text.append(row.mark == Mark.OWN ? " picn tag1 " : " picn tag2 ");
            }
            text.append("client ").append(x).append(' ').append(y).append(' ').append(row.slot);
            text.append(' ')
                    .append(row.score)
                    .append(' ')
                    .append(row.ping)
                    .append(' ')
                    .append(row.minutes)
                    .append(' ');
        }
        return text.toString();
    }

    private static String lines(String heading, List<Row> rows, int others) {
        StringBuilder text = new StringBuilder(heading);
        int shown = 0;
        for (Row row : rows) {
            int x = COLUMN_WIDTH * (shown / LINES_PER_COLUMN);
            int y = TOP + LINE_HEIGHT * (shown % LINES_PER_COLUMN);
            String line =
                    "ctf " + x + " " + y + " " + row.slot + " " + row.score + " " + row.ping + " ";
            if (shown == 2 * LINES_PER_COLUMN
                    || text.length() + line.length() > LayoutProgram.MAX_CHARS - MORE_LINE_CHARS) {
                break;
            }
            text.append(line);
            shown++;
        }
        int more = rows.size() - shown + others;
        if (more > 0) {
            text.append("xv 0 yv ").append(TOP + LINE_HEIGHT * LINES_PER_COLUMN);
            text.append(" string \"and ").append(more).append(" more\"");
        }
        return text.toString();
    }
}
