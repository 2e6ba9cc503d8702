package dev.wishdir.arena.combat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.Test;

import java.util.Random;

class HitGeometryTest {
    private static final BodyDimensions BODY = new BodyDimensions("test", 1, 2, 0.5, 1);

    /** A wall of a metre at x from 4 to 5, up to 3 m. */
    private static final CollisionSpace WALL =
            (from, to, _, _) -> {
                for (int i = 0; i <= 1000; i++) {
                    Vec3 at = from.plus(to.minus(from).times(i / 1000.0));
                    if (at.x() > 4 && at.x() < 5 && at.z() < 3) {
                        return i / 1000.0;
                    }
                }
                return 1;
            };

    private static Vec3 random(Random random) {
        return new Vec3(
                random.nextDouble(-9, 9), random.nextDouble(-9, 9), random.nextDouble(-9, 9));
    }

    /** The search finds what trying a thousand points of the line finds. */
    @Test
    void findsTheDistanceOfALineFromABody() {
        Random random = new Random(1);
        int hits = 0;
        for (int run = 0; run < 2000; run++) {
            Vec3 from = random(random);
            Vec3 to = random(random);
            Vec3 feet = random(random);
            double least = Double.MAX_VALUE;
            for (int i = 0; i <= 1000; i++) {
                Vec3 at = from.plus(to.minus(from).times(i / 1000.0));
                least = Math.min(least, HitGeometry.distance(at, feet, BODY));
            }
            double found = HitGeometry.distance(from, to, feet, BODY);
            assertThat(found).isCloseTo(least, within(0.02)).isLessThanOrEqualTo(least + 1e-9);
            hits += found == 0 ? 1 : 0;
        }
        assertThat(hits).isPositive();
    }

    @Test
    void measuresFromTheSidesAndTheEnds() {
        Vec3 feet = Vec3.ZERO;
        assertThat(HitGeometry.distance(new Vec3(0, 0, 1), feet, BODY)).isZero();
        assertThat(HitGeometry.distance(new Vec3(2, 0, 1), feet, BODY)).isEqualTo(1.5);
        assertThat(HitGeometry.distance(new Vec3(0, 0, 5), feet, BODY)).isEqualTo(3);
        assertThat(HitGeometry.distance(new Vec3(0, 0, -1), feet, BODY)).isEqualTo(1);
    }

    @Test
    void seesOverAnEdgeButNotThroughAWall() {
        Vec3 from = new Vec3(0, 0, 1);
        assertThat(HitGeometry.isClear(WALL, from, new Vec3(3, 0, 1), 0.5)).isTrue();
        assertThat(HitGeometry.isClear(WALL, from, new Vec3(9, 0, 1), 0.5)).isFalse();
        Vec3 edge = new Vec3(0, 0, 2.8);
        assertThat(HitGeometry.isClear(WALL, edge, new Vec3(9, 0, 2.8), 0.5)).isTrue();
        assertThat(HitGeometry.isClear(WALL, edge, new Vec3(9, 0, 2.8), 0.1)).isFalse();
    }
}
