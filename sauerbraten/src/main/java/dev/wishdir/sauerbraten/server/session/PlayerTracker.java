package dev.wishdir.sauerbraten.server.session;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.sauerbraten.server.view.ForeignPlayers;
import dev.wishdir.sauerbraten.server.view.ForeignPlayers.ForeignPlayer;

import java.util.ArrayList;
import java.util.List;

/**
 * Tracks which players of the arena are foreign: not clients of this endpoint. It sends for them
 * what clients send by themselves: round trips, and positions of bodies that stand still, which a
 * client shows as lagged after a second without one.
 */
public final class PlayerTracker implements ArenaListener {
    /** Interval at which positions of bodies that stand still are sent, nanoseconds. */
    private static final long POSITION_INTERVAL_NANOS = 250_000_000;

    /** Interval at which changed round trips are sent, nanoseconds. */
    private static final long PING_INTERVAL_NANOS = 1_000_000_000;

    private final Arena arena;
    private final ClientTable clients;
    private final ForeignPlayers foreignPlayers;
    private long lastPositions = Long.MIN_VALUE / 2;
    private long lastPings = Long.MIN_VALUE / 2;

    public PlayerTracker(Arena arena, ClientTable clients, ForeignPlayers foreignPlayers) {
        this.arena = arena;
        this.clients = clients;
        this.foreignPlayers = foreignPlayers;
        arena.players().forEach(player -> foreignPlayers.findOrAdd(player.id()));
    }

    /** A player has joined the arena; a client of this endpoint is in the table already. */
    public void onJoined(Player player) {
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

    /** Sends positions and round trips of foreign players if due; returns the next time. */
    public long advance(long now) {
        if (foreignPlayers.all().isEmpty() || clients.sessions().isEmpty()) {
            return Long.MAX_VALUE;
        }
        long due = lastPositions + POSITION_INTERVAL_NANOS;
        if (now < due && now >= lastPositions) {
            return due;
        }
        lastPositions = now;
        sendPositions();
        if (now - lastPings >= PING_INTERVAL_NANOS || now < lastPings) {
            lastPings = now;
            sendPings();
        }
        return now + POSITION_INTERVAL_NANOS;
    }

    private void sendPositions() {
        List<Player> still = new ArrayList<>();
        for (ForeignPlayer foreign : foreignPlayers.all()) {
            arena.find(foreign.id).filter(foreign::standsStill).ifPresent(still::add);
        }
        for (SauerbratenSession session : clients.sessions()) {
            if (session.isJoined() && !still.isEmpty()) {
                session.viewer.onMovement(still);
            }
        }
    }

    private void sendPings() {
        List<ForeignPlayer> changed = new ArrayList<>();
        for (ForeignPlayer foreign : foreignPlayers.all()) {
            if (foreign.updatePing(arena.find(foreign.id).map(Player::ping).orElse(0))) {
                changed.add(foreign);
            }
        }
        for (SauerbratenSession session : clients.sessions()) {
            if (session.isJoined() && !changed.isEmpty()) {
                session.viewer.sendPings(changed);
            }
        }
    }
}
