package dev.wishdir.arena.combat;

import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.motion.Vec3;

import java.util.Optional;

/**
 * A missile of a player, which the server flies. Owned by the arena's thread; metres, metres a
 * second.
 */
public interface Missile {
    /** The player that launched it; it may have left. */
    PlayerId owner();

    /** The kind of weapon that it comes from, by which other games show it. */
    DamageMeans means();

    /** State after its last step. */
    MissileMotion.State state();

    /** Whether it still flies or rests. */
    boolean isThere();

    /** Removes it without an impact; its listener is not notified. */
    void remove();

    /**
     * End of a step of a missile.
     *
     * @see Listener#onImpact
     */
    sealed interface Impact {
        /** The missile at that moment. */
        MissileMotion.State state();

        /** It meets a solid of the level. */
        record Wall(MissileMotion.State state, WallTrace.WallHit hit) implements Impact {}

        /** It meets a body. */
        record Body(MissileMotion.State state, PlayerId victim) implements Impact {}

        /** Its lifetime is over. */
        record TimeOut(MissileMotion.State state) implements Impact {}
    }

    /** The endpoint that launched a missile. */
    interface Listener {
        /**
         * The missile has met something, or timed out.
         *
         * @return how it goes on from the next step on, as after a bounce, with the velocity zero
         *     if it rests; empty if it is gone. After a time-out it is gone in any case
         */
        Optional<MissileMotion.State> onImpact(long now, Missile missile, Impact impact);

        /**
         * A step begins, also of a missile that rests: it is where the step before has left it. Not
         * called for a step at the moment of the launch. The listener may remove the missile.
         */
        default void onStep(long now, Missile missile) {}

        /** The missile is gone without an impact: a round began or ended with it. */
        void onRemoved(long now, Missile missile);
    }

    /**
     * Launch of a missile.
     *
     * @param means the kind of weapon that it comes from
     * @param place of the muzzle
     * @param sinceNanos from when on it flies; may be some 100 ms before now, as games let missiles
     *     start
     * @param firstStep when its way is tested first
     */
    record Launch(DamageMeans means, Vec3 place, Vec3 velocity, long sinceNanos, long firstStep) {}
}
