package dev.wishdir.record.message;

import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The players and levels at one moment of a recording; immutable.
 *
 * @param players in the order of joining, as far as the recording shows it
 * @param levels by game; name and bounds only
 */
public record RecordedState(Map<PlayerId, Player> players, Map<String, Level> levels) {
    public static final RecordedState EMPTY = new RecordedState(Map.of(), Map.of());

    public RecordedState {
        players = Collections.unmodifiableMap(new LinkedHashMap<>(players));
        levels = Collections.unmodifiableMap(new LinkedHashMap<>(levels));
    }
}
