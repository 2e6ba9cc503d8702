package dev.wishdir.quake2.server;

import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.quake2.protocol.Quake2Text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Who is here, of all games, in the forms in which clients, operators and server lists ask. */
final class PlayerListings {
    private static final long MINUTE = 60_000_000_000L;

    /** Room for how to ask for the rest. */
    private static final int REST = 40;

    private final Quake2Endpoint endpoint;

    PlayerListings(Quake2Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** The board of scores as a client's status bar draws it, with the viewer at its head. */
    String board(long now, PlayerId viewer) {
        List<Scoreboard.Row> rows = new ArrayList<>();
        for (Player player : endpoint.arena().players()) {
            int slot = endpoint.cast().slot(player.id());
            if (slot >= 0) {
                boolean own = player.id().equals(viewer);
                long minutes = Math.max(0, now - player.joined()) / MINUTE;
                rows.add(
                        own ? 0 : rows.size(),
                        new Scoreboard.Row(slot, own, player.ping(), minutes));
            }
        }
        return Scoreboard.layout(rows, endpoint.arena().players().size() - rows.size());
    }

    /** Lines of score, ping and name, as many as are at most so long together. */
    String status(int most) {
        StringBuilder lines = new StringBuilder();
        for (Player player : endpoint.arena().players()) {
            String name = PlayerSlots.name(player);
            String line = "0 " + player.ping() + " \"" + name + "\"\n";
            if (lines.length() + line.length() > most) {
                break;
            }
            lines.append(line);
        }
        return lines.toString();
    }

    /**
     * Lines of number, ping, name, game and program, and how to ask for those that found no room.
     *
     * @param command that asked
     * @param first the least number to list
     * @param most characters
     */
    String list(String command, int first, int most) {
        StringBuilder lines = new StringBuilder("num ping name (game)\n");
        List<Player> players =
                endpoint.arena().players().stream()
                        .filter(player -> endpoint.cast().slot(player.id()) >= first)
                        .sorted(
                                Comparator.comparingInt(
                                        player -> endpoint.cast().slot(player.id())))
                        .toList();
        int listed = 0;
        for (Player player : players) {
            String line = line(player);
            if (lines.length() + line.length() > most - REST) {
                lines.append("and ").append(players.size() - listed).append(" more: ");
                lines.append(command)
                        .append(' ')
                        .append(endpoint.cast().slot(player.id()))
                        .append('\n');
                break;
            }
            lines.append(line);
            listed++;
        }
        return lines.toString();
    }

    private String line(Player player) {
        String program = endpoint.program(player.id());
        return String.format(
                Locale.ROOT,
                "%3d %4d %s (%s)%s\n",
                endpoint.cast().slot(player.id()),
                player.ping(),
                Quake2Text.name(player.name()),
                player.game(),
                program.isEmpty() ? "" : " plays with " + program);
    }
}
