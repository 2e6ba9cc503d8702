package dev.wishdir.quake3.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake3.combat.Weapon;
import dev.wishdir.quake3.message.PlayerArray;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.message.Usercmd;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.Optional;

class UsercmdBuilderTest {
    private final UsercmdBuilder builder = new UsercmdBuilder((_, _) -> PlayerInput.look(0, 0));

    private int time(int millis) {
        return builder.next(0, millis, PlayerState.ZERO, Movement.at(Vec3.ZERO, 0), true)
                .getLast()
                .serverTime();
    }

    @Test
    @DisplayName("A8 the times of usercmds go on where 32 bits of milliseconds wrap")
    void goesOnOverWrapOfServerTime() {
        builder.begin();
        builder.snapshot(1_000, Integer.MAX_VALUE - 50);
        for (int i = 0; i < 10; i++) {
            assertThat(time(1_000 + 25 * i)).isEqualTo(Integer.MAX_VALUE - 50 + 25 * i);
        }
    }

    @Test
    @DisplayName("A8 the times of usercmds go on where the client's own milliseconds wrap")
    void goesOnOverWrapOfOwnClock() {
        builder.begin();
        builder.snapshot(Integer.MAX_VALUE - 50, 7_000);
        for (int i = 0; i < 10; i++) {
            assertThat(time(Integer.MAX_VALUE - 50 + 25 * i)).isEqualTo(7_000 + 25 * i);
        }
    }

    @Test
    void followsClockOfNewLevelFromItsFirstSnapshot() {
        builder.begin();
        builder.snapshot(1_000, 500_000);
        assertThat(time(1_100)).isEqualTo(500_100);

        builder.begin();
        assertThat(time(1_125)).isLessThan(100);
        builder.snapshot(1_150, 400);

        assertThat(time(1_175)).isEqualTo(425);
    }

    private static PlayerState alive(Weapon inHand) {
        return PlayerState.builder()
                .set(PlayerArray.STATS, 0, 100)
                .set(PlayerArray.AMMO, inHand.number(), 10)
                .set(PlayerArray.AMMO, Weapon.RAILGUN.number(), 10)
                .set(PlayerField.WEAPON, inHand.number())
                .build();
    }

    private Usercmd shot(Weapon inHand) {
        builder.shoot(90, 0, Optional.of(inHand));
        return builder.next(0, 0, alive(inHand), Movement.at(Vec3.ZERO, 0), true).getLast();
    }

    @Test
    void firesWhenSelectedWeaponIsInHand() {
        builder.select(Weapon.RAILGUN);
        Usercmd change = shot(Weapon.MACHINE_GUN);
        Usercmd fire = shot(Weapon.RAILGUN);

        assertThat(change.weapon()).isEqualTo(Weapon.RAILGUN.number());
        assertThat(change.buttons() & Usercmd.ATTACK).isZero();
        assertThat(fire.buttons() & Usercmd.ATTACK).isEqualTo(Usercmd.ATTACK);
    }
}
