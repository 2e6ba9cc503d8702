package dev.wishdir.record.message;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The players and levels as the events so far leave them. */
public final class PlayerTable {
    private final Map<PlayerId, Player> players = new LinkedHashMap<>();
    private final Map<String, Level> levels = new LinkedHashMap<>();

    public void apply(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Left left -> players.remove(left.id());
            case ArenaEvent.OfPlayer of -> players.put(of.id(), of.player());
            case ArenaEvent.LevelChanged changed -> put(changed.game(), changed.level());
            case ArenaEvent.Announcement _,
                    ArenaEvent.RoundStarted _,
                    ArenaEvent.RoundEnded _,
                    ArenaEvent.FlagChanged _,
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
        return new RecordedState(players, levels);
    }
}
