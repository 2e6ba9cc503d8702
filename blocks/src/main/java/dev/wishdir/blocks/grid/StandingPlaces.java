package dev.wishdir.blocks.grid;

import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

/** Finds places among blocks at which the bodies of all games can stand. */
public final class StandingPlaces {
    /** Maximum distance from the searched position along each axis, half metres. */
    private static final int MAX_OFFSET = 4;

    private static final double MAX_BODY_WIDTH = 1.05;
    private static final double MAX_BODY_HEIGHT = 1.9;

    private StandingPlaces() {}

    /** Rounds to half metres. */
    public static double half(double metres) {
        return Math.rint(2 * metres) / 2;
    }

    /**
     * The nearest half-metre place at which the bodies of all games can stand; null if none is
     * near.
     */
    public static @Nullable Vec3 nearest(BlockGrid blocks, Vec3 feet) {
        Vec3 best = null;
        double x = half(feet.x());
        double y = half(feet.y());
        double z = half(feet.z());
        for (int i = -MAX_OFFSET; i <= MAX_OFFSET; i++) {
            for (int j = -MAX_OFFSET; j <= MAX_OFFSET; j++) {
                for (int k = -MAX_OFFSET; k <= MAX_OFFSET; k++) {
                    Vec3 at = new Vec3(x + i / 2.0, y + j / 2.0, z + k / 2.0);
                    if ((best == null || at.distance(feet) < best.distance(feet))
                            && fits(blocks, at)
                            && !fits(blocks, at.minus(new Vec3(0, 0, 0.1)))) {
                        best = at;
                    }
                }
            }
        }
        return best;
    }

    private static boolean fits(BlockGrid blocks, Vec3 at) {
        return new BlockSpace(blocks).fits(at, MAX_BODY_WIDTH, MAX_BODY_HEIGHT);
    }
}
