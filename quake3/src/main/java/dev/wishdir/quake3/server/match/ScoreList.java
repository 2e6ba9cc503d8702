package dev.wishdir.quake3.server.match;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.match.Match;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.server.session.ClientTable;
import dev.wishdir.quake3.server.session.Quake3Session;
import dev.wishdir.quake3.server.view.PlayerMarks;
import dev.wishdir.quake3.server.view.PlayerMarks.Award;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The {@code scores} command for a client's scoreboard: docs/protocols/quake3.md#reliable-commands.
 */
public final class ScoreList {
    /** Ping of a client that has not entered the game yet. */
    private static final int CONNECTING_PING = -1;

    private static final int MAX_PING_MILLIS = 999;

    private static final long MINUTE_NANOS = 60_000_000_000L;

    private static final int MAX_CHARS = 1_000;

    /** The longest row: its numbers are small, or limited. */
    private static final int MAX_ROW_CHARS = 64;

    private record Entry(int slot, Player player, int frags) {}

    private ScoreList() {}

    /**
     * The scores for one client: itself and the players in its slots, as many as one command holds,
     * some 30. Those with more frags come first, as clients show the rows in this order.
     *
     * @param levelStart server time at which the level began, milliseconds
     */
    public static String command(
            long now, Quake3Session viewer, Arena arena, ClientTable clients, int levelStart) {
        List<Entry> entries = new ArrayList<>();
        for (int i = -1; i < EntityState.MAX_CLIENTS; i++) {
            int slot = i < 0 ? viewer.clientNum() : i;
            PlayerId id = i == viewer.clientNum() ? null : viewer.at(slot);
            if (id != null) {
                arena.find(id)
                        .ifPresent(player ->
                                entries.add(
                                        new Entry(
                                                slot,
                                                player,
                                                arena.match().score(player.id()).frags())));
            }
        }
        entries.sort(Comparator.comparingInt(entry -> -entry.frags));
        // The viewer's own row has its place, also if others fill the board.
        int left = MAX_CHARS;
        boolean isFull = false;
        Map<Integer, String> rows = new LinkedHashMap<>();
        for (Entry entry : entries) {
            boolean isOwn = entry.slot == viewer.clientNum();
            if (isFull && !isOwn) {
                continue;
            }
            String row =
                    row(
                            now,
                            entry.slot,
                            entry.player,
                            entry.frags,
                            clients.find(entry.player.id()),
                            viewer);
            int reserved = isOwn || rows.containsKey(viewer.clientNum()) ? 0 : MAX_ROW_CHARS;
            isFull |= row.length() + reserved > left;
            if (!isFull || isOwn) {
                rows.put(entry.slot, row);
                left -= row.length();
            }
        }
        String start = viewer.openArena() ? " " + levelStart : "";
        Match match = arena.match();
        String teams = " " + match.frags(Team.RED) + " " + match.frags(Team.BLUE);
        return "scores " + rows.size() + teams + start + String.join("", rows.values());
    }

    /**
     * Slot, score, ping, minutes, and ten or eleven statistics, of which the flag, defences and
     * captures are counted.
     */
    private static String row(
            long now,
            int slot,
            Player player,
            int frags,
            @Nullable Quake3Session client,
            Quake3Session viewer) {
        boolean connecting = client != null && !client.isActive();
        int ping = connecting ? CONNECTING_PING : Math.min(MAX_PING_MILLIS, player.ping());
        long minutes = (now - player.joined()) / MINUTE_NANOS;
        PlayerMarks marks = viewer.marks();
        String score = " " + slot + " " + frags + " " + ping + " " + minutes;
        String honours =
                " 0 "
                        + marks.powerups(player.id())
                        + " 0 0 0 0 "
                        + marks.count(player.id(), Award.DEFENCE)
                        + " 0 0 "
                        + marks.count(player.id(), Award.CAPTURE);
        return score + honours + (viewer.openArena() ? " 0" : "");
    }
}
