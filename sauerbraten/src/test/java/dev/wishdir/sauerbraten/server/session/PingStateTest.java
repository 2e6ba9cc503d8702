package dev.wishdir.sauerbraten.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PingStateTest {
    private final PingState pings = new PingState();

    @Test
    void answersNewestPingOnce() {
        pings.onPing(10);
        pings.onPing(20);
        assertThat(pings.takeUnanswered()).hasValue(20);
        assertThat(pings.takeUnanswered()).isEmpty();
    }

    @Test
    void relaysOnlyChangedRoundTrip() {
        assertThat(pings.setRoundTrip(0)).isFalse();
        assertThat(pings.setRoundTrip(30)).isTrue();
        assertThat(pings.setRoundTrip(30)).isTrue();
        assertThat(pings.takeChanged()).isTrue();
        assertThat(pings.takeChanged()).isFalse();
        assertThat(pings.setRoundTrip(30)).isFalse();
        assertThat(pings.roundTrip()).isEqualTo(30);
    }
}
