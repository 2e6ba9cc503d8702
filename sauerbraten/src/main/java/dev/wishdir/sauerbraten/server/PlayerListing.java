package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Player;
import dev.wishdir.sauerbraten.server.ForeignPlayers.ForeignPlayer;

import java.util.ArrayList;
import java.util.List;

/** The players of all games, as the server browser lists them. */
final class PlayerListing {
    /**
     * One player.
     *
     * @param number the client number; foreign players are numbered as bots are
     * @param ping milliseconds
     */
    record Entry(int number, PlayerAppearance appearance, int ping, Privilege privilege) {}

    private final Arena arena;
    private final ClientTable clients;
    private final ForeignPlayers foreignPlayers;

    PlayerListing(Arena arena, ClientTable clients, ForeignPlayers foreignPlayers) {
        this.arena = arena;
        this.clients = clients;
        this.foreignPlayers = foreignPlayers;
    }

    int count() {
        return arena.playerCount();
    }

    /** The maximum of {@link #count}. */
    int capacity() {
        return arena.maxPlayerCount();
    }

    /** All players with a number, in the order of joining. */
    List<Entry> entries() {
        List<Entry> entries = new ArrayList<>();
        for (Player player : arena.players()) {
            SauerbratenSession session = clients.session(player.id());
            ForeignPlayer foreign = foreignPlayers.find(player.id());
            if (session != null) {
                entries.add(
                        new Entry(
                                session.cn,
                                session.ownAppearance(),
                                session.pings.roundTrip(),
                                session.privilege()));
            } else if (foreign != null) {
                entries.add(
                        new Entry(
                                ClientConnection.MAX_CLIENT_NUMBERS + foreign.slot,
                                ForeignPlayers.appearance(player, true, arena.match()),
                                player.ping(),
                                Privilege.NONE));
            }
        }
        return entries;
    }
}
