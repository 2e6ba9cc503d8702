package dev.wishdir.quake2.combat;

import dev.wishdir.arena.event.DamageMeans;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/** A weapon of the game, in the order of its own numbers. */
public enum Weapon {
    BLASTER(
            new Labels("Blaster", "v_blast", "w_blaster", DamageMeans.PISTOL),
            7,
            null,
            0,
            new GunFrames(4, 8, 52, 55, List.of(5), List.of(19, 32))),
    SHOTGUN(
            new Labels("Shotgun", "v_shotg", "w_shotgun", DamageMeans.SHOTGUN),
            8,
            Ammo.SHELLS,
            1,
            new GunFrames(7, 18, 36, 39, List.of(8, 9), List.of(22, 28, 34))),
    SUPER_SHOTGUN(
            new Labels("Super Shotgun", "v_shotg2", "w_sshotgun", DamageMeans.SHOTGUN),
            9,
            Ammo.SHELLS,
            2,
            new GunFrames(6, 17, 57, 61, List.of(7), List.of(29, 42, 57))),
    MACHINE_GUN(
            new Labels("Machinegun", "v_machn", "w_machinegun", DamageMeans.MACHINE_GUN),
            10,
            Ammo.BULLETS,
            1,
            new GunFrames(3, 5, 45, 49, List.of(4, 5), List.of(23, 45))),
    CHAINGUN(
            new Labels("Chaingun", "v_chain", "w_chaingun", DamageMeans.MACHINE_GUN),
            11,
            Ammo.BULLETS,
            1,
            new GunFrames(4, 31, 61, 64, range(5, 21), List.of(38, 43, 51, 61))),
    /** Its ammunition is the weapon; it is not put away, but gone at once. */
    HAND_GRENADE(
            new Labels("Grenades", "v_handgr", "a_grenades", DamageMeans.GRENADE),
            12,
            Ammo.GRENADES,
            1,
            new GunFrames(0, 15, 48, 48, List.of(), List.of(29, 34, 39, 48))),
    GRENADE_LAUNCHER(
            new Labels("Grenade Launcher", "v_launch", "w_glauncher", DamageMeans.GRENADE),
            13,
            Ammo.GRENADES,
            1,
            new GunFrames(5, 16, 59, 64, List.of(6), List.of(34, 51, 59))),
    ROCKET_LAUNCHER(
            new Labels("Rocket Launcher", "v_rocket", "w_rlauncher", DamageMeans.ROCKET),
            14,
            Ammo.ROCKETS,
            1,
            new GunFrames(4, 12, 50, 54, List.of(5), List.of(25, 33, 42, 50))),
    HYPERBLASTER(
            new Labels("HyperBlaster", "v_hyperb", "w_hyperblaster", DamageMeans.MACHINE_GUN),
            15,
            Ammo.CELLS,
            1,
            new GunFrames(5, 20, 49, 53, range(6, 11), List.of())),
    RAILGUN(
            new Labels("Railgun", "v_rail", "w_railgun", DamageMeans.RIFLE),
            16,
            Ammo.SLUGS,
            1,
            new GunFrames(3, 18, 56, 61, List.of(4), List.of(56))),
    BFG(
            new Labels("BFG10K", "v_bfg", "w_bfg", DamageMeans.BFG),
            17,
            Ammo.CELLS,
            50,
            new GunFrames(8, 32, 55, 58, List.of(9, 17), List.of(39, 45, 50, 55)));

    /**
     * Names of a weapon.
     *
     * @param title as clients read it, and as the command {@code use} names it
     * @param view name of the model that its player sees
     * @param icon name of its picture, and of the model that the others see
     */
    private record Labels(String title, String view, String icon, DamageMeans means) {}

    private final Labels labels;
    private final int item;
    private final @Nullable Ammo ammo;
    private final int use;
    private final GunFrames frames;

    Weapon(Labels labels, int item, @Nullable Ammo ammo, int use, GunFrames frames) {
        this.labels = labels;
        this.item = item;
        this.ammo = ammo;
        this.use = use;
        this.frames = frames;
    }

    private static List<Integer> range(int first, int last) {
        return IntStream.rangeClosed(first, last).boxed().toList();
    }

    /** The weapon that the command {@code use} names, in any case; empty for none. */
    public static Optional<Weapon> named(String title) {
        String wanted = title.toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(weapon -> weapon.title().toLowerCase(Locale.ROOT).equals(wanted))
                .findFirst();
    }

    /** The first gun of a kind; empty if this game has none. */
    public static Optional<Weapon> of(DamageMeans means) {
        return Arrays.stream(values())
                .filter(weapon -> weapon.means() == means && weapon != HAND_GRENADE)
                .findFirst();
    }

    /** As clients read it. */
    public String title() {
        return labels.title;
    }

    /** Path of the model that its player sees. */
    public String viewModel() {
        return "models/weapons/" + labels.view + "/tris.md2";
    }

    /** Name of its picture. */
    public String icon() {
        return labels.icon;
    }

    public DamageMeans means() {
        return labels.means;
    }

    /** Its number in the inventory. */
    public int item() {
        return item;
    }

    /** Its ammunition; empty if it needs none. */
    public Optional<Ammo> ammo() {
        return Optional.ofNullable(ammo);
    }

    /** Ammunition that it must have to fire. */
    public int use() {
        return use;
    }

    /** Whether its model is idle in a frame. */
    public boolean isIdle(int frame) {
        return frame >= frames.idleFirst() && frame <= frames.idleLast();
    }

    GunFrames frames() {
        return frames;
    }

    /**
     * Its number in the skins of entities, from 1: the place of its model among those with a {@code
     * #}.
     */
    public int number() {
        return ordinal() + 1;
    }
}
