package dev.wishdir.quake2.server;

import java.util.List;

/**
 * The scoreboard as a layout program of the client's status bar. Up to twelve players have a field
 * with a picture each, as on the game's own servers; more players have a line each.
 */
final class Scoreboard {
    /** Maximum length of a program: the client's buffer has room for one NUL more. */
    static final int MAX_LAYOUT_CHARS = 1023;

    private static final int MAX_FIELDS = 12;
    private static final int FIELDS_PER_COLUMN = 6;
    private static final int FIELD_HEIGHT = 32;
    private static final int COLUMN_WIDTH = 160;
    private static final int LINES_PER_COLUMN = 25;
    private static final int LINE_HEIGHT = 8;
    private static final int TOP = 16;

    /** Room for the number of further players. */
    private static final int MORE_LINE_CHARS = 40;

    /**
     * One player.
     *
     * @param slot from 0, by which clients know its name and picture
     * @param own whether it is the viewer
     * @param ping milliseconds
     * @param minutes since it joined
     */
    record Row(int slot, boolean own, int ping, long minutes) {}

    private Scoreboard() {}

    /**
     * The layout program.
     *
     * @param rows best first
     * @param others number of players without a slot
     */
    static String layout(List<Row> rows, int others) {
        return rows.size() <= MAX_FIELDS && others == 0 ? fields(rows) : lines(rows, others);
    }

    private static String fields(List<Row> rows) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            int x = COLUMN_WIDTH * (i / FIELDS_PER_COLUMN);
            int y = FIELD_HEIGHT * (1 + i % FIELDS_PER_COLUMN);
            if (row.own) {
                text.append("xv ").append(x + FIELD_HEIGHT).append(" yv ").append(y);
                text.append(" picn tag1 ");
            }
            text.append("client ").append(x).append(' ').append(y).append(' ').append(row.slot);
            text.append(" 0 ").append(row.ping).append(' ').append(row.minutes).append(' ');
        }
        return text.toString();
    }

    private static String lines(List<Row> rows, int others) {
        StringBuilder text = new StringBuilder();
        int shown = 0;
        for (Row row : rows) {
            int x = COLUMN_WIDTH * (shown / LINES_PER_COLUMN);
            int y = TOP + LINE_HEIGHT * (shown % LINES_PER_COLUMN);
            String line = "ctf " + x + " " + y + " " + row.slot + " 0 " + row.ping + " ";
            if (shown == 2 * LINES_PER_COLUMN
                    || text.length() + line.length() > MAX_LAYOUT_CHARS - MORE_LINE_CHARS) {
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
