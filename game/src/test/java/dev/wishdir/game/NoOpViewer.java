package dev.wishdir.game;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.Viewer;

import java.util.List;

/** A viewer of somebody who looks at nothing. */
public final class NoOpViewer implements Viewer {
    @Override
    public void onEvent(ArenaEvent event) {}

    @Override
    public void onMovement(List<Player> movers) {}
}
