package dev.wishdir.quake3.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.movement.PlayerBody;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The spectating of one client, and the player that it follows. */
final class SpectatorFollow {
    private final Arena arena;
    private final LocalPlayer.Lookup localPlayers;
    private final MovementCache movementCache;
    private final PlayerSlots slots;
    private final PlayerBody body;
    private @Nullable PlayerId followed;

    /** Whether the client's last {@code team} command asked to spectate. */
    private boolean wantsToSpectate;

    /**
     * @param body the spectator's own, moved to the last view position when following stops
     */
    SpectatorFollow(
            Arena arena,
            LocalPlayer.Lookup localPlayers,
            MovementCache movementCache,
            PlayerSlots slots,
            PlayerBody body) {
        this.arena = arena;
        this.localPlayers = localPlayers;
        this.movementCache = movementCache;
        this.slots = slots;
        this.body = body;
    }

    /** Handles a request to spectate or to play. Returns whether it changes anything. */
    boolean request(boolean spectate) {
        boolean change = spectate != body.spectates() || spectate != wantsToSpectate;
        wantsToSpectate = spectate;
        return change;
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
        LocalPlayer local = localPlayers.find(player.id());
        return local == null
                ? PlayerBody.ofForeign(player.movement(), movementCache.of(player, 0), serverTime)
                : local.body();
    }

    /** Stops following; the view stays at its last position. */
    void stop() {
        if (followed != null) {
            arena.find(followed).ifPresent(this::stop);
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
