package dev.wishdir.sauerbraten.server.join;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Player;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.server.session.ClientConnection;
import dev.wishdir.sauerbraten.server.session.ClientTable;
import dev.wishdir.sauerbraten.server.session.Privilege;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;
import dev.wishdir.sauerbraten.server.view.ForeignPlayers;
import dev.wishdir.sauerbraten.server.view.ForeignPlayers.ForeignPlayer;
import dev.wishdir.sauerbraten.server.view.MatchBoard;
import dev.wishdir.sauerbraten.server.view.PlayerAppearance;

import java.util.ArrayList;
import java.util.List;

/** The players of all games, as the server browser lists them. */
public final class PlayerListing {
    /**
     * One player.
     *
     * @param number the client number; foreign players are numbered as bots are
     * @param ping milliseconds
     */
    record Entry(int number, PlayerAppearance appearance, int ping, Privilege privilege) {}

    private final EndpointContext context;
    private final Arena arena;
    private final ClientTable clients;
    private final ForeignPlayers foreignPlayers;
    private final MatchBoard board;

    public PlayerListing(
            EndpointContext context,
            ClientTable clients,
            ForeignPlayers foreignPlayers,
            MatchBoard board) {
        this.context = context;
        arena = context.arena();
        this.clients = clients;
        this.foreignPlayers = foreignPlayers;
        this.board = board;
    }

    int count() {
        return arena.playerCount();
    }

    /** The maximum of {@link #count}. */
    int capacity() {
        return context.capacity(SauerbratenCodec.GAME);
    }

    /** All players with a number, in the order of joining, without ghosts. */
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
            } else if (foreign != null && !player.isGhost()) {
                entries.add(
                        new Entry(
                                ClientConnection.MAX_CLIENT_NUMBERS + foreign.slot,
                                ForeignPlayers.appearance(
                                        player, true, arena.match().vitals(player.id()), board),
                                player.ping(),
                                Privilege.NONE));
            }
        }
        return entries;
    }
}
