package dev.wishdir.quake2.server;

import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.quake2.protocol.Quake2Text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Lists of the players of all games, in the formats of clients, operators and server lists. */
final class PlayerListings {
    private static final long MINUTE_NANOS = 60_000_000_000L;

    /** Room for the line that says how to list the rest. */
    private static final int MORE_LINE_CHARS = 40;

    private final Quake2Endpoint endpoint;

    PlayerListings(Quake2Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** The scoreboard as a layout program of a client's status bar, with the viewer first. */
    String board(long now, PlayerId viewer) {
        List<Scoreboard.Row> rows = new ArrayList<>();
        for (Player player : endpoint.arena().players()) {
            int slot = endpoint.entityTable().slot(player.id());
            if (slot >= 0) {
                boolean own = player.id().equals(viewer);
                long minutes = Math.max(0, now - player.joined()) / MINUTE_NANOS;
                rows.add(
                        own ? 0 : rows.size(),
                        new Scoreboard.Row(slot, own, player.ping(), minutes));
            }
        }
        return Scoreboard.layout(rows, endpoint.arena().players().size() - rows.size());
    }

    /** Lines of score, ping and name, as many as fit into {@code maxChars}. */
    String status(int maxChars) {
        StringBuilder lines = new StringBuilder();
        for (Player player : endpoint.arena().players()) {
            String name = PlayerSlots.name(player);
            String line = "0 " + player.ping() + " \"" + name + "\"\n";
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
    String list(String command, int first, int maxChars) {
        StringBuilder lines = new StringBuilder("num ping name (game)\n");
        List<Player> players =
                endpoint.arena().players().stream()
                        .filter(player -> endpoint.entityTable().slot(player.id()) >= first)
                        .sorted(
                                Comparator.comparingInt(
                                        player -> endpoint.entityTable().slot(player.id())))
                        .toList();
        int listed = 0;
        for (Player player : players) {
            String line = line(player);
            if (lines.length() + line.length() > maxChars - MORE_LINE_CHARS) {
                lines.append("and ").append(players.size() - listed).append(" more: ");
                lines.append(command)
                        .append(' ')
                        .append(endpoint.entityTable().slot(player.id()))
                        .append('\n');
                break;
            }
            lines.append(line);
            listed++;
        }
        return lines.toString();
    }

    private String line(Player player) {
        String client = endpoint.program(player.id());
        return String.format(
                Locale.ROOT,
                "%3d %4d %s (%s)%s\n",
                endpoint.entityTable().slot(player.id()),
                player.ping(),
                Quake2Text.name(player.name()),
                player.game(),
                client.isEmpty() ? "" : " client " + client);
    }
}
