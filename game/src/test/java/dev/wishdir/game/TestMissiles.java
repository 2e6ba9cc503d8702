package dev.wishdir.game;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.combat.BodyBox;
import dev.wishdir.arena.combat.Missile;
import dev.wishdir.arena.combat.MissileMotion;
import dev.wishdir.arena.combat.MissileRules;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.motion.Vec3;

import java.util.Optional;

/** Missiles that fly straight through everything, for tests of how a game shows them. */
public final class TestMissiles {
    private TestMissiles() {}

    /** A living player of a game, in a running match. */
    public static ArenaPlayer shooter(Arena arena, String game, String name) {
        ArenaPlayer player = arena.join(0, game, name, new NoOpViewer());
        player.combatant().beginLife(0, new Vitals(100, 0, 0), ArmourRule.EXACT);
        player.spawn(0, Level.BOX.spawns().getFirst());
        return player;
    }

    /**
     * A missile of a player.
     *
     * @param stepNanos length of a step
     */
    public static Missile launch(
            ArenaPlayer shooter,
            DamageMeans means,
            Vec3 place,
            Vec3 velocity,
            long stepNanos,
            long lifetimeNanos) {
        MissileRules rules =
                new MissileRules(
                        stepNanos,
                        lifetimeNanos,
                        Long.MAX_VALUE,
                        0,
                        new BodyBox(1, 2, 2),
                        MissileMotion.parabola(0),
                        (_, _) -> Optional.empty());
        Missile.Listener listener =
                new Missile.Listener() {
                    @Override
                    public Optional<MissileMotion.State> onImpact(
                            long now, Missile missile, Missile.Impact impact) {
                        return Optional.empty();
                    }

                    @Override
                    public void onRemoved(long now, Missile missile) {}
                };
        return shooter.combatant()
                .launch(
                        0,
                        rules,
                        new Missile.Launch(means, place, velocity, 0, stepNanos),
                        listener)
                .orElseThrow();
    }

    /** A missile of a player of another game, which flies to the east for a second. */
    public static Missile launch(Arena arena, String game, DamageMeans means) {
        arena.setMatchRules(MatchRules.of(MatchMode.FFA));
        return launch(
                shooter(arena, game, "anna"),
                means,
                new Vec3(0, 0, 2),
                new Vec3(20, 0, 0),
                50_000_000,
                1_000_000_000);
    }
}
