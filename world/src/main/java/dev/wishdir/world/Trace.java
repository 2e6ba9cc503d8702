package dev.wishdir.world;

/**
 * Where a moving box ended.
 *
 * @param allSolid it was inside a solid all the way
 * @param startSolid it began inside a solid
 * @param fraction how much of the way it went, 0..1
 * @param end where it stopped
 * @param plane what stopped it; {@link Plane#NONE} where nothing did
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
    /** What stopped the box is no obstacle but the world itself, or nothing. */
    public static final int WORLD = -1;

    /** The same, whether or not it began inside a solid. */
    Trace starting(boolean solid) {
        return solid == startSolid
                ? this
                : new Trace(allSolid, solid, fraction, end, plane, surface, contents, entity);
    }
}
