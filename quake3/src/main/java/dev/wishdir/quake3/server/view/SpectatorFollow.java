package dev.wishdir.quake3.server.view;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.Combatant;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.Match;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.movement.PlayerBody;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The spectating of one client, and the player that it follows. */
public final class SpectatorFollow {
    private static final Vitals WHOLE = new Vitals(100, 0, 0);

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
    public SpectatorFollow(
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
    public boolean request(boolean spectate) {
        boolean change = spectate != body.spectates() || spectate != wantsToSpectate;
        wantsToSpectate = spectate;
        return change;
    }

    /** Whether a player is followed. */
    public boolean follows() {
        return followed != null;
    }

    /**
     * The followed player, also while it is dead; empty if none is followed. One that only watches
     * from now on is no longer followed.
     */
    Optional<Player> player() {
        if (followed != null && arena.match().isWatching(followed)) {
            stop();
        }
        return Optional.ofNullable(followed).flatMap(arena::find);
    }

    /** The slot of the followed player, or -1. */
    int slot() {
        return followed == null ? -1 : slots.slot(followed);
    }

    /** Follows a player, if it is visible. */
    public void follow(PlayerId player, List<Player> players) {
        if (players.stream().anyMatch(each -> each.id().equals(player))) {
            followed = player;
        }
    }

    /**
     * Follows the next visible player.
     *
     * @param step 1, or -1 for the previous one
     */
    public void next(int step, List<Player> players) {
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
        if (local != null) {
            return local.body();
        }
        Match match = arena.match();
        Vitals vitals = vitals(player.id());
        PlayerBody foreign =
                PlayerBody.ofForeign(
                        player.movement(),
                        movementCache.of(player, 0),
                        serverTime,
                        (int) Math.ceil(vitals.health()),
                        (int) Math.ceil(vitals.armour()));
        Score score = match.score(player.id());
        List<Integer> frags = match.standings().stream().map(it -> it.score().frags()).toList();
        foreign.combat()
                .setScore(
                        score.frags(),
                        score.deaths(),
                        Math.max(0, frags.indexOf(score.frags())),
                        Collections.frequency(frags, score.frags()) > 1);
        return foreign;
    }

    /** Health and armour; whole without a match, and of a player of another server. */
    private Vitals vitals(PlayerId player) {
        Optional<Combatant> combatant =
                arena.player(player).filter(_ -> arena.match().isOn()).map(ArenaPlayer::combatant);
        boolean isDead = combatant.filter(it -> !it.isAlive()).isPresent();
        return isDead
                ? Vitals.NONE
                : combatant.map(Combatant::vitals).filter(it -> it.health() > 0).orElse(WHOLE);
    }

    /** Stops following; the view stays at its last position. */
    public void stop() {
        if (followed != null) {
            arena.find(followed).ifPresent(this::stop);
            followed = null;
        }
    }

    /** Stops following this player, which may have left, if it is followed. */
    public void stop(Player player) {
        if (player.id().equals(followed)) {
            body.place(eyes(player, 0).origin());
            followed = null;
        }
    }
}
