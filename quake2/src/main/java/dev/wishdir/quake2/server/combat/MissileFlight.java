package dev.wishdir.quake2.server.combat;

import dev.wishdir.arena.combat.Missile;
import dev.wishdir.arena.combat.Missile.Impact;
import dev.wishdir.arena.combat.MissileMotion;

import java.util.Optional;

/** Behaviour of a missile of this game on its way and at its end. */
@FunctionalInterface
interface MissileFlight {
    /**
     * It has met something, or timed out.
     *
     * @return how it goes on; empty if it is gone
     */
    Optional<MissileMotion.State> onImpact(long now, Missile missile, Impact impact);

    /** A step begins, but for the first, which is at the launch. */
    default void onStep(long now, Missile missile) {}
}
