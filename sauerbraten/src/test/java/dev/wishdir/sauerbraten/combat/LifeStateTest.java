package dev.wishdir.sauerbraten.combat;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Random;

class LifeStateTest {
    private final LifeState life = new LifeState();

    @Test
    void startsLifeOnceAndOnlyWithItsNumber() {
        life.order(7, GameMode.FFA, new Random(1));
        assertThat(life.state()).isEqualTo(ClientState.DEAD);
        assertThat(life.orderedAt()).isEqualTo(7);
        assertThat(life.body().lifeseq()).isEqualTo(life.lifeseq()).isZero();
        assertThat(life.spawn(1)).isFalse();
        assertThat(life.spawn(0)).isTrue();
        assertThat(life.hasBody()).isTrue();
        assertThat(life.spawn(0)).isFalse();
    }

    @Test
    void awaitsOneFirstPositionInEachLife() {
        life.order(0, GameMode.FFA, new Random(1));
        life.spawn(0);
        assertThat(life.awaitsFirstPosition()).isTrue();
        life.onFirstPosition();
        assertThat(life.awaitsFirstPosition()).isFalse();
        life.order(0, GameMode.FFA, new Random(1));
        life.spawn(1);
        assertThat(life.awaitsFirstPosition()).isTrue();
    }

    @Test
    void countsLivesInSevenBits() {
        for (int i = 0; i < 128; i++) {
            life.order(0, GameMode.FFA, new Random(1));
            assertThat(life.lifeseq()).isEqualTo(i);
        }
        life.order(0, GameMode.FFA, new Random(1));
        assertThat(life.lifeseq()).isZero();
    }

    @Test
    void editsOnlyWhileAlive() {
        life.order(0, GameMode.COOP_EDIT, new Random(1));
        assertThat(life.setEditing(true)).isFalse();
        life.spawn(0);
        assertThat(life.setEditing(false)).isFalse();
        assertThat(life.setEditing(true)).isTrue();
        assertThat(life.state()).isEqualTo(ClientState.EDITING);
        assertThat(life.hasBody()).isTrue();
        assertThat(life.setEditing(true)).isFalse();
        life.die(5);
        assertThat(life.setEditing(false)).isFalse();
        assertThat(life.hasBody()).isFalse();
    }

    @Test
    void doesNotSpawnSpectator() {
        life.order(0, GameMode.FFA, new Random(1));
        life.setSpectator(true);
        assertThat(life.spawn(0)).isFalse();
        assertThat(life.isSpectator()).isTrue();
        life.setSpectator(false);
        assertThat(life.state()).isEqualTo(ClientState.DEAD);
        assertThat(life.spawn(0)).isTrue();
    }
}
