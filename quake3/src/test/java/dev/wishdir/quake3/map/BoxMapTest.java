package dev.wishdir.quake3.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.motion.Vec3;
import dev.wishdir.world.BoxArena;

import org.junit.jupiter.api.Test;

import java.util.Random;

/** The generated arena as a map of the game. */
class BoxMapTest {
    private static final double WIDTH = 1;
    private static final double HEIGHT = 1.75;

    private final Random random = new Random(4);

    private Vec3 anywhere() {
        return new Vec3(
                random.nextDouble(-40, 40), random.nextDouble(-40, 40), random.nextDouble(-4, 20));
    }

    /** Along an axis, as along a wall the least rounding makes a long way short. */
    private Vec3 along() {
        double metres = random.nextDouble(-60, 60);
        return switch (random.nextInt(3)) {
            case 0 -> new Vec3(metres, 0, 0);
            case 1 -> new Vec3(0, metres, 0);
            default -> new Vec3(0, 0, -Math.abs(metres));
        };
    }

    @Test
    void whatIsSolidOfItIsSolidOfTheArena() {
        Level level = BoxMap.build();
        int ways = 0;
        while (ways < 10_000) {
            Vec3 from = anywhere();
            Vec3 to = from.plus(along());
            if (BoxArena.SPACE.fits(from, WIDTH + 0.1, HEIGHT) && from.z() > 0.1) {
                ways++;
                double free = level.space().free(from, to, WIDTH, HEIGHT);
                double expected = BoxArena.SPACE.free(from, to, WIDTH, HEIGHT);
                assertThat((free - expected) * from.distance(to))
                        .as("metres from %s to %s", from, to)
                        .isCloseTo(0, within(0.1));
            }
        }
    }

    @Test
    void theArenaIsToldOfItsFile() {
        assertThat(BoxMap.build().played().files())
                .singleElement()
                .satisfies(file -> assertThat(file.path()).endsWith(".pk3"));
    }
}
