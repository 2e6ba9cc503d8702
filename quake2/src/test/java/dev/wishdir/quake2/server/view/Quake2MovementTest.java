package dev.wishdir.quake2.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.motion.Movement;
import dev.wishdir.quake2.message.Blend;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Stats;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.movement.PlayerHulls;
import dev.wishdir.quake2.movement.Quake2Movement;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;

import java.util.Random;

class Quake2MovementTest {
    private final Random random = new Random(11);

    private Triple triple(int most) {
        return new Triple(
                random.nextInt(-most, most),
                random.nextInt(-most, most),
                random.nextInt(-most, most));
    }

    private PlayerState state() {
        return new PlayerState(
                random.nextInt(5),
                triple(32768),
                triple(32768),
                random.nextInt(256),
                random.nextInt(256),
                800,
                triple(32768),
                triple(128),
                triple(32768),
                triple(128),
                random.nextInt(256),
                random.nextInt(256),
                triple(128),
                triple(128),
                Blend.NONE,
                90,
                random.nextInt(2),
                Stats.ZERO.with(Stats.HEALTH, 100));
    }

    private static Player player(NativeMovement movement) {
        return new Player(
                new PlayerId(3, 9), "quake2", "anna", 0, 0, true, Movement.ORIGIN, movement);
    }

    @Test
    void showsStoredMovementUnchangedUnderAnotherNumber() {
        for (int i = 0; i < 1000; i++) {
            Quake2Movement live = new Quake2Movement(state());
            NativeMovement stored = new NativeMovement.Stored(live.form(), live.bytes());
            assertThat(Quake2Movement.in(stored)).contains(live.state());
            EntityState shown = PlayerEntities.entity(player(live), 7, 5);
            assertThat(PlayerEntities.entity(player(stored), 7, 5)).isEqualTo(shown);
            assertThat(PlayerEntities.entity(player(stored), 255, 5).skin()).isEqualTo(255);
            assertThat(shown.origin()).isEqualTo(live.state().origin());
        }
    }

    @Test
    void showsForeignMovementAsCanonical() {
        EntityState plain = PlayerEntities.entity(player(NativeMovement.Stored.NONE), 7, 5);
        Bytes good = new Quake2Movement(state()).bytes();
        for (int length = 0; length < good.length(); length++) {
            NativeMovement cut =
                    new NativeMovement.Stored(
                            Quake2Movement.FORM, Bytes.copyOf(good.toArray(), 0, length));
            assertThat(PlayerEntities.entity(player(cut), 7, 5)).isEqualTo(plain);
        }
        NativeMovement other = new NativeMovement.Stored("quake3/68/playerState", good);
        assertThat(PlayerEntities.entity(player(other), 7, 5)).isEqualTo(plain);
    }

    @Test
    void stopsClientsAtForeignPlayers() {
        assertThat(PlayerEntities.entity(player(NativeMovement.Stored.NONE), 7, 5).solid())
                .isEqualTo(PlayerHulls.solid(false));
    }

    @Test
    void comparesOnlyVisibleFields() {
        PlayerState state = state();
        Quake2Movement movement = new Quake2Movement(state);
        PlayerState hurt = state.with(Stats.ZERO.with(Stats.HEALTH, 1));
        assertThat(movement.looksLike(new Quake2Movement(hurt))).isTrue();
        assertThat(movement.looksLike(new Quake2Movement(state()))).isFalse();
        assertThat(movement.looksLike(NativeMovement.Stored.NONE)).isFalse();
    }
}
