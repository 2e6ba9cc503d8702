package dev.wishdir.quake3.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Match;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.arena.Team;
import dev.wishdir.quake3.message.EntityState;

import org.jspecify.annotations.Nullable;

/**
 * The {@code scores} command for a client's scoreboard: docs/protocols/quake3.md#reliable-commands.
 */
final class Scores {
    /** Ping of a client that has not entered the game yet. */
    private static final int CONNECTING_PING = -1;

    private static final int MAX_PING_MILLIS = 999;

    private static final long MINUTE_NANOS = 60_000_000_000L;

    private static final int MAX_CHARS = 1_000;

    private Scores() {}

    /**
     * The scores for one client: itself, then the players in its slots, as many as one command
     * holds, some 30.
     *
     * @param levelStart server time at which the level began, milliseconds
     */
    static String command(
            long now, Quake3Session viewer, Arena arena, ClientTable clients, int levelStart) {
        StringBuilder rows = new StringBuilder();
        int count = 0;
        for (int i = -1; i < EntityState.MAX_CLIENTS; i++) {
            int slot = i < 0 ? viewer.clientNum() : i;
            PlayerId id = i == viewer.clientNum() ? null : viewer.at(slot);
            Player player = id == null ? null : arena.find(id).orElse(null);
            if (player == null) {
                continue;
            }
            String row =
                    row(
                            now,
                            slot,
                            player,
                            arena.match().score(player.id()).frags(),
                            clients.find(player.id()),
                            viewer.openArena());
            if (rows.length() + row.length() > MAX_CHARS) {
                break;
            }
            rows.append(row);
            count++;
        }
        String start = viewer.openArena() ? " " + levelStart : "";
        Match match = arena.match();
        String teams = " " + match.frags(Team.RED) + " " + match.frags(Team.BLUE);
        return "scores " + count + teams + start + rows;
    }

    /** Slot, score, ping, minutes, and ten or eleven statistics that are always 0. */
    private static String row(
            long now,
            int slot,
            Player player,
            int frags,
            @Nullable Quake3Session client,
            boolean openArena) {
        boolean connecting = client != null && !client.isActive();
        int ping = connecting ? CONNECTING_PING : Math.min(MAX_PING_MILLIS, player.ping());
        long minutes = (now - player.joined()) / MINUTE_NANOS;
        String rest = " 0 0 0 0 0 0 0 0 0 0" + (openArena ? " 0" : "");
        return " " + slot + " " + frags + " " + ping + " " + minutes + rest;
    }
}
