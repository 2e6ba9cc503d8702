package dev.wishdir.app;

import dev.wishdir.arena.Observer;
import dev.wishdir.arena.Player;
import dev.wishdir.motion.Movement;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** Who is where, for views on other threads: the arena writes it, anyone reads it. */
final class Roster implements Observer {
    /** One player at one moment. */
    record Entry(int id, String game, String name, Movement movement, boolean spawned) {}

    private final Map<Integer, Entry> entries = new ConcurrentSkipListMap<>();

    /** Everyone, by id. */
    List<Entry> entries() {
        return List.copyOf(entries.values());
    }

    private void put(Player player) {
        entries.put(
                player.id(),
                new Entry(
                        player.id(),
                        player.game(),
                        player.name(),
                        player.movement(),
                        player.spawned()));
    }

    @Override
    public void joined(Player player) {
        put(player);
    }

    @Override
    public void left(Player player) {
        entries.remove(player.id());
    }

    @Override
    public void spawned(Player player) {
        put(player);
    }

    @Override
    public void despawned(Player player) {
        put(player);
    }

    @Override
    public void moved(Player player) {
        put(player);
    }

    @Override
    public void renamed(Player player, String oldName) {
        put(player);
    }
}
