package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.ArenaListener;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.sauerbraten.server.ForeignPlayers.ForeignPlayer;

import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/** Tracks which players of the arena are clients of this endpoint, and which are foreign. */
final class PlayerTracker implements ArenaListener {
    private final Arena arena;
    private final ClientTable clients;
    private final ForeignPlayers foreignPlayers;
    private @Nullable SauerbratenSession joining;

    PlayerTracker(Arena arena, ClientTable clients, ForeignPlayers foreignPlayers) {
        this.arena = arena;
        this.clients = clients;
        this.foreignPlayers = foreignPlayers;
        arena.players().forEach(player -> foreignPlayers.findOrAdd(player.id()));
    }

    /**
     * Joins a client to the arena.
     *
     * @param join joins the arena, which notifies the other viewers before it returns
     */
    void join(SauerbratenSession session, Supplier<ArenaPlayer> join) {
        joining = session;
        bind(session, join.get());
    }

    /** A player has joined the arena: a foreign player, or the client that is joining now. */
    void onJoined(Player player) {
        SauerbratenSession session = joining;
        PlayerId playerId = player.id();
        if (clients.session(playerId) != null || foreignPlayers.find(playerId) != null) {
            return;
        }
        arena.player(playerId)
                .ifPresent(handle -> {
                    if (session == null) {
                        foreignPlayers.findOrAdd(playerId);
                    } else {
                        bind(session, handle);
                    }
                });
    }

    private void bind(SauerbratenSession session, ArenaPlayer player) {
        if (session.connection.player().isEmpty()) {
            session.connection.onJoined(player);
            clients.addPlayer(player.id(), session);
            joining = null;
        }
    }

    /** An event of the arena, after the viewers have received it. */
    @Override
    public void onEvent(ArenaEvent event) {
        if (event instanceof ArenaEvent.Joined(_, Player player)) {
            onJoined(player);
        } else if (event instanceof ArenaEvent.Left left) {
            ForeignPlayer gone = foreignPlayers.remove(left.id());
            if (gone != null) {
                clients.sessions().forEach(session -> session.viewer.forget(gone));
            }
        }
    }
}
