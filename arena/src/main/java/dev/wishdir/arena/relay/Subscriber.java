package dev.wishdir.arena.relay;

import dev.wishdir.arena.player.ActivePlayer;

/**
 * A player's viewer, and what it is to be sent: the movement of its interest set, and the events
 * that wait until it is no longer congested.
 */
public final class Subscriber {
    public final ActivePlayer player;
    public final Viewer viewer;

    /** Number of the player's join event: the viewer receives only later events. */
    final long since;

    public final InterestSet interestSet;
    final DeferredEvents deferred;

    public Subscriber(ActivePlayer player, Viewer viewer, long since) {
        this.player = player;
        this.viewer = viewer;
        this.since = since;
        interestSet = new InterestSet(player, viewer);
        deferred = new DeferredEvents(player, viewer, interestSet);
    }

    @Override
    public String toString() {
        return player.toString();
    }
}
