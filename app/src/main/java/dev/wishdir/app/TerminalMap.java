package dev.wishdir.app;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.web.LivePlayers;
import dev.wishdir.world.blocks.BlockArena;
import dev.wishdir.world.blocks.Face;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The arena from above, drawn with characters: north is up, walls are shaded, a player is the
 * letter of its game. Beside it, or below where it is narrow, is the table of players.
 */
final class TerminalMap {
    /** A character cell is about twice as high as wide. */
    private static final int HEIGHT = 2;

    /** The frame around the map, both sides of it together. */
    private static final int FRAME = 2;

    /** Below this it is no map any more. */
    private static final int MIN_COLUMNS = 16;

    private static final int MIN_ROWS = 4;

    /** What the table and the legend beside the map have at least; with less they are below. */
    private static final int TABLE = 45;

    /** A lower wall is a step, half metres. */
    private static final int MIN_WALL = 4;

    /** Walls are drawn from so far below the lowest to so far above the highest spawn, metres. */
    private static final double AROUND_SPAWNS = 1;

    private static final String WALL = "▒";

    private final GameMarks marks;
    private final Bounds bounds;
    private final Optional<BlockArena> arena;

    /**
     * A map.
     *
     * @param bounds where everybody may be, metres
     * @param arena whose walls are drawn, where it is known
     */
    TerminalMap(GameMarks marks, Bounds bounds, Optional<BlockArena> arena) {
        this.marks = marks;
        this.bounds = bounds;
        this.arena = arena;
    }

    /**
     * All that is shown: lines that are kept, the map and the table as large as there is room, and
     * news. No line is wider than the terminal, and one of its rows is left for the cursor.
     *
     * @param head is shown first of all, whatever room is left
     * @param news the newest last; those that do not fit are left out
     */
    List<String> picture(
            Terminal.Size size,
            List<String> head,
            List<LivePlayers.Entry> players,
            List<String> news) {
        List<String> lines = new ArrayList<>(cut(head, size));
        int told = Math.min(news.size(), Math.max(0, size.rows() / 8));
        int rows = size.rows() - 1 - head.size() - told;
        lines.addAll(draw(new Terminal.Size(size.columns(), rows), players));
        lines.addAll(cut(news.subList(news.size() - told, news.size()), size));
        return lines.stream().limit(Math.max(0, size.rows() - 1)).toList();
    }

    private static List<String> cut(List<String> lines, Terminal.Size size) {
        return lines.stream()
                .map(line -> Columns.cut(Columns.plain(line), size.columns()))
                .toList();
    }

    /** The map with the table, in no more than the room there is. */
    List<String> draw(Terminal.Size room, List<LivePlayers.Entry> players) {
        int longest =
                players.stream()
                        .mapToInt(each -> each.name().codePointCount(0, each.name().length()))
                        .max()
                        .orElse(0);
        if (room.columns() < PlayerTable.MIN_COLUMNS || room.rows() < 2) {
            return List.of();
        }
        int beside = room.columns() - FRAME - 1 - TABLE;
        boolean mapFits = room.rows() >= MIN_ROWS + FRAME;
        return mapFits && beside >= MIN_COLUMNS
                ? besideTable(room, beside, players, longest)
                : aboveTable(room, players, longest);
    }

    /** The heads of the columns are beside the upper edge of the map, the legend the lower. */
    private List<String> besideTable(
            Terminal.Size room, int widest, List<LivePlayers.Entry> players, int longest) {
        List<String> map = map(widest, room.rows() - FRAME, players);
        int wide = Columns.width(map.getFirst());
        PlayerTable table = new PlayerTable(marks, room.columns() - wide - 1, longest);
        List<String> right = new ArrayList<>(List.of(marks.faint(table.head())));
        right.addAll(table.rows(players, map.size() - FRAME));
        right.addAll(IntStream.range(right.size(), map.size() - 1).mapToObj(_ -> "").toList());
        right.add(legend(room.columns() - wide - 1));
        return IntStream.range(0, map.size())
                .mapToObj(row ->
                        map.get(row) + (right.get(row).isEmpty() ? "" : " " + right.get(row)))
                .toList();
    }

    /** Half of the rows is the table's; all where they are few. */
    private List<String> aboveTable(
            Terminal.Size room, List<LivePlayers.Entry> players, int longest) {
        int wanted = Math.min(players.size() + 2, Math.max(3, room.rows() / 2));
        int high = room.rows() - wanted - FRAME;
        List<String> lines = new ArrayList<>();
        if (high >= MIN_ROWS && room.columns() >= MIN_COLUMNS + FRAME) {
            lines.addAll(map(room.columns() - FRAME, high, players));
        }
        PlayerTable table = new PlayerTable(marks, room.columns(), longest);
        lines.add(marks.faint(table.head()));
        String legend = legend(room.columns());
        int left = room.rows() - lines.size();
        boolean explained = left > 2 && !legend.isEmpty();
        lines.addAll(table.rows(players, explained ? left - 1 : left));
        if (explained) {
            lines.add(legend);
        }
        return lines;
    }

    /** What the letters mean, where all of it fits. */
    private String legend(int columns) {
        String legend = marks.legend();
        return Columns.width(legend) <= columns ? legend : "";
    }

    /** The map in its frame, not stretched. */
    private List<String> map(int widest, int highest, List<LivePlayers.Entry> players) {
        Vec3 extent = bounds.max().minus(bounds.min());
        // Metres a column; the same of north and east, so that nothing is stretched.
        double scale = Math.max(extent.x() / widest, extent.y() / (HEIGHT * highest));
        int columns = Math.clamp(Math.round(extent.x() / scale), 1, widest);
        int rows = Math.clamp(Math.round(extent.y() / (HEIGHT * scale)), 1, highest);
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

    /** Upright faces at the height of players that nobody steps over. */
    private void walls(BlockArena drawn, String[][] cells) {
        List<Double> heights =
                drawn.spawns().stream().map(Movement::position).map(Vec3::z).sorted().toList();
        if (heights.isEmpty()) {
            return;
        }
        double least = 2 * (heights.getFirst() - AROUND_SPAWNS);
        double greatest = 2 * (heights.getLast() + AROUND_SPAWNS);
        for (Face face : drawn.faces()) {
            boolean alongX = face.axis() == 1;
            int bottom = alongX ? face.minU() : face.minV();
            int top = alongX ? face.maxU() : face.maxV();
            if (face.axis() == 2 || top - bottom < MIN_WALL || bottom > greatest || top < least) {
                continue;
            }
            int from = alongX ? face.minV() : face.minU();
            int to = alongX ? face.maxV() : face.maxU();
            // Half a step into the wall.
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
