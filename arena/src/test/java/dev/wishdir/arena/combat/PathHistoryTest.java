package dev.wishdir.arena.combat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.Test;

import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;

class PathHistoryTest {
    private static final long MILLI = 1_000_000;

    private final PathHistory path = new PathHistory();

    private static Vec3 at(double x) {
        return new Vec3(x, 0, 0);
    }

    @Test
    void hasNoPlaceAtFirst() {
        assertThat(path.isEmpty()).isTrue();
        assertThat(path.least(0, Vec3::length)).isInfinite();
        assertThatThrownBy(() -> path.at(0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void isOnTheStraightWayBetweenTwoPlaces() {
        path.add(0, at(0));
        path.add(100 * MILLI, at(10));
        assertThat(path.at(50 * MILLI)).isEqualTo(at(5));
        assertThat(path.at(-5)).isEqualTo(at(0));
        assertThat(path.at(900 * MILLI)).isEqualTo(at(10));
    }

    @Test
    void isNowhereBetweenTwoPlacesOfATeleport() {
        path.add(0, at(0));
        path.jump(100 * MILLI, at(10));
        assertThat(path.at(50 * MILLI)).isEqualTo(at(0));
        assertThat(path.least(0, place -> place.distance(at(5)))).isEqualTo(5);
        path.add(200 * MILLI, at(14));
        assertThat(path.least(0, place -> place.distance(at(12)))).isZero();
    }

    @Test
    void forgetsTheLastLife() {
        path.add(0, at(0));
        path.clear();
        path.jump(1, at(50));
        assertThat(path.least(0, place -> place.distance(at(0)))).isEqualTo(50);
    }

    /** However often a body is reported, its last 500 ms are kept, and nothing much older. */
    @Test
    void keepsTheSpanAtAnyRate() {
        for (int run = 0; run < 200; run++) {
            Random random = new Random(run);
            PathHistory kept = new PathHistory();
            TreeMap<Long, Double> walked = new TreeMap<>();
            long most = 1 + (long) Math.pow(10, random.nextDouble(0, 8.5));
            long now = 0;
            double x = 0;
            for (int i = 0; i < 3000; i++) {
                now += random.nextLong(most);
                // At most 20 m/s, so that an eight-millisecond gap hides at most 0.16 m.
                x = now / 1e9 * 20;
                kept.add(now, at(x));
                walked.put(now, x);
            }
            long since = Math.max(walked.firstKey(), now - PathHistory.SPAN_NANOS);
            for (int i = 0; i < 50; i++) {
                long time = since + (long) (random.nextDouble() * (now - since));
                double low = Objects.requireNonNull(walked.floorEntry(time)).getValue();
                double high = Objects.requireNonNull(walked.ceilingEntry(time)).getValue();
                assertThat(kept.at(time).x())
                        .as("run %s, time %s", run, time)
                        .isBetween(low - 0.17, high + 0.17);
            }
            assertThat(kept.at(now).x()).isEqualTo(x);
        }
    }

    @Test
    void takesAClockThatGoesBackAsTheNewestTime() {
        path.add(100, at(1));
        path.add(50, at(2));
        assertThat(path.at(1000)).isEqualTo(at(2));
        assertThat(path.age(100)).isZero();
    }

    @Test
    void findsTheNearestPlaceOfAFastBody() {
        path.add(0, at(0));
        path.add(100 * MILLI, at(4));
        assertThat(path.least(0, place -> place.distance(at(2.1)))).isCloseTo(0, within(0.13));
        assertThat(path.least(90 * MILLI, place -> place.distance(at(0))))
                .isCloseTo(3.6, within(0.01));
    }

    @Test
    void testsBoundedPlacesOfABodyThatIsMovedAbout() {
        for (int i = 0; i < 66; i++) {
            path.add(i * 8L * MILLI, at(i % 2 * 100));
        }
        int[] asked = {0};
        assertThat(path.least(0, _ -> 1 + asked[0]++)).isOne();
        assertThat(asked[0]).isBetween(128, 128 + 67);
        asked[0] = 0;
        assertThat(path.least(0, _ -> asked[0]++)).isZero();
        assertThat(asked[0]).isOne();
    }
}
