package dev.wishdir.sauerbraten.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.sauerbraten.combat.GameMode;

import org.junit.jupiter.api.Test;

class CurrentMatchTest {
    private static final long SECOND = 1_000_000_000;

    private static CurrentMatch match(GameMode mode) {
        return new CurrentMatch(
                0, mode, new Broadcaster(new ClientTable()), new Arena(Level.BOX, 1).match());
    }

    @Test
    void endsAfterTenMinutesWithIntermissionOfTenSeconds() {
        CurrentMatch match = match(GameMode.FFA);
        assertThat(match.secondsLeft(0)).isEqualTo(600);
        assertThat(match.nextDeadline(Long.MAX_VALUE)).isEqualTo(600 * SECOND);
        assertThat(match.isOver(600 * SECOND - 1)).isFalse();
        assertThat(match.isOver(600 * SECOND)).isTrue();
        match.startIntermission(600 * SECOND);
        assertThat(match.isIntermission()).isTrue();
        assertThat(match.stopsPhysics()).isTrue();
        assertThat(match.secondsLeft(605 * SECOND)).isZero();
        assertThat(match.isOver(610 * SECOND - 1)).isFalse();
        assertThat(match.isOver(610 * SECOND)).isTrue();
        match.start(610 * SECOND, GameMode.FFA);
        assertThat(match.isIntermission()).isFalse();
        assertThat(match.stopsPhysics()).isFalse();
        assertThat(match.secondsLeft(610 * SECOND)).isEqualTo(600);
    }

    @Test
    void hasNoEndInCoopEdit() {
        CurrentMatch match = match(GameMode.COOP_EDIT);
        assertThat(match.secondsLeft(0)).isZero();
        assertThat(match.isOver(match.played(10_000 * SECOND))).isFalse();
        assertThat(match.nextDeadline(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void doesNotCountPause() {
        CurrentMatch match = match(GameMode.FFA);
        match.setPaused(100 * SECOND, true, -1);
        assertThat(match.isPaused()).isTrue();
        assertThat(match.secondsLeft(400 * SECOND)).isEqualTo(500);
        match.setPaused(400 * SECOND, false, -1);
        assertThat(match.secondsLeft(500 * SECOND)).isEqualTo(400);
    }

    @Test
    void endsEarlierAtDoubleSpeed() {
        CurrentMatch match = match(GameMode.FFA);
        match.setSpeed(0, 200, 0);
        assertThat(match.speed()).isEqualTo(200);
        assertThat(match.nextDeadline(Long.MAX_VALUE)).isEqualTo(300 * SECOND);
        assertThat(match.secondsLeft(100 * SECOND)).isEqualTo(400);
    }
}
