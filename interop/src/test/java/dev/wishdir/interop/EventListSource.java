package dev.wishdir.interop;

import dev.wishdir.app.replay.ReplaySource;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.record.message.RecordedState;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Events of an arena as a recording of them, which grows until it is complete. */
final class EventListSource implements ReplaySource {
    private final List<ArenaEvent> events = new ArrayList<>();
    private List<ArenaEvent> written = List.of();
    private boolean complete;

    /** Adds an event with its movement as bytes, as a recording has it. */
    void add(ArenaEvent event) {
        events.add(recorded(event));
    }

    private static ArenaEvent recorded(ArenaEvent event) {
        return switch (event) {
            case ArenaEvent.Moved e -> new ArenaEvent.Moved(e.time(), of(e.player()), e.movement());
            case ArenaEvent.Spawned e ->
                    new ArenaEvent.Spawned(e.time(), of(e.player()), e.movement());
            case ArenaEvent.Teleported e ->
                    new ArenaEvent.Teleported(e.time(), of(e.player()), e.movement());
            default -> event;
        };
    }

    private static Player of(Player player) {
        NativeMovement movement = player.nativeMovement();
        return new Player(
                player.id(),
                player.game(),
                player.name(),
                player.joined(),
                player.ping(),
                player.spawned(),
                player.movement(),
                new NativeMovement.Stored(movement.form(), movement.bytes()));
    }

    /** Nothing is added any more. */
    EventListSource complete() {
        complete = true;
        refresh();
        return this;
    }

    List<ArenaEvent> events() {
        return events;
    }

    @Override
    public long startNanos() {
        return written.isEmpty() ? 0 : written.getFirst().time();
    }

    @Override
    public long endNanos() {
        return written.isEmpty() ? 0 : written.getLast().time();
    }

    @Override
    public boolean isComplete() {
        return complete;
    }

    @Override
    public void refresh() {
        written = List.copyOf(events);
    }

    @Override
    public RecordedState stateAt(long nanos) {
        Map<PlayerId, Player> players = new LinkedHashMap<>();
        for (ArenaEvent event : written) {
            if (event.time() > nanos) {
                break;
            }
            if (event instanceof ArenaEvent.Left left) {
                players.remove(left.id());
            } else if (event instanceof ArenaEvent.OfPlayer of) {
                players.put(of.id(), of(of.player()));
            }
        }
        return new RecordedState(players, Map.of());
    }

    @Override
    public Events eventsAfter(long nanos) {
        return new Events() {
            private int next;

            @Override
            public @Nullable ArenaEvent next() {
                while (next < written.size() && written.get(next).time() <= nanos) {
                    next++;
                }
                return next < written.size() ? written.get(next++) : null;
            }
        };
    }

    @Override
    public void close() {}
}
