package dev.wishdir.quake2.combat;

import dev.wishdir.blocks.arena.ItemKind;
import dev.wishdir.blocks.arena.PlacedItem;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** An item of the game that lies on a map, with what it gives: docs/protocols/quake2.md. */
public enum PickupItem {
    ARMOR_BODY(1, "item_armor_body", ItemKind.HEAVY_ARMOUR, "items/armor/body"),
    ARMOR_COMBAT(2, "item_armor_combat", ItemKind.LIGHT_ARMOUR, "items/armor/combat"),
    ARMOR_JACKET(3, "item_armor_jacket", ItemKind.LIGHT_ARMOUR, "items/armor/jacket"),
    ARMOR_SHARD(4, "item_armor_shard", ItemKind.ARMOUR_SHARD, "items/armor/shard"),
    SHOTGUN("weapon_shotgun", ItemKind.WEAPON_SHOTGUN, "weapons/g_shotg", Weapon.SHOTGUN, 10),
    SUPER_SHOTGUN(
            "weapon_supershotgun",
            ItemKind.WEAPON_SHOTGUN,
            "weapons/g_shotg2",
            Weapon.SUPER_SHOTGUN,
            10),
    MACHINE_GUN(
            "weapon_machinegun",
            ItemKind.WEAPON_MACHINE_GUN,
            "weapons/g_machn",
            Weapon.MACHINE_GUN,
            50),
    CHAINGUN(
            "weapon_chaingun", ItemKind.WEAPON_MACHINE_GUN, "weapons/g_chain", Weapon.CHAINGUN, 50),
    GRENADE_LAUNCHER(
            "weapon_grenadelauncher",
            ItemKind.WEAPON_GRENADE,
            "weapons/g_launch",
            Weapon.GRENADE_LAUNCHER,
            5),
    ROCKET_LAUNCHER(
            "weapon_rocketlauncher",
            ItemKind.WEAPON_ROCKET,
            "weapons/g_rocket",
            Weapon.ROCKET_LAUNCHER,
            5),
    HYPERBLASTER(
            "weapon_hyperblaster",
            ItemKind.WEAPON_MACHINE_GUN,
            "weapons/g_hyperb",
            Weapon.HYPERBLASTER,
            50),
    RAILGUN("weapon_railgun", ItemKind.WEAPON_RIFLE, "weapons/g_rail", Weapon.RAILGUN, 10),
    BFG("weapon_bfg", ItemKind.WEAPON_ROCKET, "weapons/g_bfg", Weapon.BFG, 50),
    GRENADES("ammo_grenades", ItemKind.AMMO_GRENADE, Ammo.GRENADES, 5),
    SHELLS("ammo_shells", ItemKind.AMMO_SHOTGUN, Ammo.SHELLS, 10),
    BULLETS("ammo_bullets", ItemKind.AMMO_MACHINE_GUN, Ammo.BULLETS, 50),
    CELLS("ammo_cells", ItemKind.AMMO_MACHINE_GUN, Ammo.CELLS, 50),
    ROCKETS("ammo_rockets", ItemKind.AMMO_ROCKET, Ammo.ROCKETS, 5),
    SLUGS("ammo_slugs", ItemKind.AMMO_RIFLE, Ammo.SLUGS, 10),
    HEALTH(41, "item_health", ItemKind.HEALTH, "items/healing/medium"),
    HEALTH_SMALL(41, "item_health_small", ItemKind.SMALL_HEALTH, "items/healing/stimpack"),
    HEALTH_LARGE(41, "item_health_large", ItemKind.LARGE_HEALTH, "items/healing/large"),
    HEALTH_MEGA(41, "item_health_mega", ItemKind.MEGA_HEALTH, "items/mega_h"),
    QUAD(23, "item_quad", ItemKind.QUAD, "items/quaddama");

    private final int item;
    private final String classname;
    private final ItemKind kind;
    private final String model;
    private final @Nullable Weapon weapon;
    private final @Nullable Ammo ammo;
    private final int amount;

    PickupItem(int item, String classname, ItemKind kind, String model) {
        this.item = item;
        this.classname = classname;
        this.kind = kind;
        this.model = model;
        weapon = null;
        ammo = null;
        amount = 0;
    }

    PickupItem(String classname, ItemKind kind, String model, Weapon weapon, int amount) {
        item = weapon.item();
        this.classname = classname;
        this.kind = kind;
        this.model = model;
        this.weapon = weapon;
        ammo = weapon.ammo().orElse(null);
        this.amount = amount;
    }

