package dev.wishdir.bedrock.server.movement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.Test;

class PendingTeleportsTest {
    private static final long SECOND = 1_000_000_000;
    private static final Vec3 A = new Vec3(0, 0, 0);
    private static final Vec3 B = new Vec3(9, 0, 0);

    private final PendingTeleports teleports = new PendingTeleports();

    @Test
    void acceptsConfirmationsInTheOrderOfTheTeleports() {
        teleports.add(0, A);
        teleports.add(0, B);
        assertThat(teleports.confirm(SECOND, A)).isPresent();
        assertThat(teleports.confirm(SECOND, A)).as("a second time").isEmpty();
        assertThat(teleports.confirm(SECOND, new Vec3(9, 0.9, 0))).isPresent();
        assertThat(teleports.confirm(SECOND, B)).isEmpty();
    }

    @Test
    void forgetsTeleportsBeforeConfirmedOne() {
        teleports.add(0, A);
        teleports.add(0, B);
        assertThat(teleports.confirm(SECOND, B)).isPresent();
        assertThat(teleports.confirm(SECOND, A)).isEmpty();
    }

    @Test
    void acceptsRepeatedTeleportTwice() {
        teleports.add(0, A);
        teleports.add(2 * SECOND, A);
        assertThat(teleports.confirm(2 * SECOND, A)).isPresent();
        assertThat(teleports.confirm(3 * SECOND, A)).isPresent();
        assertThat(teleports.confirm(3 * SECOND, A)).isEmpty();
    }

    @Test
    void refusesOtherPlacesAndLateConfirmations() {
        teleports.add(0, A);
        assertThat(teleports.confirm(SECOND, new Vec3(0, 1.1, 0))).isEmpty();
        assertThat(teleports.confirm(30 * SECOND, A)).hasValue(30 * SECOND);
        teleports.add(0, A);
        assertThat(teleports.confirm(30 * SECOND + 1, A)).isEmpty();
    }

    @Test
    void keepsLimitedNumber() {
        for (int i = 0; i < 1_000; i++) {
            teleports.add(0, new Vec3(2 * i, 0, 0));
        }
        assertThat(teleports.confirm(0, new Vec3(2 * 983, 0, 0))).isEmpty();
        assertThat(teleports.confirm(0, new Vec3(2 * 984, 0, 0))).isPresent();
    }

    @Test
    void isRepeatedAfterTwoSeconds() {
        assertThat(teleports.isRetryDue(0)).isTrue();
        teleports.add(SECOND, A);
        assertThat(teleports.isRetryDue(3 * SECOND - 1)).isFalse();
        assertThat(teleports.isRetryDue(3 * SECOND)).isTrue();
    }
}
