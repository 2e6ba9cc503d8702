package dev.wishdir.app;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Vec3;
import dev.wishdir.web.Roster;

import java.io.Console;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The arena from above, drawn with characters: north is up, an arrow shows where a player looks.
 */
final class TerminalMap {
    /** A character cell is about twice as high as wide. */
    private static final int COLUMNS = 64;

    private static final int ROWS = COLUMNS / 2;
    private static final String ARROWS = "→↗↑↖←↙↓↘";
    private static final int MOST_NAMES = ROWS - 1;

    /** Whether standard output is a terminal, on which a picture can be drawn again and again. */
    static boolean isTerminal() {
        return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    }

    /** The lines of a picture: the map with the names beside it. */
    static List<String> draw(Bounds bounds, List<Roster.Entry> players) {
        char[][] cells = new char[ROWS][COLUMNS];
        for (char[] row : cells) {
            Arrays.fill(row, ' ');
        }
        for (Roster.Entry player : players) {
            if (player.spawned()) {
                Vec3 at = player.movement().position();
                int column = cell(at.x(), bounds.min().x(), bounds.max().x(), COLUMNS);
                int row = ROWS - 1 - cell(at.y(), bounds.min().y(), bounds.max().y(), ROWS);
                cells[row][column] =
                        ARROWS.charAt((int) Math.round(player.movement().yaw() / 45) & 7);
            }
        }
        List<String> lines = new ArrayList<>();
        lines.add("┌" + "─".repeat(COLUMNS) + "┐");
        for (int row = 0; row < ROWS; row++) {
            lines.add(
                    "│"
                            + new String(cells[row])
                            + "│ "
                            + (row < MOST_NAMES ? name(players, row) : ""));
        }
        int more = players.size() - MOST_NAMES;
        lines.add("└" + "─".repeat(COLUMNS) + "┘" + (more > 0 ? " and " + more + " more" : ""));
        return lines;
    }

    private static int cell(double value, double min, double max, int cells) {
        return Math.clamp((int) ((value - min) / (max - min) * cells), 0, cells - 1);
    }

    private static String name(List<Roster.Entry> players, int row) {
        return row < players.size() ? describe(players.get(row)) : "";
    }

    /** One player in one line. */
    static String describe(Roster.Entry player) {
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
