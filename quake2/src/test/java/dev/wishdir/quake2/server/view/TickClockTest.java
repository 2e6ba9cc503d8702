package dev.wishdir.quake2.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class TickClockTest {
    private static final long SECOND = 1_000_000_000;

    /** Twelve ticks of whole nanoseconds. */
    private static final long FRAME = 12 * (SECOND / 120);

    private final TickClock clock = new TickClock();
    private long now = 5 * SECOND;

    /** The ticks of a time, in which the clock is asked whenever it wants to be. */
    private List<Integer> ticks(long nanos, boolean each) {
        List<Integer> ticks = new ArrayList<>();
        long end = now + nanos;
        while (now < end) {
            if (clock.advance(now)) {
                ticks.add(clock.tick());
                clock.schedule(each);
            }
            now = clock.next();
        }
        return ticks;
    }

    @Test
    void runsTenFramesPerSecond() {
        assertThat(clock.advance(now)).as("starts").isFalse();
        assertThat(clock.next()).isEqualTo(now + FRAME);
        now = clock.next();
        assertThat(ticks(10 * FRAME, false))
                .containsExactly(12, 24, 36, 48, 60, 72, 84, 96, 108, 120);
        assertThat(clock.isFrame()).isTrue();
        assertThat(clock.frame()).isEqualTo(10);
    }

    @Test
    void runsEachTickForFastClients() {
        clock.advance(now);
        now = clock.next();
        assertThat(ticks(FRAME + 1, true))
                .containsExactly(12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24);
        assertThat(TickClock.isFrame(24)).isTrue();
        assertThat(TickClock.isFrame(23)).isFalse();
    }

    @Test
    void returnsToFramesBetweenTwoOfThem() {
        clock.advance(now);
        now = clock.next();
        ticks(FRAME / 3, true);
        assertThat(clock.isFrame()).isFalse();
        assertThat(ticks(3 * FRAME, false)).element(1).isEqualTo(24);
    }

    @Test
    void skipsMissedTicksUpToTheNextFrame() {
        clock.advance(now);
        now = clock.next();
        ticks(FRAME / 3, true);
        int before = clock.tick();
        now = clock.next() + 5 * FRAME;
        assertThat(clock.advance(now)).isTrue();
        assertThat(before).isLessThan(24);
        assertThat(clock.tick()).isEqualTo(24);
    }

    @Test
    void startsOverAfterALargeDeviation() {
        clock.advance(now);
        now += 2 * SECOND;
        assertThat(clock.advance(now)).isFalse();
        assertThat(clock.next()).isEqualTo(now + FRAME);
        now -= 3 * SECOND;
        assertThat(clock.advance(now)).isFalse();
        assertThat(clock.next()).isEqualTo(now + FRAME);
    }

    @Test
    @DisplayName("A8 the level begins again before 31 bits of milliseconds end")
    void endsBeforeNumbersWrap() {
        TickClock old = new TickClock((int) (0x7000_0000L * 120 / 1_000) - 1);
        assertThat(old.isExhausted()).isFalse();
        old.advance(now);
        assertThat(old.advance(old.next())).isTrue();
        assertThat(old.isExhausted()).isTrue();
        old.restart();
        assertThat(old.isExhausted()).isFalse();
        assertThat(old.tick()).isBetween(0, 11);
    }
}
