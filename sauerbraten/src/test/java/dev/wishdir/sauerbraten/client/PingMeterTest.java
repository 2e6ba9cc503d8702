package dev.wishdir.sauerbraten.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PingMeterTest {
    private static final long MILLI = 1_000_000;

    private final PingMeter pings = new PingMeter(1000 * MILLI);

    @Test
    void sendsFourPingsASecondOnceStarted() {
        assertThat(pings.takeDue(5000 * MILLI)).isFalse();
        pings.start(5000 * MILLI);
        assertThat(pings.takeDue(5000 * MILLI)).isTrue();
        assertThat(pings.deadline()).isEqualTo(5250 * MILLI);
        assertThat(pings.takeDue(5249 * MILLI)).isFalse();
        assertThat(pings.takeDue(5250 * MILLI)).isTrue();
    }

    @Test
    void smoothsRoundTrip() {
        assertThat(pings.millis(1600 * MILLI)).isEqualTo(600);
        pings.onPong(1600 * MILLI, 0);
        assertThat(pings.roundTrip()).isEqualTo(100);
        pings.onPong(1640 * MILLI, 600);
        assertThat(pings.roundTrip()).isEqualTo((5 * 100 + 40) / 6);
    }

    @Test
    void takesPongFromTheFutureAsImmediate() {
        pings.onPong(1600 * MILLI, 900);
        assertThat(pings.roundTrip()).isZero();
    }
}
