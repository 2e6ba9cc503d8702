package dev.wishdir.world;

import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.List;
import java.util.stream.IntStream;

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

    /** What is solid of it: walls and floor. */
    public static final Space SPACE = Space.within(BOUNDS);

    private static final int PLACES = 8;

    /** Where bodies may appear: a ring that looks at the middle. */
    public static final List<Movement> SPAWNS =
            IntStream.range(0, PLACES).mapToObj(BoxArena::spawn).toList();

    private BoxArena() {}

    private static Movement spawn(int place) {
        double turn = 2 * Math.PI * place / PLACES;
        Vec3 feet = new Vec3(Math.cos(turn), Math.sin(turn), 0).times(SIDE / 4);
        return Movement.at(feet, Angles.yaw(-feet.x(), -feet.y()));
    }
}
