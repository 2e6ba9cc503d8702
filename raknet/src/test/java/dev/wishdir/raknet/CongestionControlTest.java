package dev.wishdir.raknet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CongestionControlTest {
    private static final int CAPACITY = 1000;
    private static final long MILLI = 1_000_000;

    private final CongestionControl congestion = new CongestionControl(CAPACITY, 64);

    /** The window, bytes. */
    private int window() {
        int bytes = 0;
        while (congestion.hasRoom(bytes)) {
            bytes++;
        }
        return bytes;
    }

    @Test
    void opensUpToItsMaximum() {
        assertThat(window()).isEqualTo(4 * CAPACITY);
        congestion.onAck(MILLI);
        assertThat(window()).isEqualTo(5 * CAPACITY);
        for (int i = 0; i < 100; i++) {
            congestion.onAck(MILLI);
        }
        assertThat(window()).isEqualTo(64 * CAPACITY);
    }

    @Test
    void closesOncePerFlight() {
        for (int i = 0; i < 12; i++) {
            congestion.onAck(MILLI);
        }
        congestion.onNack(5, 20);
        assertThat(window()).isEqualTo(12 * CAPACITY);
        congestion.onNack(6, 20);
        assertThat(window()).isEqualTo(12 * CAPACITY);
        congestion.onNack(20, 40);
        assertThat(window()).isEqualTo(9 * CAPACITY);
        congestion.onAck(MILLI);
        assertThat(window()).isBetween(9 * CAPACITY + 1, 10 * CAPACITY);
        congestion.onTimeout(40, 50);
        assertThat(window()).isEqualTo(2 * CAPACITY);
    }

    @Test
    void followsRoundTripAndBacksOff() {
        assertThat(congestion.timeout()).isEqualTo(500 * MILLI);
        congestion.onAck(10 * MILLI);
        assertThat(congestion.roundTrip()).isEqualTo(10 * MILLI);
        assertThat(congestion.timeout()).isEqualTo((20 + 40 + 30) * MILLI);
        congestion.backOff();
        assertThat(congestion.timeout()).isEqualTo(180 * MILLI);
        for (int i = 0; i < 10; i++) {
            congestion.backOff();
        }
        assertThat(congestion.timeout()).isEqualTo(2000 * MILLI);
        congestion.onAck(10 * MILLI);
        assertThat(congestion.timeout()).isBetween(80 * MILLI, 90 * MILLI);
    }
}
