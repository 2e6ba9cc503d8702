package dev.wishdir.game.operator;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.relay.Viewer;

import java.util.ArrayList;
import java.util.List;

/** A viewer of another game that records its notifications. */
public final class RecordingViewer implements Viewer {
    public final List<ArenaEvent> events = new ArrayList<>();

    @Override
    public void onEvent(ArenaEvent event) {
        events.add(event);
    }

    @Override
    public void onMovement(List<Player> movers) {}

    /** Its notifications of one kind. */
    public <T extends ArenaEvent> List<T> told(Class<T> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }
}
