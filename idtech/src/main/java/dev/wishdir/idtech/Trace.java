package dev.wishdir.idtech;

import dev.wishdir.motion.Vec3f;

/**
 * The result of moving a box through a world.
 *
 * @param allSolid whether it was inside a solid all the way
 * @param startSolid whether it started inside a solid
 * @param fraction the part of the way that it moved, 0..1
 * @param end where it stopped
 * @param plane the plane that stopped it; {@link Plane#NONE} if nothing did
 * @param surface the bits of the side that stopped it
 * @param contents the bits of the brush that stopped it
 * @param entity the number of the obstacle that stopped it, or {@link #WORLD}
 */
public record Trace(
        boolean allSolid,
        boolean startSolid,
        float fraction,
        Vec3f end,
        Plane plane,
        int surface,
        int contents,
        int entity) {
    /** The entity of the world itself, or of a trace that nothing stopped. */
    public static final int WORLD = -1;

    /** This trace with another {@code startSolid}. */
    Trace starting(boolean solid) {
        return solid == startSolid
                ? this
                : new Trace(allSolid, solid, fraction, end, plane, surface, contents, entity);
    }
}
