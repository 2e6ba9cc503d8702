package dev.wishdir.sauerbraten.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.BotWeapon;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.combat.Weapon;
import dev.wishdir.sauerbraten.message.ActionMessage;
import dev.wishdir.sauerbraten.message.State;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

class LocalFighterTest {
    @Test
    void shotAtBodyThatItStandsInDoesNotEndWhereItBegan() {
        LocalFighter fighter = new LocalFighter(new Random(1));
        fighter.spawn(
                new State(1, 100, 100, 0, 0, Weapon.PISTOL.number(), List.of(0, 0, 0, 0, 0, 40)));
        Vec3 eye = new Vec3(0, 0, 1.7);
        Target near = new Target(1, 7, new Vec3(0.38, 0, 0));
        List<ActionMessage> messages =
                fighter.shoot(
                        0,
                        100,
                        eye,
                        near.feet().plus(new Vec3(0, 0, 1)),
                        List.of(near),
                        CollisionSpace.OPEN,
                        SauerbratenMotion.CENTERED);
        ActionMessage.Shoot shot = (ActionMessage.Shoot) messages.getFirst();
        assertThat(shot.hits()).hasSize(1);
        assertThat(shot.to()).isNotEqualTo(shot.from());
    }

    private static final Vec3 EYE = new Vec3(0, 0, 1.7);
    private static final long MILLI = 1_000_000;

    private final LocalFighter fighter = new LocalFighter(new Random(1));

    /** A life with the pistol in hand, and each gun but the rifle. */
    private void spawnWithGuns() {
        fighter.spawn(
                new State(1, 100, 100, 0, 0, Weapon.PISTOL.number(), List.of(5, 20, 5, 0, 5, 40)));
    }

    private void select(Weapon gun) {
        fighter.weapons().stream()
                .filter(weapon -> weapon.name().equals(gun.name()))
                .findFirst()
                .ifPresent(fighter::select);
    }

    private List<ActionMessage> shoot(long now, Vec3 at) {
        return fighter.shoot(
                now * MILLI,
                (int) now,
                EYE,
                at,
                List.of(),
                CollisionSpace.OPEN,
                SauerbratenMotion.CENTERED);
    }

    /** The first explosion of its missiles, and when it was; up to 3 s. */
    private Map.Entry<Long, ActionMessage.Explode> explosion(Target target) {
        for (long now = 0; now < 3_000; now += 10) {
            List<ActionMessage> messages =
                    fighter.missiles()
                            .explosions(now * MILLI, (int) now, List.of(target), Optional.empty());
            if (!messages.isEmpty()) {
                return Map.entry(now, (ActionMessage.Explode) messages.getFirst());
            }
        }
        throw new AssertionError("no explosion");
    }

    @Test
    void hasGunsWithAmmunition() {
        spawnWithGuns();

        assertThat(fighter.weapons())
                .extracting(BotWeapon::name)
                .containsExactly(
                        "FIST",
                        "SHOTGUN",
                        "CHAINGUN",
                        "ROCKET_LAUNCHER",
                        "GRENADE_LAUNCHER",
                        "PISTOL");
    }

    @Test
    void takesSelectedGunInHandOnce() {
        spawnWithGuns();
        select(Weapon.CHAINGUN);

        assertThat(shoot(0, new Vec3(10, 0, 1)))
                .extracting(ActionMessage::getClass)
                .containsExactly(ActionMessage.GunSelect.class, ActionMessage.Shoot.class);
        assertThat(shoot(100, new Vec3(10, 0, 1)))
                .extracting(ActionMessage::getClass)
                .containsExactly(ActionMessage.Shoot.class);
    }

    @Test
    void explodesRocketAtBodyOnItsWay() {
        spawnWithGuns();
        select(Weapon.ROCKET_LAUNCHER);
        shoot(0, new Vec3(60, 0, 1.7));
        Map.Entry<Long, ActionMessage.Explode> explosion =
                explosion(new Target(3, 7, new Vec3(20, 0, 0)));

        assertThat(explosion.getKey()).isBetween(450L, 550L);
        assertThat(explosion.getValue().hits()).extracting(ActionMessage.Hit::target).contains(3);
    }

    @Test
    void explodesGrenadeInTime() {
        spawnWithGuns();
        select(Weapon.GRENADE_LAUNCHER);
        shoot(0, new Vec3(20, 0, 1.7));
        Map.Entry<Long, ActionMessage.Explode> explosion =
                explosion(new Target(3, 7, new Vec3(-60, 0, 0)));

        assertThat(explosion.getKey()).isBetween(1_480L, 1_520L);
        assertThat(explosion.getValue().gun()).isEqualTo(Weapon.GRENADE_LAUNCHER.number());
        assertThat(explosion.getValue().hits()).isEmpty();
    }
}
