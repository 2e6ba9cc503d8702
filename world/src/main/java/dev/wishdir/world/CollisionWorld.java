package dev.wishdir.world;

/** What a player's movement asks of the world. Units, axes and bits are the game's. */
public interface CollisionWorld {
    /**
     * Moves a box until something stops it. Where start and end are equal, tests whether it fits.
     *
     * @param mins the box's least corner relative to the point that moves
     * @param maxs its greatest corner; a point's are both zero
     * @param mask the contents that stop it
     */
    Trace trace(Vec3f start, Vec3f mins, Vec3f maxs, Vec3f end, int mask);

    /** The contents of everything at a point, zero in the air. */
    int contents(Vec3f point);
}
