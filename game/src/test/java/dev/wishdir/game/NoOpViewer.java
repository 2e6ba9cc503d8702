package dev.wishdir.game;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.relay.Viewer;

import java.util.List;

/** A viewer that ignores everything. */
public final class NoOpViewer implements Viewer {
    @Override
    public void onEvent(ArenaEvent event) {}

    @Override
    public void onMovement(List<Player> movers) {}
}
