package dev.wishdir.arena.validation;

import static dev.wishdir.arena.validation.ShotClock.Answer.AHEAD;
import static dev.wishdir.arena.validation.ShotClock.Answer.GRANTED;
import static dev.wishdir.arena.validation.ShotClock.Answer.TOO_EARLY;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.Random;

class ShotClockTest {
    private static final long MILLI = 1_000_000;

    private final ShotClock clock = new ShotClock();

    @Test
    @DisplayName("J1 a gun fires no faster than its delay by the client's own clock")
    void refusesShotsTooCloseTogether() {
        assertThat(clock.fire(0, 5000, 500)).isEqualTo(GRANTED);
        assertThat(clock.fire(400 * MILLI, 5499, 500)).isEqualTo(TOO_EARLY);
        assertThat(clock.waited(5499)).isEqualTo(499);
        assertThat(clock.fire(400 * MILLI, 5500, 500)).isEqualTo(GRANTED);
    }

    @Test
    void countsTheDelayOfTheGunThatFiredLast() {
        clock.fire(0, 0, 1500);
        assertThat(clock.fire(200 * MILLI, 200, 100)).isEqualTo(TOO_EARLY);
        assertThat(clock.fire(1500 * MILLI, 1500, 100)).isEqualTo(GRANTED);
        assertThat(clock.fire(1600 * MILLI, 1600, 100)).isEqualTo(GRANTED);
    }

    @Test
    void keepsTheSpaceOfShotsThatArriveTogether() {
        clock.fire(0, 0, 100);
        for (int i = 0; i < 8; i++) {
            assertThat(clock.fire(1000 * MILLI, 200 + 100 * i, 100)).isEqualTo(GRANTED);
        }
    }

    @Test
    @DisplayName("J1 a clock that goes back fires nothing")
    void refusesTheSameShotAgain() {
        clock.fire(0, 5000, 500);
        assertThat(clock.fire(1000 * MILLI, 5000, 500)).isEqualTo(TOO_EARLY);
        assertThat(clock.fire(1000 * MILLI, 5000 - 1_000_000_000, 500)).isEqualTo(TOO_EARLY);
    }

    @Test
    @DisplayName("A8 a client that has been up for 24.8 days goes on to shoot")
    void followsClockOverWrap() {
        int millis = Integer.MAX_VALUE - 1_000;
        for (int i = 0; i < 40; i++) {
            long now = 100L * i * MILLI;
            assertThat(clock.fire(now, millis + 100 * i, 100)).as("shot %d", i).isEqualTo(GRANTED);
            assertThat(clock.time(now, millis + 100 * i)).isEqualTo(GRANTED);
            assertThat(clock.heldUpNanos(now, millis + 100 * i)).isZero();
        }
        assertThat(clock.fire(3950 * MILLI, millis + 3_950, 100)).isEqualTo(TOO_EARLY);
        assertThat(clock.time(3950 * MILLI, millis + 9_000)).isEqualTo(AHEAD);
    }

    @Test
    void aLateShotBlocksNoLaterOne() {
        clock.fire(0, 0, 100);
        assertThat(clock.fire(5000 * MILLI, 2000, 100)).as("3 s late").isEqualTo(GRANTED);
        assertThat(clock.time(5050 * MILLI, 5050)).isEqualTo(AHEAD);
        assertThat(clock.fire(5100 * MILLI, 5100, 100)).isEqualTo(GRANTED);
        assertThat(clock.fire(5200 * MILLI, 5200, 100)).isEqualTo(GRANTED);
        assertThat(clock.time(5200 * MILLI, 5100)).isEqualTo(GRANTED);
    }

    @Test
    void comparesWithTheQuickestOfTheRecentShots() {
        assertThat(clock.heldUpNanos(0, 5000)).as("nothing is known").isZero();
        clock.fire(1000 * MILLI, 5000, 100);
        clock.fire(1700 * MILLI, 5300, 100);
        assertThat(clock.heldUpNanos(1700 * MILLI, 5300)).isEqualTo(400 * MILLI);
        clock.reset();
        assertThat(clock.heldUpNanos(2000 * MILLI, 5100)).isEqualTo(900 * MILLI);
        assertThat(clock.heldUpNanos(2000 * MILLI, 6500)).as("quicker").isZero();
        for (int i = 0; i < 16; i++) {
            clock.fire((12_000 + 200 * i) * MILLI, 6000 + 200 * i, 100);
        }
        assertThat(clock.heldUpNanos(16_000 * MILLI, 10_000))
                .as("the client's clock stood still, as in a pause")
                .isZero();
    }

    @Test
    void startsAgainWithAnotherClock() {
        clock.fire(0, 500_000, 1500);
        clock.reset();
        assertThat(clock.fire(10 * MILLI, 20, 500)).isEqualTo(GRANTED);
    }

    /**
     * Whatever clock a client claims, and whenever its packets come: in any time it fires at most
     * what the gun allows in that time and the second that may have been held up.
     */
    @Test
    @DisplayName("J1 whatever the client's clock says, the server's bounds the rate")
    void boundsTheRateByTheServersClock() {
        int delay = 100;
        for (int run = 0; run < 300; run++) {
            Random random = new Random(run);
            ShotClock tried = new ShotClock();
            double speed = random.nextDouble(0.5, 20);
            long now = 0;
            int millis = random.nextInt();
            int fired = 0;
            long end = 20_000 * MILLI;
            while (now < end) {
                int burst = random.nextInt(1, 40);
                for (int i = 0; i < burst; i++) {
                    millis += random.nextInt(delay, (int) (delay * speed) + delay + 1);
                    fired += tried.fire(now, millis, delay) == GRANTED ? 1 : 0;
                }
                now += random.nextLong(400 * MILLI);
            }
            assertThat(fired)
                    .as("run %s", run)
                    .isLessThanOrEqualTo((int) (now / MILLI / delay) + 12);
        }
    }

    @Test
    @DisplayName("J2 a shot of the future waits for no clock: it does nothing")
    void refusesTheFuture() {
        clock.fire(0, 0, 100);
        assertThat(clock.fire(0, 1500, 100)).isEqualTo(AHEAD);
        assertThat(clock.fire(0, Integer.MAX_VALUE, 100)).isEqualTo(AHEAD);
        assertThat(clock.fire(100 * MILLI, 100, 100)).isEqualTo(GRANTED);
    }
}