    PickupItem(String classname, ItemKind kind, Ammo ammo, int amount) {
        item = ammo.item();
        this.classname = classname;
        this.kind = kind;
        model = "items/ammo/" + classname.substring("ammo_".length()) + "/medium";
        weapon = null;
        this.ammo = ammo;
        this.amount = amount;
    }

    /** The item that maps call so; empty if this server does not know it. */
    public static Optional<PickupItem> of(String classname) {
        return Arrays.stream(values()).filter(it -> it.classname.equals(classname)).findFirst();
    }

    /** The item in this game: by its name if this game has that, else by its kind. */
    public static PickupItem of(PlacedItem item) {
        return of(item.classname()).orElseGet(() -> usual(item.kind()));
    }

    private static PickupItem usual(ItemKind kind) {
        return switch (kind) {
            case SMALL_HEALTH -> HEALTH_SMALL;
            // Of 25 points, as in other games.
            case HEALTH, LARGE_HEALTH -> HEALTH_LARGE;
            case MEGA_HEALTH -> HEALTH_MEGA;
            case ARMOUR_SHARD -> ARMOR_SHARD;
            case LIGHT_ARMOUR -> ARMOR_COMBAT;
            case HEAVY_ARMOUR -> ARMOR_BODY;
            case WEAPON_SHOTGUN -> SUPER_SHOTGUN;
            case WEAPON_MACHINE_GUN -> MACHINE_GUN;
            case WEAPON_RIFLE -> RAILGUN;
            case WEAPON_ROCKET -> ROCKET_LAUNCHER;
            case WEAPON_GRENADE -> GRENADE_LAUNCHER;
            case AMMO_SHOTGUN -> SHELLS;
            case AMMO_MACHINE_GUN -> BULLETS;
            case AMMO_RIFLE -> SLUGS;
            case AMMO_ROCKET -> ROCKETS;
            case AMMO_GRENADE -> GRENADES;
            case QUAD -> QUAD;
        };
    }

    /** Its number, by which clients know its name. */
    public int item() {
        return item;
    }

    /** The kind that it is to other games. */
    public ItemKind kind() {
        return kind;
    }

    /** After how long it returns on this game's maps; the largest health after it has worn off. */
    public Duration returnTime() {
        return Duration.ofSeconds(
                switch (kind) {
                    case ARMOUR_SHARD, LIGHT_ARMOUR, HEAVY_ARMOUR -> 20;
                    case MEGA_HEALTH, QUAD -> 60;
                    default -> 30;
                });
    }

    /** Path of its model. */
    public String model() {
        return "models/" + model + "/tris.md2";
    }

    /** Whether it spins. */
    public boolean spins() {
        return ammo == null || weapon != null;
    }

    /** Name of its picture. */
    public String icon() {
        return switch (this) {
            case ARMOR_BODY -> "i_bodyarmor";
            case ARMOR_COMBAT -> "i_combatarmor";
            case ARMOR_JACKET, ARMOR_SHARD -> "i_jacketarmor";
            case HEALTH, HEALTH_SMALL, HEALTH_LARGE, HEALTH_MEGA -> "i_health";
            case QUAD -> QuadDamage.ICON;
            default -> weapon != null ? weapon.icon() : ammo == null ? "" : ammo.icon();
        };
    }

    /** Sound for its player. */
    public String sound() {
        return switch (this) {
            case ARMOR_BODY, ARMOR_COMBAT, ARMOR_JACKET -> "misc/ar1_pkup.wav";
            case ARMOR_SHARD -> "misc/ar2_pkup.wav";
            case HEALTH_SMALL -> "items/s_health.wav";
            case HEALTH -> "items/n_health.wav";
            case HEALTH_LARGE -> "items/l_health.wav";
            case HEALTH_MEGA -> "items/m_health.wav";
            case QUAD -> "items/pkup.wav";
            default -> weapon != null ? "misc/w_pkup.wav" : "misc/am_pkup.wav";
        };
    }

    /** The weapon that it is; empty for others, also for grenades. */
    Optional<Weapon> weapon() {
        return Optional.ofNullable(weapon);
    }

    /** The weapon that its player has by it: grenades are ammunition and a weapon. */
    public Optional<Weapon> arms() {
        return this == GRENADES ? Optional.of(Weapon.HAND_GRENADE) : weapon();
    }

    /** The ammunition that it gives; empty for health and armour. */
    Optional<Ammo> ammo() {
        return Optional.ofNullable(ammo);
    }

    /** Rounds. */
    int amount() {
        return amount;
    }
}
