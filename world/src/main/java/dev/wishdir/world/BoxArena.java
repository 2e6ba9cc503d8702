package dev.wishdir.world;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Vec3;

/**
 * The measures of the generated arena, the same in every game: a square room with its middle in the
 * origin and its floor at z = 0. Each game builds its own map from these, in its own units.
 */
public final class BoxArena {
    /** Metres along each side, from wall to wall. */
    public static final double SIDE = 64;

    /** Metres from the floor to the top of the walls. */
    public static final double WALL = 8;

    /** Where a body may be: the room, and the air above it as high as it is wide. */
    public static final Bounds BOUNDS =
            new Bounds(new Vec3(-SIDE / 2, -SIDE / 2, 0), new Vec3(SIDE / 2, SIDE / 2, SIDE));

    private BoxArena() {}
}
