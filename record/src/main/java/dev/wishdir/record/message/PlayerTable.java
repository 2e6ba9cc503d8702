package dev.wishdir.record.message;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.flag.FlagStatus;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The players, levels and flags as the events so far leave them. */
public final class PlayerTable {
    private final Map<PlayerId, Player> players = new LinkedHashMap<>();
    private final Map<String, Level> levels = new LinkedHashMap<>();
    private List<FlagStatus> flags = List.of();

    public void apply(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Left left -> players.remove(left.id());
            case ArenaEvent.OfPlayer of -> players.put(of.id(), of.player());
            case ArenaEvent.LevelChanged changed -> put(changed.game(), changed.level());
            case ArenaEvent.FlagChanged _, ArenaEvent.RoundStarted _, ArenaEvent.RoundEnded _ ->
                    flags = FlagStatus.after(flags, event);
            case ArenaEvent.Announcement _,
                    ArenaEvent.ItemVanished _,
                    ArenaEvent.ItemReturned _,
                    ArenaEvent.JoinRefused _ -> {}
        }
    }

    void put(Player player) {
        players.put(player.id(), player);
    }

    void put(String game, Level level) {
        levels.put(game, new Level(level.name(), level.bounds()));
    }

    public void replace(RecordedState state) {
        players.clear();
        levels.clear();
        players.putAll(state.players());
        state.levels().forEach(this::put);
        flags = state.flags();
    }

    /** Sets the flags to what a source says, which knows more than the events do. */
    public void setFlags(List<FlagStatus> known) {
        flags = List.copyOf(known);
    }

    List<FlagStatus> flags() {
        return flags;
    }

    Optional<Player> find(PlayerId id) {
        return Optional.ofNullable(players.get(id));
    }

    Collection<Player> players() {
        return players.values();
    }

    Map<String, Level> levels() {
        return levels;
    }

    public RecordedState snapshot() {
        return new RecordedState(players, levels, flags);
    }
}
