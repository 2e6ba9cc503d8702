package dev.wishdir.quake2.server;

import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.quake2.combat.Loadout;
import dev.wishdir.quake2.server.combat.EffectSink;
import dev.wishdir.quake2.server.combat.ForeignMissiles;
import dev.wishdir.quake2.server.combat.HitHandler;
import dev.wishdir.quake2.server.combat.LifeHandler;
import dev.wishdir.quake2.server.combat.MissileHandler;
import dev.wishdir.quake2.server.combat.ShotHandler;
import dev.wishdir.quake2.server.session.EffectBroadcaster;

import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;

/** Handlers of an endpoint for shots, hits and lives. */
final class Combat {
    final ForeignMissiles foreignMissiles;

    /** Listeners to the arena, in the order in which they hear its events. */
    final List<ArenaListener> listeners;

    private final Shared shared;
    private final Loadout loadout;
    private final RandomGenerator random;
    private final EffectSink effects;
    private final ShotHandler shots;

    /**
     * @param loadout what players have in matches
     */
    Combat(Shared shared, Loadout loadout) {
        this.shared = shared;
        this.loadout = loadout;
        random = new Random(shared.context.random().nextLong());
        effects = new EffectBroadcaster(shared.clients, shared.entityTable);
        HitHandler hits = new HitHandler(shared.arena);
        shots =
                new ShotHandler(
                        shared.level,
                        effects,
                        hits,
                        new MissileHandler(shared.level, effects, hits, shared.missiles, random),
                        random);
        foreignMissiles = new ForeignMissiles(shared.arena.match(), shared.missiles, shared.level);
        listeners =
                List.of(
                        shared.entityTable,
                        new CombatListener(
                                shared.clients, shared.entityTable, shared.level, effects, hits));
    }

    /** The lives of another client. */
    LifeHandler lives() {
        return new LifeHandler(shared.level, shots, effects, random, loadout);
    }
}
