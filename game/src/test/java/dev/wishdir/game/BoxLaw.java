package dev.wishdir.game;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.motion.Vec3;
import dev.wishdir.world.BoxArena;
import dev.wishdir.world.Space;

import java.util.Random;

/** What is solid of the generated arena as a game's map is solid of the arena itself. */
public final class BoxLaw {
    private static final double WIDTH = 1;
    private static final double HEIGHT = 1.75;
    private static final int WAYS = 10_000;

    private BoxLaw() {}

    /** Goes ten thousand ways through both. */
    public static void holds(Space map) {
        Random random = new Random(4);
        for (int ways = 0; ways < WAYS; ) {
            Vec3 from =
                    new Vec3(
                            random.nextDouble(-40, 40),
                            random.nextDouble(-40, 40),
                            random.nextDouble(-4, 20));
            Vec3 to = from.plus(along(random));
            if (BoxArena.SPACE.fits(from, WIDTH + 0.1, HEIGHT) && from.z() > 0.1) {
                ways++;
                double free = map.free(from, to, WIDTH, HEIGHT);
                double expected = BoxArena.SPACE.free(from, to, WIDTH, HEIGHT);
                assertThat((free - expected) * from.distance(to))
                        .as("metres from %s to %s", from, to)
                        .isCloseTo(0, within(0.1));
            }
        }
    }

    /** Along an axis, as along a wall the least rounding makes a long way short. */
    private static Vec3 along(Random random) {
        double metres = random.nextDouble(-60, 60);
        return switch (random.nextInt(3)) {
            case 0 -> new Vec3(metres, 0, 0);
            case 1 -> new Vec3(0, metres, 0);
            default -> new Vec3(0, 0, -Math.abs(metres));
        };
    }
}
