package dev.wishdir.bedrock.server.movement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.bedrock.movement.BedrockMotion;

import org.junit.jupiter.api.Test;

class MovementRateLimiterTest {
    private static final long TICK = BedrockMotion.TICK_NANOS;

    private final MovementRateLimiter limiter = new MovementRateLimiter(0);

    private int allowed(long time, int movements) {
        int allowed = 0;
        for (int i = 0; i < movements; i++) {
            allowed += limiter.tryAcquire(time) ? 1 : 0;
        }
        return allowed;
    }

    @Test
    void allowsOneMovementPerTick() {
        for (int tick = 1; tick < 1000; tick++) {
            assertThat(limiter.tryAcquire(tick * TICK)).isTrue();
        }
        assertThat(limiter.refused()).isZero();
    }

    @Test
    void refusesMoreThanBurst() {
        assertThat(allowed(0, 1000)).isEqualTo(MovementRateLimiter.MAX_BURST);
        assertThat(limiter.refused()).isEqualTo(1000 - MovementRateLimiter.MAX_BURST);
    }

    @Test
    void allowsMovementsThatSilenceHeldUp() {
        assertThat(limiter.tryAcquire(TICK)).isTrue();
        long silence = 20 * TICK;
        assertThat(allowed(TICK + silence, 1000)).isBetween(20, 21 + MovementRateLimiter.MAX_BURST);
        assertThat(allowed(TICK + silence, 1000)).isZero();
    }

    @Test
    void forgetsBacklogThatDoesNotArrive() {
        assertThat(limiter.tryAcquire(TICK)).isTrue();
        long after = 21 * TICK;
        assertThat(limiter.tryAcquire(after)).isTrue();
        int steps = 80;
        for (int i = 1; i <= steps; i++) {
            assertThat(limiter.tryAcquire(after + i * TICK)).isTrue();
        }
        assertThat(allowed(after + steps * TICK, 1000))
                .isLessThanOrEqualTo(MovementRateLimiter.MAX_BURST + 4);
    }
}
