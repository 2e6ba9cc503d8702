package dev.wishdir.arena;

import dev.wishdir.motion.Movement;

import java.util.Collection;
import java.util.List;

/**
 * Who has a body, and who sees whose. Each viewer is shown as many bodies as it has places for; who
 * gives no sign of life has none for the others.
 */
final class InterestTracker {
    /** How often it is looked who is silent, and who is near whom. */
    private static final long CHECK_INTERVAL_NANOS = 500_000_000;

    private final Collection<ActivePlayer> residents;
    private final EventDispatcher dispatcher;
    private final int mostShown;
    private long nextCheck;

    /**
     * @param residents who is here; a live view
     * @param mostShown how many others a player is shown at the most
     */
    InterestTracker(Collection<ActivePlayer> residents, EventDispatcher dispatcher, int mostShown) {
        this.residents = residents;
        this.dispatcher = dispatcher;
        this.mostShown = mostShown;
    }

    /** Somebody is about to come in, and sees those who are here. */
    void joins(long now, ActivePlayer viewer) {
        if (residents.isEmpty()) {
            nextCheck = now + CHECK_INTERVAL_NANOS;
        }
        for (ActivePlayer other : residents) {
            if (other.spawned()) {
                viewer.interestSet.add(now, other, places(viewer));
            }
        }
    }

    /** Somebody has left. */
    void left(long now, ActivePlayer player) {
        despawn(now, player);
        for (ActivePlayer viewer : residents) {
            viewer.interestSet.forget(player);
        }
    }

    private int places(ActivePlayer viewer) {
        return Math.min(mostShown, viewer.viewer.maxVisiblePlayers());
    }

    /** Gives a player a body; one that it has is taken away before. */
    void spawn(long now, ActivePlayer player, Movement movement) {
        despawn(now, player);
        player.place(movement);
        player.embody(true);
        player.recordActivity(now);
        player.silence(false);
        show(now, player);
    }

    /** Takes a player's body away. */
    void despawn(long now, ActivePlayer player) {
        boolean seen = player.spawned();
        player.embody(false);
        hide(now, player, seen);
    }

    /** A player gave a sign of life; its body is seen again. */
    void recordActivity(long now, ActivePlayer player) {
        player.recordActivity(now);
        if (player.silent()) {
            player.silence(false);
            if (player.embodied()) {
                show(now, player);
            }
        }
    }

    /** Those who have a place for a player see its body. */
    private void show(long now, ActivePlayer player) {
        Player snapshot = player.snapshot();
        for (ActivePlayer viewer : residents) {
            viewer.interestSet.add(now, player, places(viewer));
        }
        dispatcher.tellSeeing(new ArenaEvent.Spawned(now, snapshot, snapshot.movement()), player);
    }

    private void hide(long now, ActivePlayer player, boolean seen) {
        if (seen) {
            dispatcher.tellSeeing(new ArenaEvent.Despawned(now, player.snapshot()), player);
            for (ActivePlayer viewer : residents) {
                viewer.interestSet.remove(player);
            }
        }
    }

    /**
     * Takes the bodies of those away who are silent, and looks who is near whom.
     *
     * @return when to look again
     */
    long watch(long now) {
        if (now >= nextCheck || nextCheck - now > CHECK_INTERVAL_NANOS) {
            // Who could not be heard, since nobody listened or the clock jumped, is not silent.
            boolean listened = Math.abs(now - nextCheck) < Arena.IDLE_TIMEOUT_NANOS;
            nextCheck = now + CHECK_INTERVAL_NANOS;
            for (ActivePlayer player : List.copyOf(residents)) {
                if (!listened) {
                    player.recordActivity(now);
                } else if (!player.silent()
                        && now - player.lastActivity() >= Arena.IDLE_TIMEOUT_NANOS) {
                    boolean seen = player.spawned();
                    player.silence(true);
                    hide(now, player, seen);
                }
            }
            for (ActivePlayer viewer : List.copyOf(residents)) {
                review(now, viewer);
            }
        }
        return nextCheck;
    }

    private void review(long now, ActivePlayer viewer) {
        for (InterestSet.Change change :
                viewer.interestSet.rebalance(now, residents, places(viewer))) {
            ActivePlayer other = change.who();
            if (!viewer.isHere() || !other.isHere() || !other.spawned()) {
                continue;
            }
            Player snapshot = other.snapshot();
            if (change.comes()) {
                if (viewer.interestSet.add(now, other, places(viewer))) {
                    dispatcher.tellOne(
                            viewer,
                            new ArenaEvent.Spawned(now, snapshot, snapshot.movement()),
                            other);
                }
            } else if (viewer.interestSet.remove(other)) {
                dispatcher.tellOne(viewer, new ArenaEvent.Despawned(now, snapshot), other);
            }
        }
    }
}
