package dev.wishdir.app.terminal;

import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.grid.Face;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.web.map.LivePlayers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The arena from above, drawn with characters: north is up, walls are shaded, a player is the
 * letter of its game. The table of players is next to the map, or below it on a narrow terminal.
 */
public final class TerminalMap {
    /** Height of a character cell divided by its width, approximately. */
    private static final int CELL_ASPECT = 2;

    /** Size of the map's frame, both sides together. */
    private static final int FRAME = 2;

    /** The smallest map that is drawn. */
    private static final int MIN_COLUMNS = 16;

    private static final int MIN_ROWS = 4;

    /** Width of the table and legend next to the map; with less room they are below it. */
    private static final int TABLE_COLUMNS = 45;

    /** Minimum height of a drawn wall, in half metres; a lower one is a step. */
    private static final int MIN_WALL = 4;

    /** Walls are drawn from this distance below the lowest to above the highest spawn point. */
    private static final double SPAWN_MARGIN_METRES = 1;

    private static final String WALL = "▒";

    private final GameMarks marks;
    private final Bounds bounds;
    private final Optional<BlockArena> arena;

    /**
     * @param bounds the bounds of the map, in metres
     * @param arena the arena whose walls are drawn, if known
     */
    public TerminalMap(GameMarks marks, Bounds bounds, Optional<BlockArena> arena) {
        this.marks = marks;
        this.bounds = bounds;
        this.arena = arena;
    }

    /**
     * The whole screen: the heading, the map with the table in the remaining room, and recent
     * events. No line is wider than the terminal, and one of its rows remains for the cursor.
     *
     * @param heading lines that are always shown, at the top
     * @param events recent events, the newest last; the oldest are omitted if they do not fit
     */
    public List<String> screen(
            Terminal.Size size,
            List<String> heading,
            List<LivePlayers.Entry> players,
            List<String> events) {
        List<String> lines = new ArrayList<>(cut(heading, size));
        int eventRows = Math.min(events.size(), Math.max(0, size.rows() / 8));
        int rows = size.rows() - 1 - heading.size() - eventRows;
        lines.addAll(draw(new Terminal.Size(size.columns(), rows), players));
        lines.addAll(cut(events.subList(events.size() - eventRows, events.size()), size));
        return lines.stream().limit(Math.max(0, size.rows() - 1)).toList();
    }

    private static List<String> cut(List<String> lines, Terminal.Size size) {
        return lines.stream()
                .map(line -> Columns.cut(Columns.plain(line), size.columns()))
                .toList();
    }

    /** The map with the table, within the given room. */
    List<String> draw(Terminal.Size room, List<LivePlayers.Entry> players) {
        int longest =
                players.stream()
                        .mapToInt(each -> each.name().codePointCount(0, each.name().length()))
                        .max()
                        .orElse(0);
        if (room.columns() < PlayerTable.MIN_COLUMNS || room.rows() < 2) {
            return List.of();
        }
        int mapColumns = room.columns() - FRAME - 1 - TABLE_COLUMNS;
        boolean mapFits = room.rows() >= MIN_ROWS + FRAME;
        return mapFits && mapColumns >= MIN_COLUMNS
                ? besideTable(room, mapColumns, players, longest)
                : aboveTable(room, players, longest);
    }

    /** The table next to the map: the heading at its upper edge, the legend at its lower edge. */
    private List<String> besideTable(
            Terminal.Size room, int widest, List<LivePlayers.Entry> players, int longest) {
        List<String> map = map(widest, room.rows() - FRAME, players);
        int wide = Columns.width(map.getFirst());
        PlayerTable table = new PlayerTable(marks, room.columns() - wide - 1, longest);
        List<String> right = new ArrayList<>(List.of(marks.faint(table.heading())));
        right.addAll(table.rows(players, map.size() - FRAME));
        right.addAll(IntStream.range(right.size(), map.size() - 1).mapToObj(_ -> "").toList());
        right.add(legend(room.columns() - wide - 1));
        return IntStream.range(0, map.size())
                .mapToObj(row ->
                        map.get(row) + (right.get(row).isEmpty() ? "" : " " + right.get(row)))
                .toList();
    }

