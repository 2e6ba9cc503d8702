package dev.wishdir.quake2.combat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.quake2.message.Sound.Channel;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

class GunStateTest implements GunState.Listener {
    private final GunState gun = new GunState(new Random(1), this);

    /** The frames of the game in which it shot, and the bullets of each shot. */
    private final List<Integer> shots = new ArrayList<>();

    private final List<Integer> bullets = new ArrayList<>();
    private final List<String> sounds = new ArrayList<>();
    private final List<Integer> acts = new ArrayList<>();

    /** Frames until the explosion of each hand grenade, -1 for one that explodes in the hand. */
    private final List<Integer> throwFuses = new ArrayList<>();

    private int time;

    @Override
    public void onShot(long now, Weapon weapon, int count, int frame) {
        shots.add(time);
        bullets.add(count);
    }

    @Override
    public void onWindUp(long now, Weapon weapon) {
        sounds.add("wind up " + time);
    }

    @Override
    public void onThrow(long now, int fuseFrames, boolean isHeld) {
        shots.add(time);
        throwFuses.add(isHeld ? -1 : fuseFrames);
    }

    @Override
    public void onAct(long now) {
        acts.add(time);
    }

    @Override
    public void onSound(String name, Channel channel) {
        sounds.add(name);
    }

    private void take(Weapon weapon) {
        gun.begin(Loadout.ALL.inventory(), Weapon.BLASTER);
        assertThat(gun.use(weapon)).isEmpty();
        pass(30, false);
        assertThat(gun.weapon()).isEqualTo(weapon);
        shots.clear();
        time = 0;
    }

    /** Passes frames of the game, each with a command. */
    private List<Integer> pass(int frames, boolean attack) {
        List<Integer> shown = new ArrayList<>();
        for (int i = 0; i < frames; i++) {
            gun.command(0, attack, true);
            gun.endFrame(0, true);
            shown.add(gun.frame());
            time++;
        }
        return shown;
    }

    @ParameterizedTest
    @CsvSource({
        "BLASTER, 5",
        "SHOTGUN, 12",
        "SUPER_SHOTGUN, 12",
        "MACHINE_GUN, 1",
        "GRENADE_LAUNCHER, 12",
        "ROCKET_LAUNCHER, 9",
        "HYPERBLASTER, 1",
        "RAILGUN, 16"
    })
    void shootsAtThePressAndThenAtItsRate(Weapon weapon, int period) {
        take(weapon);
        pass(40, true);
        assertThat(shots.getFirst()).isZero();
        assertThat(shots.get(1) - shots.get(0)).isEqualTo(period);
        assertThat(shots.get(2) - shots.get(1)).isEqualTo(period);
    }

    /** The sound of quad damage comes with each, also where the shotgun only loads. */
    @ParameterizedTest
    @CsvSource({"SHOTGUN, 8 9", "RAILGUN, 4", "ROCKET_LAUNCHER, 5"})
    void actsInTheFramesOfItsTable(Weapon weapon, String frames) {
        take(weapon);
        acts.clear();
        List<Integer> before = new ArrayList<>(List.of(gun.frame()));
        before.addAll(pass(11, true));
        List<String> at =
                acts.stream()
                        .filter(frame -> frame > 0)
                        .map(frame -> String.valueOf(before.get(frame)))
                        .toList();
        String first = acts.getFirst() == 0 ? frames.split(" ")[0] + " " : "";
        assertThat((first + String.join(" ", at)).strip()).startsWith(frames);
    }

    @Test
    void twoCommandsInOneFrameShootOnce() {
        take(Weapon.MACHINE_GUN);
        gun.command(0, true, true);
        gun.command(0, false, true);
        gun.command(0, true, true);
        gun.endFrame(0, true);
        assertThat(shots).hasSize(1);
    }

    @Test
    void tapBetweenFramesShoots() {
        take(Weapon.BLASTER);
        gun.command(0, true, true);
        gun.command(0, false, true);
        gun.endFrame(0, true);
        assertThat(shots).hasSize(1);
    }

    @Test
    void tapOfABusyWeaponIsLost() {
        take(Weapon.RAILGUN);
        pass(1, true);
        pass(2, false);
        pass(1, true);
        pass(30, false);
        assertThat(shots).hasSize(1);
    }

