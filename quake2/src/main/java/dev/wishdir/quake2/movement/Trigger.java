package dev.wishdir.quake2.movement;

import dev.wishdir.idtech.Box;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Triple;

/**
 * A trigger of a map that moves bodies that touch it, after each command; clients do not predict
 * it.
 */
public sealed interface Trigger {
    /** The trigger's box, units. */
    Box box();

    /**
     * A jump pad.
     *
     * @param velocity given to the body, eighths of a unit per second
     */
    record Push(Box box, Triple velocity) implements Trigger {}

    /**
     * A teleporter.
     *
     * @param exit position and view of the body there
     */
    record Teleport(Box box, Movement exit) implements Trigger {}

    /** Whether a body touches it: a body's box is a unit larger on each side for triggers. */
    default boolean touches(PlayerState state) {
        float x = state.origin().x() / 8f;
        float y = state.origin().y() / 8f;
        float z = state.origin().z() / 8f;
        float top = PlayerHulls.isDucked(state) ? 4 : 32;
        Vec3f mins = box().mins();
        Vec3f maxs = box().maxs();
        return x - 17 <= maxs.x()
                && x + 17 >= mins.x()
                && y - 17 <= maxs.y()
                && y + 17 >= mins.y()
                && z - 25 <= maxs.z()
                && z + top + 1 >= mins.z();
    }
}
