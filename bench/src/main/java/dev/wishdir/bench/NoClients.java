package dev.wishdir.bench;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.relay.Viewer;
import dev.wishdir.cluster.message.NodeBan;
import dev.wishdir.cluster.message.NodeEvent;
import dev.wishdir.cluster.message.NodeListener;

import java.util.List;

/** A server of a cluster whose players are simulated: what they are shown goes nowhere. */
final class NoClients implements NodeListener, Viewer {
    @Override
    public boolean onLevelWanted(long now, String name) {
        return false;
    }

    @Override
    public void onBan(long now, NodeBan ban) {}

    /** Without bus or nodes what is measured would be nothing. */
    @Override
    public void onEvent(NodeEvent event) {
        if (event instanceof NodeEvent.Disconnected || event instanceof NodeEvent.NodeLeft) {
            System.err.println(event);
        }
    }

    @Override
    public int maxVisiblePlayers() {
        return Arena.DEFAULT_MAX_VISIBLE_PLAYERS;
    }

    @Override
    public void onEvent(ArenaEvent event) {}

    @Override
    public void onMovement(List<Player> movers) {}
}
