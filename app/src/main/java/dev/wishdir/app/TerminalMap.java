package dev.wishdir.app;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Vec3;
import dev.wishdir.web.Roster;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The arena from above, drawn with characters: north is up, an arrow shows where a player looks.
 */
final class TerminalMap {
    private static final String ARROWS = "→↗↑↖←↙↓↘";

    /** A character cell is about twice as high as wide. */
    private static final int HEIGHT = 2;

    /** The frame around the map, both sides of it together. */
    private static final int FRAME = 2;

    /** Below this it is no map any more. */
    private static final int LEAST_COLUMNS = 16;

    private static final int LEAST_ROWS = 4;

    /** Names, and where those are whose names they are. */
    private static final int NAMES = 40;

    /** The same with the game and the speed. */
    private static final int DETAILS = 60;

    private TerminalMap() {}

    /**
     * All that is shown: lines that are kept, the map with the names beside it as large as there is
     * room, and news. No line is wider than the terminal, and one of its rows is left for the
     * cursor.
     *
     * @param head is shown first of all, whatever room is left
     * @param news the newest last; those that do not fit are left out
     */
    static List<String> picture(
            Terminal.Size size,
            List<String> head,
            Bounds bounds,
            List<Roster.Entry> players,
            List<String> news) {
        List<String> lines = new ArrayList<>(head);
        int told = Math.min(news.size(), Math.max(0, size.rows() / 8));
        int rows = size.rows() - 1 - head.size() - told;
        if (rows >= LEAST_ROWS + FRAME && size.columns() >= LEAST_COLUMNS + FRAME) {
            lines.addAll(draw(new Terminal.Size(size.columns(), rows), bounds, players));
        }
        lines.addAll(news.subList(news.size() - told, news.size()));
        return lines.stream()
                .limit(Math.max(0, size.rows() - 1))
                .map(line -> Columns.cut(Columns.plain(line), size.columns()))
                .toList();
    }

    /** The map with the names beside it, in no more than the room there is. */
    static List<String> draw(Terminal.Size room, Bounds bounds, List<Roster.Entry> players) {
        Vec3 extent = bounds.max().minus(bounds.min());
        int beside = room.columns() - FRAME - 1 - NAMES;
        int widest = beside >= LEAST_COLUMNS ? beside : room.columns() - FRAME;
        int highest = room.rows() - FRAME;
        // Metres a column; the same of north and east, so that nothing is stretched.
        double scale = Math.max(extent.x() / widest, extent.y() / (HEIGHT * highest));
        int columns = Math.clamp(Math.round(extent.x() / scale), 1, widest);
        int rows = Math.clamp(Math.round(extent.y() / (HEIGHT * scale)), 1, highest);
        char[][] cells = new char[rows][columns];
        for (char[] row : cells) {
            Arrays.fill(row, ' ');
        }
        for (Roster.Entry player : players) {
            if (player.spawned()) {
                Vec3 at = player.movement().position();
                int column = cell(at.x(), bounds.min().x(), bounds.max().x(), columns);
                int row = rows - 1 - cell(at.y(), bounds.min().y(), bounds.max().y(), rows);
                cells[row][column] =
                        ARROWS.charAt((int) Math.round(player.movement().yaw() / 45) & 7);
            }
        }
        List<String> names = names(players, rows, room.columns() - columns - FRAME - 1);
        List<String> lines = new ArrayList<>();
        lines.add("┌" + "─".repeat(columns) + "┐");
        for (int row = 0; row < rows; row++) {
            lines.add("│" + new String(cells[row]) + "│" + names.get(row));
        }
        lines.add("└" + "─".repeat(columns) + "┘");
        return lines;
    }

    private static int cell(double value, double min, double max, int cells) {
        return Math.clamp((int) ((value - min) / (max - min) * cells), 0, cells - 1);
    }

    /** So many lines; the last counts those whose names have none. */
    private static List<String> names(List<Roster.Entry> players, int rows, int columns) {
        int named = players.size() <= rows ? players.size() : rows - 1;
        return IntStream.range(0, rows)
                .mapToObj(row -> {
                    String text = "";
                    if (row < named) {
                        Roster.Entry player = players.get(row);
                        text = columns >= DETAILS ? describe(player) : brief(player);
                    } else if (row < players.size()) {
                        text = "and " + (players.size() - named) + " more";
                    }
                    return text.isEmpty() || columns < NAMES ? "" : " " + text;
                })
                .toList();
    }

    /** Who and where. */
    private static String brief(Roster.Entry player) {
        Vec3 at = player.movement().position();
        return player.spawned()
                ? String.format(
                        Locale.ROOT,
                        "%-16s %6.1f %6.1f %5.1f m",
                        player.name(),
                        at.x(),
                        at.y(),
                        at.z())
                : String.format(Locale.ROOT, "%-16s  (no body)", player.name());
    }

    /** One player in one line. */
    private static String describe(Roster.Entry player) {
        if (!player.spawned()) {
            return String.format(
                    Locale.ROOT, "%-11s %-16s  (no body)", player.game(), player.name());
        }
        Vec3 at = player.movement().position();
        return String.format(
                Locale.ROOT,
                "%-11s %-16s %6.1f %6.1f %5.1f m  %4.1f m/s",
                player.game(),
                player.name(),
                at.x(),
                at.y(),
                at.z(),
                player.movement().velocity().length());
    }
}