    /** The table below the map, with half of the rows, or all if there are only few. */
    private List<String> aboveTable(
            Terminal.Size room, List<LivePlayers.Entry> players, int longest) {
        int wanted = Math.min(players.size() + 2, Math.max(3, room.rows() / 2));
        int high = room.rows() - wanted - FRAME;
        List<String> lines = new ArrayList<>();
        if (high >= MIN_ROWS && room.columns() >= MIN_COLUMNS + FRAME) {
            lines.addAll(map(room.columns() - FRAME, high, players));
        }
        PlayerTable table = new PlayerTable(marks, room.columns(), longest);
        lines.add(marks.faint(table.heading()));
        String legend = legend(room.columns());
        int left = room.rows() - lines.size();
        boolean explained = left > 2 && !legend.isEmpty();
        lines.addAll(table.rows(players, explained ? left - 1 : left));
        if (explained) {
            lines.add(legend);
        }
        return lines;
    }

    /** The legend, if all of it fits. */
    private String legend(int columns) {
        String legend = marks.legend();
        return Columns.width(legend) <= columns ? legend : "";
    }

    /** The map in its frame, undistorted. */
    private List<String> map(int widest, int highest, List<LivePlayers.Entry> players) {
        Vec3 extent = bounds.max().minus(bounds.min());
        // Metres per column, the same in both directions.
        double scale = Math.max(extent.x() / widest, extent.y() / (CELL_ASPECT * highest));
        int columns = Math.clamp(Math.round(extent.x() / scale), 1, widest);
        int rows = Math.clamp(Math.round(extent.y() / (CELL_ASPECT * scale)), 1, highest);
        String[][] cells = new String[rows][columns];
        for (String[] row : cells) {
            Arrays.fill(row, " ");
        }
        arena.ifPresent(drawn -> walls(drawn, cells));
        for (LivePlayers.Entry player : players) {
            if (player.spawned()) {
                Vec3 at = player.movement().position();
                cells[row(at.y(), rows)][column(at.x(), columns)] = marks.mark(player.game());
            }
        }
        List<String> lines = new ArrayList<>();
        lines.add("┌" + "─".repeat(columns) + "┐");
        for (String[] row : cells) {
            lines.add("│" + String.join("", row) + "│");
        }
        lines.add("└" + "─".repeat(columns) + "┘");
        return lines;
    }

    /** Draws the vertical faces near the height of the players that are too high to step over. */
    private void walls(BlockArena drawn, String[][] cells) {
        List<Double> heights =
                drawn.spawns().stream().map(Movement::position).map(Vec3::z).sorted().toList();
        if (heights.isEmpty()) {
            return;
        }
        double bottomLimit = 2 * (heights.getFirst() - SPAWN_MARGIN_METRES);
        double topLimit = 2 * (heights.getLast() + SPAWN_MARGIN_METRES);
        for (Face face : drawn.faces()) {
            boolean alongX = face.axis() == 1;
            int bottom = alongX ? face.minU() : face.minV();
            int top = alongX ? face.maxU() : face.maxV();
            if (face.axis() == 2
                    || top - bottom < MIN_WALL
                    || bottom > topLimit
                    || top < bottomLimit) {
                continue;
            }
            int from = alongX ? face.minV() : face.minU();
            int to = alongX ? face.maxV() : face.maxU();
            // A quarter of a metre inside the wall.
            double depth = (face.at() - 0.5 * face.sign()) / 2;
            for (int half = from; half < to; half++) {
                double along = (half + 0.5) / 2;
                int column = column(alongX ? along : depth, cells[0].length);
                int row = row(alongX ? depth : along, cells.length);
                cells[row][column] = marks.faint(WALL);
            }
        }
    }

    private int column(double x, int columns) {
        return cell(x, bounds.min().x(), bounds.max().x(), columns);
    }

    private int row(double y, int rows) {
        return rows - 1 - cell(y, bounds.min().y(), bounds.max().y(), rows);
    }

    private static int cell(double value, double min, double max, int cells) {
        return Math.clamp((int) ((value - min) / (max - min) * cells), 0, cells - 1);
    }
}
