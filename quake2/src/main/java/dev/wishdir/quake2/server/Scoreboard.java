package dev.wishdir.quake2.server;

import java.util.List;

/**
 * The board of scores as a program of the client's status bar. Up to twelve players have a field
 * each with their picture, as on the game's own servers; of more, each has a line.
 */
final class Scoreboard {
    /** The most characters of a program: a client's buffer takes a NUL besides. */
    static final int MAX_LAYOUT_CHARS = 1023;

    private static final int FIELDS = 12;
    private static final int FIELDS_OF_COLUMN = 6;
    private static final int FIELD_HEIGHT = 32;
    private static final int COLUMN = 160;
    private static final int LINES_OF_COLUMN = 25;
    private static final int LINE_HEIGHT = 8;
    private static final int TOP = 16;

    /** Room for how many more there are. */
    private static final int REST = 40;

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
     * The program.
     *
     * @param rows from the best
     * @param others how many have no row, since they have no slot
     */
    static String layout(List<Row> rows, int others) {
        return rows.size() <= FIELDS && others == 0 ? fields(rows) : lines(rows, others);
    }

    private static String fields(List<Row> rows) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            int x = COLUMN * (i / FIELDS_OF_COLUMN);
            int y = FIELD_HEIGHT * (1 + i % FIELDS_OF_COLUMN);
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
            int x = COLUMN * (shown / LINES_OF_COLUMN);
            int y = TOP + LINE_HEIGHT * (shown % LINES_OF_COLUMN);
            String line = "ctf " + x + " " + y + " " + row.slot + " 0 " + row.ping + " ";
            if (shown == 2 * LINES_OF_COLUMN
                    || text.length() + line.length() > MAX_LAYOUT_CHARS - REST) {
                break;
            }
            text.append(line);
            shown++;
        }
        int more = rows.size() - shown + others;
        if (more > 0) {
            text.append("xv 0 yv ").append(TOP + LINE_HEIGHT * LINES_OF_COLUMN);
            text.append(" string \"and ").append(more).append(" more\"");
        }
        return text.toString();
    }
}
