package dev.wishdir.game;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.Viewer;

import java.util.ArrayList;
import java.util.List;

/** A viewer of somebody of another game, that keeps what it is told. */
public final class RecordingViewer implements Viewer {
    public final List<ArenaEvent> events = new ArrayList<>();

    @Override
    public void onEvent(ArenaEvent event) {
        events.add(event);
    }

    @Override
    public void onMovement(List<Player> movers) {}

    /** What it was told of one kind. */
    public <T extends ArenaEvent> List<T> told(Class<T> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }
}
