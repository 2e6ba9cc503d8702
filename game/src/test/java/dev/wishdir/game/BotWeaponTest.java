package dev.wishdir.game;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.game.BotWeapon.Missile;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.Test;

import java.util.List;

class BotWeaponTest {
    private static final BotWeapon SWORD = BotWeapon.instant("sword", 35, 0.5, 3, 0);
    private static final BotWeapon PELLETS = BotWeapon.instant("pellets", 100, 1, 60, 0.1);
    private static final BotWeapon RAIL = BotWeapon.instant("rail", 100, 1.5, 60, 0);
    private static final BotWeapon ROCKET =
            BotWeapon.launcher("rocket", 100, 0.8, 60, Missile.rocket(20, 4, 0));
    private static final List<BotWeapon> ALL = List.of(SWORD, PELLETS, RAIL, ROCKET);
    private static final Vec3 EYE = new Vec3(0, 0, 1.6);

    private static String best(String inHand, double distance) {
        return BotWeapon.best(ALL, inHand, distance).orElseThrow().name();
    }

    private static Movement walking(Vec3 at, Vec3 velocity) {
        return new Movement(at, 0, 0, velocity, Stance.STANDING);
    }

    @Test
    void choosesByDistance() {
        assertThat(best("", 2)).isEqualTo("pellets");
        assertThat(best("", 8)).isEqualTo("rocket");
        assertThat(best("", 50)).isEqualTo("rail");
    }

    @Test
    void prefersWeaponThatIsAimedSlowlyFarAway() {
        BotWeapon pistol = BotWeapon.instant("pistol", 35, 0.5, 60, 0.01);

        assertThat(BotWeapon.best(List.of(pistol, RAIL), "pistol", 5)).contains(pistol);
        assertThat(BotWeapon.best(List.of(pistol, RAIL), "pistol", 25)).contains(RAIL);
    }

    @Test
    void reachesNoFartherThanWeapon() {
        assertThat(BotWeapon.best(List.of(SWORD), "", 2.9)).contains(SWORD);
        assertThat(BotWeapon.best(List.of(SWORD), "", 3.1)).isEmpty();
    }

    @Test
    void explodesNoMissileNextToItsPlayer() {
        assertThat(BotWeapon.best(List.of(SWORD, ROCKET), "rocket", 3)).contains(SWORD);
        assertThat(BotWeapon.best(List.of(ROCKET), "rocket", 3)).isEmpty();
    }

    @Test
    void keepsWeaponInHandUntilAnotherIsClearlyBetter() {
        List<BotWeapon> two = List.of(PELLETS, RAIL);
        double near = 4;
        while (BotWeapon.best(two, "", near).orElseThrow().equals(PELLETS)) {
            near += 0.1;
        }
        assertThat(BotWeapon.best(two, "pellets", near)).contains(PELLETS);
        assertThat(BotWeapon.best(two, "pellets", near + 6)).contains(RAIL);
    }

    @Test
    void aimsAtBodyWithShotThatHitsAtOnce() {
        Vec3 at = new Vec3(10, 0, 0);

        assertThat(RAIL.aim(EYE, walking(at, new Vec3(0, 8, 0)))).isEqualTo(new Vec3(10, 0, 1));
    }

    @Test
    void leadsMissileToWhereBodyWillBe() {
        BotWeapon bolt = new BotWeapon("bolt", 15, 0.5, 0, 60, 0, Missile.bolt(20, 0.1));
        Vec3 aim = bolt.aim(EYE, walking(new Vec3(10, 0, 0), new Vec3(0, 6, 0)));
        double flight = aim.distance(EYE) / 20;

        assertThat(aim.x()).isEqualTo(10);
        assertThat(aim.y()).isCloseTo(6 * (flight + 0.1), within(0.05));
    }

    @Test
    void aimsAboveBodyAsFarAsMissileSinks() {
        BotWeapon bow = new BotWeapon("bow", 55, 1.1, 0, 60, 0, new Missile(20, 0, 10, 0, 0));
        Vec3 aim = bow.aim(EYE, walking(new Vec3(20, 0, 0), Vec3.ZERO));

        assertThat(aim.z()).isCloseTo(1 + 10.0 / 2, within(0.1));
    }

    @Test
    void aimsRocketsAtFeetOfBodyOnGround() {
        Movement standing = walking(new Vec3(10, 0, 0), Vec3.ZERO);
        Movement above = walking(new Vec3(10, 0, 4), Vec3.ZERO);

        assertThat(ROCKET.aim(EYE, standing).z()).isLessThan(0.5);
        assertThat(ROCKET.aim(EYE, above).z()).isEqualTo(5);
    }
}
