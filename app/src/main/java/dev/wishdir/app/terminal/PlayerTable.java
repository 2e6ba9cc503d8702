package dev.wishdir.app.terminal;

import dev.wishdir.motion.Vec3;
import dev.wishdir.web.map.LivePlayers;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** A table of the players on a terminal, with the most important columns that fit. */
final class PlayerTable {
    private static final String ARROWS = "→↗↑↖←↙↓↘";

    /** Width of a player's letter on the map and the space after it. */
    private static final int MARK = 2;

    private static final int MIN_NAME_COLUMNS = 10;
    private static final int MAX_NAME_COLUMNS = 24;

    /** Width of the narrowest table: marks and names. */
    static final int MIN_COLUMNS = MARK + MIN_NAME_COLUMNS;

    /** The columns besides the name, the most important first. */
    private enum Column {
        SPEED("m/s", 4),
        GAME("game", 11),
        DIRECTION("↗", 1),
        POSITION("   x, y, z (m)", 19);

        private final String head;
        private final int width;

        Column(String head, int width) {
            this.head = head;
            this.width = width;
        }

        private String text(LivePlayers.Entry player) {
            if (!player.spawned()) {
                return this == GAME ? player.game() : this == POSITION ? "(not spawned)" : "–";
            }
            Vec3 at = player.movement().position();
            return switch (this) {
                case SPEED ->
                        String.format(Locale.ROOT, "%4.1f", player.movement().velocity().length());
                case GAME -> player.game();
                case DIRECTION -> arrow(player.movement().yaw());
                case POSITION ->
                        String.format(Locale.ROOT, "%6.1f %6.1f %5.1f", at.x(), at.y(), at.z());
            };
        }
    }

    private final GameMarks marks;
    private final Set<Column> columns = EnumSet.noneOf(Column.class);
    private final int name;

    /**
     * A table of the given width.
     *
     * @param width at least {@link #MIN_COLUMNS}
     * @param longest length of the longest name, in characters
     */
    PlayerTable(GameMarks marks, int width, int longest) {
        this.marks = marks;
        int wanted = Math.clamp(longest, MIN_NAME_COLUMNS, MAX_NAME_COLUMNS);
        int left = width - MARK - MIN_NAME_COLUMNS;
        for (Column column : Column.values()) {
            if (left < column.width + 1) {
                break;
            }
            columns.add(column);
            left -= column.width + 1;
        }
        name = Math.min(wanted, MIN_NAME_COLUMNS + left);
    }

    /** An arrow in a player's view direction, north up. */
    private static String arrow(double yaw) {
        return String.valueOf(ARROWS.charAt((int) Math.round(yaw / 45) & 7));
    }

    /** The heading of the columns. */
    String heading() {
        return line(" ", "player", columns.stream().map(column -> column.head).toList());
    }

    /** At most the given number of lines; the last counts the players that are not listed. */
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
