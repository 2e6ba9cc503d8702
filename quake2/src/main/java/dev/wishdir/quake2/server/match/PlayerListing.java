package dev.wishdir.quake2.server.match;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.quake2.message.ServerMessage.Layout;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.protocol.Quake2Text;
import dev.wishdir.quake2.server.match.ScoreBoard.Mark;
import dev.wishdir.quake2.server.view.PlayerEntityTable;
import dev.wishdir.quake2.server.view.PlayerNumbers;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Lists of the players of all games, in the formats of clients, operators and server lists. */
public final class PlayerListing {
    private static final long MINUTE_NANOS = 60_000_000_000L;

    /** Room for the line that says how to list the rest. */
    private static final int MORE_LINE_CHARS = 40;

    private final Arena arena;
    private final PlayerEntityTable entityTable;
    private final LongSupplier clock;

    /**
     * @param clock of the arena, nanoseconds
     */
    public PlayerListing(Arena arena, PlayerEntityTable entityTable, LongSupplier clock) {
        this.arena = arena;
        this.entityTable = entityTable;
        this.clock = clock;
    }

    /**
     * The scoreboard as a layout program of a client's status bar: with the viewer first, in a
     * match with the best first; none for a client without a player.
     *
     * @param killer the player that killed the viewer, as long as it is dead
     */
    public List<Layout> board(Optional<PlayerId> viewer, Optional<PlayerId> killer) {
        return viewer.map(id -> board(id, killer)).map(List::of).orElse(List.of());
    }

    private Layout board(PlayerId viewer, Optional<PlayerId> killer) {
        long now = clock.getAsLong();
        List<ScoreBoard.Row> rows = new ArrayList<>();
        for (Player player : arena.players()) {
            int slot = entityTable.slot(player.id());
            if (slot >= 0) {
                boolean own = player.id().equals(viewer);
                boolean killed = killer.filter(player.id()::equals).isPresent();
                long minutes = Math.max(0, now - player.joined()) / MINUTE_NANOS;
                rows.add(
                        own ? 0 : rows.size(),
                        new ScoreBoard.Row(
                                slot,
                                own ? Mark.OWN : killed ? Mark.KILLER : Mark.NONE,
                                frags(player),
                                player.ping(),
                                minutes));
            }
        }
        if (arena.match().isOn()) {
            rows.sort(Comparator.comparingInt(row -> -row.score()));
        }
        int others = arena.players().size() - rows.size();
        return ScoreBoard.layout(rows, others, arena.match().teamScores()).message();
    }

    private int frags(Player player) {
        return arena.match().score(player.id()).frags();
    }

    /** Lines of score, ping and name without ghosts, as many as fit into {@code maxChars}. */
    public String status(int maxChars) {
        StringBuilder lines = new StringBuilder();
        for (Player player : arena.players()) {
            if (player.isGhost()) {
                continue;
            }
            String name = PlayerNumbers.name(player);
            String line = frags(player) + " " + player.ping() + " \"" + name + "\"\n";
            if (lines.length() + line.length() > maxChars) {
                break;
            }
            lines.append(line);
        }
        return lines.toString();
    }

    /**
     * Lines of number, ping, name, game and client, and the command that lists the players that did
     * not fit.
     *
     * @param command that the client sent
     * @param first lowest number to list
     * @param maxChars of the result
     */
    public String list(String command, int first, int maxChars) {
        StringBuilder lines = new StringBuilder("num ping name (game)\n");
        List<Player> players =
                arena.players().stream()
                        .filter(player -> entityTable.slot(player.id()) >= first)
                        .sorted(Comparator.comparingInt(player -> entityTable.slot(player.id())))
                        .toList();
        int listed = 0;
        for (Player player : players) {
            String line = line(player);
            if (lines.length() + line.length() > maxChars - MORE_LINE_CHARS) {
                lines.append("and ").append(players.size() - listed).append(" more: ");
                lines.append(command)
                        .append(' ')
                        .append(entityTable.slot(player.id()))
                        .append('\n');
                break;
            }
            lines.append(line);
            listed++;
        }
        return lines.toString();
    }

    private String line(Player player) {
        String client = program(player);
        return String.format(
                Locale.ROOT,
                "%3d %4d %s (%s)%s\n",
                entityTable.slot(player.id()),
                player.ping(),
                Quake2Text.name(player.name()),
                player.game(),
                client.isEmpty() ? "" : " client " + client);
    }

    /** The program that a client of this game reports; empty for others. */
    private String program(Player player) {
        return player.game().equals(Quake2Codec.GAME)
                ? arena.connectionInfo(player.id()).version()
                : "";
    }
}
