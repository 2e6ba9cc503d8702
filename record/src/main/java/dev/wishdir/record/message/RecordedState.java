package dev.wishdir.record.message;

import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.flag.FlagStatus;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The players, levels and flags at one moment of a recording; immutable.
 *
 * @param players in the order of joining, as far as the recording shows it
 * @param levels by game; name and bounds only
 * @param flags red first; empty without a match with flags
 */
public record RecordedState(
        Map<PlayerId, Player> players, Map<String, Level> levels, List<FlagStatus> flags) {
    public static final RecordedState EMPTY = new RecordedState(Map.of(), Map.of());

    /** A state without flags. */
    public RecordedState(Map<PlayerId, Player> players, Map<String, Level> levels) {
        this(players, levels, List.of());
    }

    public RecordedState {
        players = Collections.unmodifiableMap(new LinkedHashMap<>(players));
        levels = Collections.unmodifiableMap(new LinkedHashMap<>(levels));
        flags = List.copyOf(flags);
    }
}
