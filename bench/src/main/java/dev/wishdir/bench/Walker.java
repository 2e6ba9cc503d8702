package dev.wishdir.bench;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.Level;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;

import java.util.Random;

/**
 * A player on its way in a hall of 128 by 128 m: it turns a little all the time, and around at the
 * walls.
 */
final class Walker {
    private static final double HALF_METRES = 64;
    private static final double METRES_PER_SECOND = 8;

    /** Level in which it walks. */
    static final Level HALL =
            new Level(
                    "hall",
                    new Bounds(
                            new Vec3(-HALF_METRES, -HALF_METRES, 0),
                            new Vec3(HALF_METRES, HALF_METRES, 16)));

    private final ArenaPlayer player;
    private final double turn;
    private double x;
    private double y;
    private double heading;

    Walker(ArenaPlayer player, Random random) {
        this.player = player;
        x = random.nextDouble(-HALF_METRES, HALF_METRES);
        y = random.nextDouble(-HALF_METRES, HALF_METRES);
        heading = random.nextDouble(2 * Math.PI);
        turn = random.nextDouble(-0.05, 0.05);
    }

    ArenaPlayer player() {
        return player;
    }

    /**
     * Its next movement.
     *
     * @param nanos after the last one
     */
    Movement next(long nanos) {
        heading = (heading + turn + 2 * Math.PI) % (2 * Math.PI);
        double step = METRES_PER_SECOND * nanos / 1e9;
        x = Math.clamp(x + step * Math.cos(heading), -HALF_METRES, HALF_METRES);
        y = Math.clamp(y + step * Math.sin(heading), -HALF_METRES, HALF_METRES);
        Vec3 velocity =
                new Vec3(
                        METRES_PER_SECOND * Math.cos(heading),
                        METRES_PER_SECOND * Math.sin(heading),
                        0);
        return new Movement(
                new Vec3(x, y, 0), Math.toDegrees(heading), 0, velocity, Stance.STANDING);
    }
}
