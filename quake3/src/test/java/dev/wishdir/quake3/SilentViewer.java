package dev.wishdir.quake3;

import dev.wishdir.arena.Player;
import dev.wishdir.arena.Viewer;

import java.util.List;

/** A player of another game, which hears nothing. */
final class SilentViewer implements Viewer {
    @Override
    public void joined(Player player) {}

    @Override
    public void left(Player player) {}

    @Override
    public void spawned(Player player) {}

    @Override
    public void despawned(Player player) {}

    @Override
    public void moved(List<Player> movers) {}

    @Override
    public void said(Player player, String text) {}

    @Override
    public void renamed(Player player, String oldName) {}

    @Override
    public void announced(String text) {}
}
