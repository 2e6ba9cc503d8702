package dev.wishdir.quake2.movement;

import dev.wishdir.motion.Movement;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.world.Box;
import dev.wishdir.world.Vec3f;

/**
 * A part of a map that does something to who touches it, after each command: no client predicts it.
 */
public sealed interface Trigger {
    /** Where it is touched, units. */
    Box box();

    /**
     * A jump pad.
     *
     * @param velocity of who touches it, eighths of a unit a second
     */
    record Push(Box box, Triple velocity) implements Trigger {}

    /** A teleporter: where whoever touches it appears, and where it looks. */
    record Teleport(Box box, Movement exit) implements Trigger {}

    /** Whether a body touches it: bodies are linked a unit larger than they are. */
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
