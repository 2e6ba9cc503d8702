package dev.wishdir.cluster.remote;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Random;

class ClockOffsetTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;

    private final ClockOffset offset = new ClockOffset();

    @Test
    void findsAgeWithoutKnowingTheOtherClock() {
        Random random = new Random(1);
        long difference = random.nextLong();
        for (int i = 0; i < 1000; i++) {
            long sent = i * 10L * MILLI;
            long late = i % 100 == 50 ? 300 * MILLI : random.nextInt(2_000_000);
            long age = offset.age(sent + 200_000 + late, sent + difference);
            if (i > 100) {
                assertThat(age).isBetween(late - MILLI, late + MILLI);
            }
        }
    }

    @Test
    void findsThatMessagesOfALongPauseAreOld() {
        for (int i = 0; i < 100; i++) {
            offset.age(i * 10L * MILLI, i * 10L * MILLI);
        }
        long arrival = 61 * SECOND;
        assertThat(offset.age(arrival, SECOND)).isEqualTo(60 * SECOND);
        assertThat(offset.age(arrival, 31 * SECOND)).isEqualTo(30 * SECOND);
        assertThat(offset.age(arrival, 61 * SECOND)).isZero();
    }

    @Test
    void followsADriftOfTheClocks() {
        long age = 0;
        for (int i = 0; i < 60_000; i++) {
            long sent = i * 10L * MILLI;
            age = offset.age(sent + sent / 10_000, sent);
        }
        assertThat(age).isLessThan(2 * MILLI);
    }

    @Test
    void isNeverNegativeWhateverTheSenderSays() {
        Random random = new Random(2);
        for (int i = 0; i < 10_000; i++) {
            assertThat(offset.age(i * MILLI, random.nextLong())).isNotNegative();
        }
    }
}
