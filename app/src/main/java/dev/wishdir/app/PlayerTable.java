package dev.wishdir.app;

import dev.wishdir.motion.Vec3;
import dev.wishdir.web.LivePlayers;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The players as lines of a terminal, in the most important columns that there is room for. */
final class PlayerTable {
    private static final String ARROWS = "→↗↑↖←↙↓↘";

    /** A letter on the map, and the space after it. */
    private static final int MARK = 2;

    private static final int MIN_NAME = 10;
    private static final int MAX_NAME = 24;

    /** The narrowest table there is: marks and names. */
    static final int MIN_COLUMNS = MARK + MIN_NAME;

    /** What is shown of a player besides its name, the most important first. */
    private enum Column {
        SPEED("m/s", 4),
        GAME("game", 11),
        LOOKS("↗", 1),
        PLACE("   x, y, z (m)", 19);

        private final String head;
        private final int width;

        Column(String head, int width) {
            this.head = head;
            this.width = width;
        }

        private String text(LivePlayers.Entry player) {
            if (!player.spawned()) {
                return this == GAME ? player.game() : this == PLACE ? "(no body)" : "–";
            }
            Vec3 at = player.movement().position();
            return switch (this) {
                case SPEED ->
                        String.format(Locale.ROOT, "%4.1f", player.movement().velocity().length());
                case GAME -> player.game();
                case LOOKS -> arrow(player.movement().yaw());
                case PLACE ->
                        String.format(Locale.ROOT, "%6.1f %6.1f %5.1f", at.x(), at.y(), at.z());
            };
        }
    }

    private final GameMarks marks;
    private final Set<Column> columns = EnumSet.noneOf(Column.class);
    private final int name;

    /**
     * A table of a width.
     *
     * @param width at least {@link #MIN_COLUMNS}
     * @param longest characters of the longest name
     */
    PlayerTable(GameMarks marks, int width, int longest) {
        this.marks = marks;
        int wanted = Math.clamp(longest, MIN_NAME, MAX_NAME);
        int left = width - MARK - MIN_NAME;
        for (Column column : Column.values()) {
            if (left < column.width + 1) {
                break;
            }
            columns.add(column);
            left -= column.width + 1;
        }
        name = Math.min(wanted, MIN_NAME + left);
    }

    /** Which way a player looks, of eight, north up. */
    private static String arrow(double yaw) {
        return String.valueOf(ARROWS.charAt((int) Math.round(yaw / 45) & 7));
    }

    /** The heads of the columns. */
    String head() {
        return line(" ", "player", columns.stream().map(column -> column.head).toList());
    }

    /** So many lines; the last counts those who have none. */
    List<String> rows(List<LivePlayers.Entry> players, int rows) {
        int listed = players.size() <= rows ? players.size() : rows - 1;
        List<String> lines =
                players.stream().limit(listed).map(this::row).collect(Collectors.toList());
        if (listed < players.size() && rows > 0) {
            lines.add(Columns.cut("and " + (players.size() - listed) + " more", MARK + name));
        }
        return lines;
    }

    private String row(LivePlayers.Entry player) {
        return line(
                marks.mark(player.game()),
                Columns.shortened(Columns.plain(player.name()), name),
                columns.stream().map(column -> column.text(player)).toList());
    }

    private String line(String mark, String text, List<String> cells) {
        List<String> line = new ArrayList<>();
        line.add(mark);
        line.add(Columns.padded(text, name));
        int i = 0;
        for (Column column : columns) {
            line.add(Columns.padded(Columns.cut(cells.get(i++), column.width), column.width));
        }
        return String.join(" ", line).stripTrailing();
    }
}
