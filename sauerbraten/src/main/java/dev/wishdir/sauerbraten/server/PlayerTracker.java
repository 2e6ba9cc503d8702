package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.ArenaListener;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.sauerbraten.server.ForeignPlayers.ForeignPlayer;

/** Tracks which players of the arena are foreign: not clients of this endpoint. */
final class PlayerTracker implements ArenaListener {
    private final Arena arena;
    private final ClientTable clients;
    private final ForeignPlayers foreignPlayers;

    PlayerTracker(Arena arena, ClientTable clients, ForeignPlayers foreignPlayers) {
        this.arena = arena;
        this.clients = clients;
        this.foreignPlayers = foreignPlayers;
        arena.players().forEach(player -> foreignPlayers.findOrAdd(player.id()));
    }

    /** A player has joined the arena; a client of this endpoint is in the table already. */
    void onJoined(Player player) {
        PlayerId playerId = player.id();
        if (clients.session(playerId) == null && arena.contains(playerId)) {
            foreignPlayers.findOrAdd(playerId);
        }
    }

    /** An event of the arena, after the viewers have received it. */
    @Override
    public void onEvent(ArenaEvent event) {
        if (event instanceof ArenaEvent.Joined(_, Player player)) {
            onJoined(player);
        } else if (event instanceof ArenaEvent.Left left) {
            clients.removePlayer(left.id());
            ForeignPlayer gone = foreignPlayers.remove(left.id());
            if (gone != null) {
                clients.sessions().forEach(session -> session.viewer.forget(gone));
            }
        }
    }
}
