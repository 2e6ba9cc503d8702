package dev.wishdir.game;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.Viewer;

import java.util.List;

/** A viewer that ignores everything. */
public final class NoOpViewer implements Viewer {
    @Override
    public void onEvent(ArenaEvent event) {}

    @Override
    public void onMovement(List<Player> movers) {}
}
