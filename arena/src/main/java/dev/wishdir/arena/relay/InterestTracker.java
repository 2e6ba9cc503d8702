package dev.wishdir.arena.relay;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.player.ActivePlayer;
import dev.wishdir.motion.Movement;

import java.util.List;

/**
 * Keeps the interest sets of all viewers and hides players after the idle time-out. Each viewer
 * sees the bodies of the nearest players, up to its capacity.
 */
public final class InterestTracker {
    /** Interval of the checks for idle players and distances. */
    private static final long CHECK_INTERVAL_NANOS = 500_000_000;

    private final List<ActivePlayer> activePlayers;
    private final EventDispatcher dispatcher;
    private final int maxVisible;
    private final PlayerGrid grid = new PlayerGrid();
    private long nextCheck;

    /**
     * @param activePlayers live view of the players; may change while it is iterated over
     * @param maxVisible maximum number of other players that a viewer sees
     */
    public InterestTracker(
            List<ActivePlayer> activePlayers, EventDispatcher dispatcher, int maxVisible) {
        this.activePlayers = activePlayers;
        this.dispatcher = dispatcher;
        this.maxVisible = maxVisible;
    }

    /** Adds the players that are here to the interest set of a viewer that is about to join. */
    public void addViewer(long now, Subscriber viewer) {
        if (activePlayers.isEmpty()) {
            nextCheck = now + CHECK_INTERVAL_NANOS;
        }
        for (ActivePlayer other : activePlayers) {
            if (other.spawned()) {
                viewer.interestSet.add(now, other, capacity(viewer));
            }
        }
    }

    /** Removes a player that has left from all interest sets. */
    public void removePlayer(long now, ActivePlayer player) {
        despawn(now, player);
        for (Subscriber viewer : dispatcher.subscribers()) {
            viewer.interestSet.removeLeft(player);
        }
    }

    private int capacity(Subscriber viewer) {
        return Math.min(maxVisible, viewer.viewer.maxVisiblePlayers());
    }

    /** Gives a player a body; a body that it has is removed before. */
    public void spawn(long now, ActivePlayer player, Movement movement) {
        despawn(now, player);
        player.place(movement);
        player.embody(true);
        player.recordActivity(now);
        player.silence(false);
        show(now, player);
    }

    public void despawn(long now, ActivePlayer player) {
        despawn(now, player, () -> {});
    }

    /**
     * Removes the body of a player.
     *
     * @param before notifies of the reason, when the player has no body any more
     */
    public void despawn(long now, ActivePlayer player, Runnable before) {
        boolean wasVisible = player.spawned();
        player.embody(false);
        before.run();
        hide(now, player, wasVisible);
    }

    /** Records activity of a client; a hidden body becomes visible again. */
    public void recordActivity(long now, ActivePlayer player) {
        player.recordActivity(now);
        if (player.silent()) {
            player.silence(false);
            if (player.embodied()) {
                show(now, player);
            }
        }
    }

    /** Shows a player's body to the viewers with room for it. */
    private void show(long now, ActivePlayer player) {
        Player snapshot = player.snapshot();
        for (Subscriber viewer : dispatcher.subscribers()) {
            viewer.interestSet.add(now, player, capacity(viewer));
        }
        dispatcher.dispatchToViewersOf(
                new ArenaEvent.Spawned(now, snapshot, snapshot.movement()), player);
    }

    private void hide(long now, ActivePlayer player, boolean wasVisible) {
        if (wasVisible) {
            dispatcher.dispatchToViewersOf(
                    new ArenaEvent.Despawned(now, player.snapshot()), player);
            for (Subscriber viewer : dispatcher.subscribers()) {
                viewer.interestSet.remove(player);
            }
        }
    }

    /**
     * Hides idle players and rebalances the interest sets.
     *
     * @return when to call again
     */
    public long advance(long now) {
        if (now >= nextCheck || nextCheck - now > CHECK_INTERVAL_NANOS) {
            // Silence proves nothing if the server did not listen (pause, clock jump).
            boolean listened = Math.abs(now - nextCheck) < Player.IDLE_TIMEOUT_NANOS;
            nextCheck = now + CHECK_INTERVAL_NANOS;
            for (Subscriber subscriber : dispatcher.subscribers()) {
                ActivePlayer player = subscriber.player;
                if (!listened) {
                    player.recordActivity(now);
                } else if (!player.silent()
                        && now - player.lastActivity() >= Player.IDLE_TIMEOUT_NANOS) {
                    boolean wasVisible = player.spawned();
                    player.silence(true);
                    hide(now, player, wasVisible);
                }
            }
            if (!dispatcher.subscribers().isEmpty()) {
                grid.update(activePlayers);
            }
            for (Subscriber viewer : dispatcher.subscribers()) {
                rebalance(now, viewer);
            }
        }
        return nextCheck;
    }

    private void rebalance(long now, Subscriber viewer) {
        for (InterestSet.Change change :
                viewer.interestSet.rebalance(now, grid, capacity(viewer))) {
            ActivePlayer other = change.player();
            if (!viewer.player.isHere() || !other.isHere() || !other.spawned()) {
                continue;
            }
            Player snapshot = other.snapshot();
            if (change.visible()) {
                if (viewer.interestSet.add(now, other, capacity(viewer))) {
                    dispatcher.dispatchTo(
                            viewer,
                            new ArenaEvent.Spawned(now, snapshot, snapshot.movement()),
                            other);
                }
            } else if (viewer.interestSet.remove(other)) {
                dispatcher.dispatchTo(viewer, new ArenaEvent.Despawned(now, snapshot), other);
            }
        }
    }
}
