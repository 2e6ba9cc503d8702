package dev.wishdir.raknet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.raknet.LeaveVerifier.Step;

import org.junit.jupiter.api.Test;

class LeaveVerifierTest {
    private static final long MILLI = 1_000_000;

    private final LeaveVerifier verifier = new LeaveVerifier();

    @Test
    void doesNothingWithoutNotification() {
        assertThat(verifier.due()).isEqualTo(Long.MAX_VALUE);
        assertThat(verifier.advance(0, 0)).isEqualTo(Step.NONE);
    }

    @Test
    void endsAfterUnansweredPing() {
        verifier.onNotification(0);
        verifier.onNotification(200 * MILLI);
        assertThat(verifier.advance(249 * MILLI, 0)).isEqualTo(Step.NONE);
        assertThat(verifier.due()).isEqualTo(250 * MILLI);
        assertThat(verifier.advance(250 * MILLI, 249 * MILLI)).isEqualTo(Step.PING);
        assertThat(verifier.due()).isEqualTo(1250 * MILLI);
        assertThat(verifier.advance(1250 * MILLI, 249 * MILLI)).isEqualTo(Step.LEFT);
    }

    @Test
    void ignoresNotificationOfPeerThatAnswers() {
        verifier.onNotification(0);
        verifier.advance(250 * MILLI, 0);
        assertThat(verifier.advance(1250 * MILLI, 300 * MILLI)).isEqualTo(Step.NONE);
        assertThat(verifier.due()).isEqualTo(Long.MAX_VALUE);
        verifier.onNotification(2000 * MILLI);
        assertThat(verifier.due()).isEqualTo(2250 * MILLI);
    }
}
