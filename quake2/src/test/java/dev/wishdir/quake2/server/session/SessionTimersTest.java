package dev.wishdir.quake2.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SessionTimersTest {
    private static final long SECOND = 1_000_000_000;

    private final SessionTimers timers = new SessionTimers(0);

    @ParameterizedTest
    @CsvSource({
        "ACCEPTED, false, 10",
        "CONNECTED, false, 30",
        "LOADING, false, 30",
        "LOADING, true, 90",
        "SPAWNED, true, 90"
    })
    void expiresAfterTheTimeOutOfItsState(SessionState state, boolean proven, int seconds) {
        assertThat(timers.isExpired(seconds * SECOND, state, proven, true)).isFalse();
        assertThat(timers.isExpired(seconds * SECOND + 1, state, proven, true)).isTrue();
        timers.onReceived(5 * SECOND);
        assertThat(timers.idleNanos(7 * SECOND)).isEqualTo(2 * SECOND);
    }

    @Test
    void limitsTheSignOnOfAClientThatStaysActive() {
        timers.onReceived(299 * SECOND);
        assertThat(timers.isExpired(300 * SECOND, SessionState.LOADING, true, false)).isFalse();
        assertThat(timers.isExpired(301 * SECOND, SessionState.LOADING, true, false)).isTrue();
        assertThat(timers.isExpired(301 * SECOND, SessionState.SPAWNED, true, false)).isFalse();
        timers.onMapChange(300 * SECOND);
        assertThat(timers.isExpired(301 * SECOND, SessionState.CONNECTED, true, false)).isFalse();
    }

    @Test
    void keepsAZombieUntilItHasTheReason() {
        timers.onReceived(100 * SECOND);
        assertThat(timers.isExpired(103 * SECOND, SessionState.ZOMBIE, true, true)).isTrue();
        assertThat(timers.isExpired(103 * SECOND, SessionState.ZOMBIE, true, false)).isFalse();
        assertThat(timers.isExpired(111 * SECOND, SessionState.ZOMBIE, true, false)).isTrue();
    }

    @Test
    void isSlowWithoutAcknowledgements() {
        assertThat(timers.isSlow(2 * SECOND - 1)).isFalse();
        assertThat(timers.isSlow(2 * SECOND)).isTrue();
        timers.onAcknowledged(SECOND);
        assertThat(timers.isSlow(2 * SECOND)).isFalse();
    }

    @Test
    void keepsTheConnectionAliveEachSecond() {
        assertThat(timers.isKeepAliveDue(SECOND - 1)).isFalse();
        assertThat(timers.isKeepAliveDue(SECOND)).isTrue();
        timers.onSent(SECOND);
        assertThat(timers.isKeepAliveDue(SECOND + 1)).isFalse();
    }
}