    @Test
    void chaingunSpinsUp() {
        take(Weapon.CHAINGUN);
        List<Integer> frames = pass(25, true);
        assertThat(frames.subList(0, 10)).containsExactly(6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        assertThat(frames).contains(21).doesNotContain(22);
        assertThat(bullets.subList(0, 12)).containsExactly(1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3);
        assertThat(sounds).contains("weapons/chngnu1a.wav");
        assertThat(pass(20, false)).contains(22);
        assertThat(sounds).contains("weapons/chngnd1a.wav");
    }

    @Test
    void hyperblasterRunsOn() {
        take(Weapon.HYPERBLASTER);
        assertThat(pass(8, true)).containsExactly(7, 8, 9, 10, 11, 6, 7, 8);
        assertThat(pass(4, false)).containsExactly(9, 10, 11, 12);
        assertThat(shots).hasSize(8);
        assertThat(sounds).contains("weapons/hyprbd1a.wav");
    }

    @Test
    void emptyGunClicksAndIsPutAway() {
        take(Weapon.RAILGUN);
        gun.inventory().set(Ammo.SLUGS, 0);
        gun.inventory().set(Ammo.CELLS, 0);
        pass(1, true);
        assertThat(sounds).contains("weapons/noammo.wav");
        pass(30, false);
        assertThat(gun.weapon()).isEqualTo(Weapon.CHAINGUN);
        assertThat(shots).isEmpty();
    }

    @Test
    void takesUpAndPutsAwayInItsTime() {
        gun.begin(Loadout.ALL.inventory(), Weapon.BLASTER);
        assertThat(gun.frame()).isZero();
        List<Integer> frames = pass(7, false);
        assertThat(frames).startsWith(1, 2, 3, 4, 9);
        gun.use(Weapon.SHOTGUN);
        assertThat(pass(6, false)).containsExactly(53, 54, 55, 0, 1, 2);
        assertThat(gun.weapon()).isEqualTo(Weapon.SHOTGUN);
    }

    @Test
    void refusesWhatIsNotOwnedOrEmpty() {
        gun.begin(Loadout.BLASTER.inventory(), Weapon.BLASTER);
        assertThat(gun.use(Weapon.RAILGUN)).hasValue("Out of item: Railgun");
        gun.inventory().give(Weapon.RAILGUN);
        assertThat(gun.use(Weapon.RAILGUN)).hasValue("No Slugs for Railgun.");
    }

    @ParameterizedTest
    @EnumSource(Weapon.class)
    void spendsNoMoreThanThereIs(Weapon weapon) {
        take(weapon);
        weapon.ammo().ifPresent(kind -> gun.inventory().set(kind, 7 * weapon.use()));
        pass(400, true);
        weapon.ammo().ifPresent(kind -> assertThat(gun.inventory().count(kind)).isBetween(0, 1));
    }

    /** As in the captures: the flash with the press, the ball 0.8 s later, every 2.5 s. */
    @Test
    void bfgWindsUpBeforeItShoots() {
        take(Weapon.BFG);
        List<Integer> frames = pass(30, true);
        assertThat(frames).startsWith(10, 11, 12, 13, 14, 15, 16, 17, 18).contains(32);
        assertThat(sounds).containsExactly("wind up 0", "wind up 25");
        assertThat(shots).containsExactly(8);
        assertThat(gun.inventory().count(Ammo.CELLS)).isEqualTo(50);
        pass(10, true);
        assertThat(shots).containsExactly(8, 33);
    }

    @Test
    void bfgShootsNothingWhereItsCellsAreGone() {
        take(Weapon.BFG);
        pass(3, true);
        gun.inventory().set(Ammo.CELLS, 49);
        pass(30, false);
        assertThat(shots).isEmpty();
        assertThat(gun.inventory().count(Ammo.CELLS)).isEqualTo(49);
    }

    /** The frames are those of a capture of yquake2. */
    @Test
    void tapThrowsAHandGrenade() {
        take(Weapon.HAND_GRENADE);
        pass(1, true);
        assertThat(gun.frame()).isOne();
        List<Integer> frames = pass(21, false);
        assertThat(frames.subList(0, 14))
                .containsExactly(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        assertThat(frames.subList(14, 21)).containsOnly(15);
        assertThat(pass(2, false)).containsExactly(16, 17);
        assertThat(shots).containsExactly(12);
        assertThat(throwFuses).containsExactly(31);
        assertThat(sounds).containsExactly("weapons/hgrena1b.wav");
        assertThat(gun.inventory().count(Ammo.GRENADES)).isEqualTo(24);
    }

    @Test
    void heldHandGrenadeIsThrownLater() {
        take(Weapon.HAND_GRENADE);
        assertThat(pass(31, true)).endsWith(11, 11, 11);
        assertThat(gun.loopSound()).isEqualTo("weapons/hgrenc1b.wav");
        pass(2, false);
        assertThat(gun.loopSound()).isEmpty();
        assertThat(throwFuses).containsExactly(11);
    }

    @Test
    void handGrenadeExplodesInTheHandAfterItsFuse() {
        take(Weapon.HAND_GRENADE);
        pass(43, true);
        assertThat(shots).isEmpty();
        pass(1, true);
        assertThat(shots).containsExactly(43);
        assertThat(throwFuses).containsExactly(-1);
        assertThat(gun.inventory().count(Ammo.GRENADES)).isEqualTo(24);
        assertThat(pass(9, false)).containsOnly(11);
        assertThat(pass(1, false)).containsExactly(16);
        pass(20, false);
        assertThat(throwFuses).hasSize(1);
    }

    @Test
    void handGrenadeOfTheDeadDoesNotExplode() {
        take(Weapon.HAND_GRENADE);
        pass(20, true);
        for (int i = 0; i < 60; i++) {
            gun.command(0, true, false);
            gun.endFrame(0, false);
        }
        gun.begin(Loadout.ALL.inventory(), Weapon.BLASTER);
        assertThat(gun.loopSound()).isEmpty();
        gun.use(Weapon.HAND_GRENADE);
        pass(60, false);
        assertThat(throwFuses).isEmpty();
    }

    @Test
    void handGrenadesAreOwnedAsLongAsThereAreSome() {
        take(Weapon.HAND_GRENADE);
        gun.use(Weapon.RAILGUN);
        assertThat(pass(1, false)).as("not put away").containsExactly(0);
        assertThat(gun.weapon()).isEqualTo(Weapon.RAILGUN);
        gun.inventory().set(Ammo.GRENADES, 0);
        assertThat(gun.use(Weapon.HAND_GRENADE)).hasValue("Out of item: Grenades");
        gun.begin(new Inventory(), Weapon.BLASTER);
        gun.inventory().set(Ammo.GRENADES, 5);
        assertThat(gun.use(Weapon.HAND_GRENADE)).as("by ammunition only").isEmpty();
    }

    @Test
    void deadHandsDoNotShoot() {
        take(Weapon.BLASTER);
        gun.command(0, true, false);
        assertThat(gun.isNewlyPressed()).isTrue();
        gun.endFrame(0, false);
        assertThat(gun.isNewlyPressed()).isFalse();
        assertThat(shots).isEmpty();
    }
}
