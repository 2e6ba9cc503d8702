package dev.wishdir.quake3.server;

import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.movement.PlayerBody;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The player that a spectator follows. */
final class SpectatorFollow {
    private final Clients clients;
    private final PlayerSlots slots;
    private final PlayerBody body;
    private @Nullable PlayerId followed;

    /**
     * @param body the spectator's own, moved to the last view position when following stops
     */
    SpectatorFollow(Clients clients, PlayerSlots slots, PlayerBody body) {
        this.clients = clients;
        this.slots = slots;
        this.body = body;
    }

    /** Whether a player is followed. */
    boolean follows() {
        return followed != null;
    }

    /** The slot of the followed player, or -1. */
    int slot() {
        return followed == null ? -1 : slots.slot(followed);
    }

    /** Follows a player, if it is visible. */
    void follow(PlayerId player, List<Player> players) {
        if (players.stream().anyMatch(each -> each.id().equals(player))) {
            followed = player;
        }
    }

    /**
     * Follows the next visible player.
     *
     * @param step 1, or -1 for the previous one
     */
    void next(int step, List<Player> players) {
        int from = slot();
        @Nullable Player[] inSlots = slots.inSlots(players);
        for (int i = 1; i <= EntityState.MAX_CLIENTS; i++) {
            Player other = inSlots[Math.floorMod(from + i * step, EntityState.MAX_CLIENTS)];
            if (other != null) {
                followed = other.id();
                return;
            }
        }
    }

    /**
     * The body whose view a follower gets. That of a foreign player is built from its movement with
     * the current command time: it has no usercmds, and a client would show a connection as
     * interrupted if the command time stood still.
     */
    PlayerBody eyes(Player player, int serverTime) {
        Quake3Player client = clients.of(player.id());
        return client == null
                ? PlayerBody.ofForeign(
                        player.movement(), clients.entities().of(player, 0), serverTime)
                : client.body();
    }

    /** Stops following; the view stays at its last position. */
    void stop() {
        if (followed != null) {
            clients.arena().find(followed).ifPresent(this::stop);
            followed = null;
        }
    }

    /** Stops following this player, which may have left, if it is followed. */
    void stop(Player player) {
        if (player.id().equals(followed)) {
            body.place(eyes(player, 0).origin());
            followed = null;
        }
    }
}
