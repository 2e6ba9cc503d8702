package dev.wishdir.sauerbraten.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.Level;

import org.junit.jupiter.api.Test;

class MovementStateTest {
    private static final long SECOND = 1_000_000_000;

    private final MovementState movement = new MovementState(Level.BOX);

    @Test
    void countsRefusedPositionsInARow() {
        for (int i = 0; i < MovementState.MAX_POSITION_BURST; i++) {
            assertThat(movement.countPosition(0)).isZero();
        }
        assertThat(movement.countPosition(0)).isEqualTo(1);
        assertThat(movement.countPosition(0)).isEqualTo(2);
        for (int i = 0; i < 40; i++) {
            assertThat(movement.countPosition(SECOND)).isZero();
        }
        assertThat(movement.countPosition(SECOND)).isEqualTo(1);
    }

    @Test
    void teleportsOnce() {
        assertThat(movement.takeTeleported()).isFalse();
        movement.setTeleported();
        assertThat(movement.takeTeleported()).isTrue();
        assertThat(movement.takeTeleported()).isFalse();
    }
}
