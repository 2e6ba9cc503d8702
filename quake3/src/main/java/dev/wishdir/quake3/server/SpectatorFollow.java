package dev.wishdir.quake3.server;

import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.movement.PlayerBody;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** With whose eyes a spectator sees. */
final class SpectatorFollow {
    private final Clients clients;
    private final PlayerSlots visible;
    private final PlayerBody body;
    private @Nullable PlayerId followed;

    /**
     * @param body the spectator's own, which is where it has seen last when it stops
     */
    SpectatorFollow(Clients clients, PlayerSlots visible, PlayerBody body) {
        this.clients = clients;
        this.visible = visible;
        this.body = body;
    }

    /** Whether it sees with another's eyes. */
    boolean follows() {
        return followed != null;
    }

    /** The slot of whom it sees with, -1 for nobody. */
    int slot() {
        return followed == null ? -1 : visible.slot(followed);
    }

    /** Sees with a player's eyes, if it is shown. */
    void follow(PlayerId player, List<Player> shown) {
        if (shown.stream().anyMatch(each -> each.id().equals(player))) {
            followed = player;
        }
    }

    /**
     * Sees with the next player's eyes.
     *
     * @param step 1, or -1 for the one before
     */
    void next(int step, List<Player> shown) {
        int from = slot();
        @Nullable Player[] inSlots = visible.inSlots(shown);
        for (int i = 1; i <= EntityState.MAX_CLIENTS; i++) {
            Player other = inSlots[Math.floorMod(from + i * step, EntityState.MAX_CLIENTS)];
            if (other != null) {
                followed = other.id();
                return;
            }
        }
    }

    /**
     * The body with whose eyes one sees who follows a player. One of elsewhere is made up: it has
     * no commands, and a client whose own are all newer would take its line for dead.
     */
    PlayerBody eyes(Player player, int serverTime) {
        Quake3Player same = clients.of(player.id());
        return same == null
                ? PlayerBody.seen(player.movement(), clients.entities().of(player, 0), serverTime)
                : same.body();
    }

    /** Sees with its own eyes again, from where it has seen last. */
    void stop() {
        if (followed != null) {
            clients.arena().find(followed).ifPresent(this::stop);
            followed = null;
        }
    }

    /** Stops seeing with the eyes of a player, who may have left, if it does. */
    void stop(Player player) {
        if (player.id().equals(followed)) {
            body.place(eyes(player, 0).origin());
            followed = null;
        }
    }
}
