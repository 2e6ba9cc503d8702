package dev.wishdir.quake3.server;

import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.quake3.message.EntityState;

import org.jspecify.annotations.Nullable;

/** What a client shows on its scoreboard: Quake III, reliable commands. */
final class Scores {
    /** A client that has not entered the game yet. */
    private static final int CONNECTING = -1;

    private static final int MAX_PING_MILLIS = 999;

    private static final long MINUTE = 60_000_000_000L;

    private static final int MAX_CHARS = 1_000;

    private Scores() {}

    /**
     * The answer to a client that asks: itself, then who has a slot for it, as many as a command
     * holds, some thirty.
     *
     * @param levelStart when the level began, milliseconds of the server's clock
     */
    static String command(long now, Quake3Player viewer, Clients clients, int levelStart) {
        StringBuilder rows = new StringBuilder();
        int count = 0;
        for (int i = -1; i < EntityState.MAX_CLIENTS; i++) {
            int slot = i < 0 ? viewer.clientNum() : i;
            PlayerId id = i == viewer.clientNum() ? null : viewer.at(slot);
            Player player = id == null ? null : clients.arena().find(id).orElse(null);
            if (player == null) {
                continue;
            }
            String row = row(now, slot, player, clients.of(player.id()), viewer.openArena());
            if (rows.length() + row.length() > MAX_CHARS) {
                break;
            }
            rows.append(row);
            count++;
        }
        String start = viewer.openArena() ? " " + levelStart : "";
        return "scores " + count + " 0 0" + start + rows;
    }

    /** Slot, score, ping, minutes, and ten or eleven numbers of what nobody does here. */
    private static String row(
            long now, int slot, Player player, @Nullable Quake3Player same, boolean openArena) {
        boolean connecting = same != null && !same.plays();
        int ping = connecting ? CONNECTING : Math.min(MAX_PING_MILLIS, player.ping());
        long minutes = (now - player.joined()) / MINUTE;
        String rest = " 0 0 0 0 0 0 0 0 0 0" + (openArena ? " 0" : "");
        return " " + slot + " 0 " + ping + " " + minutes + rest;
    }
}
