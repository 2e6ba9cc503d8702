package dev.wishdir.app;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.ArenaListener;
import dev.wishdir.arena.Player;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.world.blocks.Arenas;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Who is where, for views on other threads: the arena writes it, anyone reads it. */
final class Roster implements ArenaListener {
    /** One player at one moment. */
    record Entry(int id, String game, String name, Movement movement, boolean spawned) {}

    private final Map<Integer, Entry> entries = new ConcurrentHashMap<>();

    private volatile Bounds bounds = Arenas.FLAT.bounds();

    /** Where everyone may be, metres. */
    Bounds bounds() {
        return bounds;
    }

    /** Everyone, by id. */
    List<Entry> entries() {
        return entries.values().stream().sorted(Comparator.comparingInt(Entry::id)).toList();
    }

    private void put(Player player) {
        int id = player.id().number();
        entries.put(
                id,
                new Entry(id, player.game(), player.name(), player.movement(), player.spawned()));
    }

    @Override
    public void told(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Left left -> entries.remove(left.id().number());
            case ArenaEvent.Said _,
                    ArenaEvent.Announced _,
                    ArenaEvent.Refused _,
                    ArenaEvent.Restyled _,
                    ArenaEvent.Verdict _,
                    ArenaEvent.ToPlayer _ -> {}
            case ArenaEvent.LevelChanged e -> bounds = e.bounds();
            case ArenaEvent.OfPlayer of -> put(of.player());
        }
    }
}
