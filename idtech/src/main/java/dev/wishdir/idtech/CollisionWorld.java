package dev.wishdir.idtech;

import dev.wishdir.motion.Vec3f;

/** The solids of a map for a player's movement, in the game's own units, axes and bits. */
public interface CollisionWorld {
    /**
     * Moves a box until a solid stops it; if start and end are equal, tests whether it fits.
     *
     * @param mins the box's minimum corner, relative to the moving point
     * @param maxs its maximum corner; both are zero for a point
     * @param mask the contents that stop it
     */
    Trace trace(Vec3f start, Vec3f mins, Vec3f maxs, Vec3f end, int mask);

    /** The union of all contents at a point; 0 in the air. */
    int contents(Vec3f point);
}
