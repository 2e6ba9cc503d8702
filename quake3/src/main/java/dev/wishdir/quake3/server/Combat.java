package dev.wishdir.quake3.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.quake3.combat.Weapon;
import dev.wishdir.quake3.server.combat.ForeignMissiles;
import dev.wishdir.quake3.server.combat.HitHandler;
import dev.wishdir.quake3.server.combat.ItemHandler;
import dev.wishdir.quake3.server.combat.LifeHandler;
import dev.wishdir.quake3.server.combat.ShotHandler;
import dev.wishdir.quake3.server.combat.UsercmdExecutor;
import dev.wishdir.quake3.server.match.FlagBoard;
import dev.wishdir.quake3.server.match.ScoreBoard;

import java.util.List;
import java.util.Set;

/** Handlers of an endpoint for usercmds, shots, lives, items and flags. */
final class Combat {
    final UsercmdExecutor executor;
    final ForeignMissiles foreignMissiles;
    final ScoreBoard scores;
    final FlagBoard flags;

    /** Listeners to the arena, in the order in which they hear its events. */
    final List<ArenaListener> listeners;

    /**
     * @param weapons with which a life in a match begins
     */
    Combat(Shared shared, Set<Weapon> weapons) {
        Arena arena = shared.arena;
        HitHandler hits = new HitHandler(arena, shared.clients);
        ItemHandler items =
                new ItemHandler(arena.match().items(), shared.running, shared.combatEntities);
        executor =
                new UsercmdExecutor(
                        shared.context,
                        shared.running,
                        new ShotHandler(shared.running, shared.combatEntities, hits),
                        new LifeHandler(
                                arena, shared.running, shared.combatEntities, hits, weapons),
                        items);
        foreignMissiles = new ForeignMissiles(arena, shared.combatEntities);
        scores = new ScoreBoard(arena, shared.clients, shared.running);
        flags =
                new FlagBoard(
                        arena, shared.clients, shared.running, shared.combatEntities, shared.marks);
        listeners =
                List.of(
                        shared.movementCache,
                        new CombatListener(
                                arena,
                                shared.clients,
                                shared.running,
                                executor,
                                shared.combatEntities,
                                hits,
                                scores),
                        items,
                        flags);
    }
}
