package dev.wishdir.interop;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.PlayerId;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What any run of an arena tells: everybody joins once and leaves once, has a body between being
 * spawned and despawned and moves only with one, and time does not go back.
 */
final class ArenaLaws implements ArenaListener {
    private final Map<PlayerId, Boolean> embodied = new LinkedHashMap<>();
    private final Map<String, Long> movements = new TreeMap<>();
    private final List<String> broken = new ArrayList<>();
    private long time = Long.MIN_VALUE;
    private long events;
    private final List<String> limited = new ArrayList<>();
    private final List<ArenaEvent.MovementViolation> verdicts = new ArrayList<>();

    @Override
    public void onEvent(ArenaEvent event) {
        events++;
        hold(event, event.time() >= time);
        time = event.time();
        switch (event) {
            case ArenaEvent.Joined e -> hold(e, embodied.put(e.id(), false) == null);
            case ArenaEvent.Left e -> hold(e, Boolean.FALSE.equals(embodied.remove(e.id())));
            case ArenaEvent.Spawned e -> hold(e, Boolean.FALSE.equals(embodied.put(e.id(), true)));
            case ArenaEvent.Despawned e ->
                    hold(e, Boolean.TRUE.equals(embodied.put(e.id(), false)));
            case ArenaEvent.Moved e -> {
                movements.merge(e.player().name(), 1L, Long::sum);
                hold(e, Boolean.TRUE.equals(embodied.get(e.id())) && e.movement().isValid());
            }
            case ArenaEvent.Teleported e -> hold(e, Boolean.TRUE.equals(embodied.get(e.id())));
            case ArenaEvent.RateLimited _, ArenaEvent.KickRequested _ ->
                    limited.add(event.toString());
            case ArenaEvent.MovementViolation e -> verdicts.add(e);
            case ArenaEvent.OfPlayer e -> hold(e, embodied.containsKey(e.id()));
            case ArenaEvent.Announcement _,
                    ArenaEvent.FlagChanged _,
                    ArenaEvent.RoundStarted _,
                    ArenaEvent.RoundEnded _,
                    ArenaEvent.ItemVanished _,
                    ArenaEvent.ItemReturned _,
                    ArenaEvent.LevelChanged _,
                    ArenaEvent.JoinRefused _ -> {}
        }
    }

    private void hold(ArenaEvent event, boolean law) {
        if (!law && broken.size() < 20) {
            broken.add(event.toString());
        }
    }

    /** Events that broke a law, the first of them. */
    List<String> broken() {
        return broken;
    }

    /** How often each player has moved, by name; a copy. */
    Map<String, Long> movements() {
        return new TreeMap<>(movements);
    }

    long events() {
        return events;
    }

    /** Who was limited or sent away for doing too much, and when. */
    List<String> limited() {
        return limited;
    }

    /** On players who moved impossibly. */
    List<ArenaEvent.MovementViolation> verdicts() {
        return verdicts;
    }

    /** Everyone who is here, as the events tell. */
    List<PlayerId> here() {
        return List.copyOf(embodied.keySet());
    }
}
