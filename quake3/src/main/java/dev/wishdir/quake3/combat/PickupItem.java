package dev.wishdir.quake3.combat;

import dev.wishdir.blocks.arena.ItemKind;
import dev.wishdir.blocks.arena.PlacedItem;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The items that this server knows, which all clients of the family know too, with what they give:
 * docs/protocols/quake3.md#items. A client ends at an item of a higher number than its game has.
 */
public enum PickupItem {
    ARMOR_SHARD(1, "item_armor_shard", ItemKind.ARMOUR_SHARD, 5),
    ARMOR_COMBAT(2, "item_armor_combat", ItemKind.LIGHT_ARMOUR, 50),
    ARMOR_BODY(3, "item_armor_body", ItemKind.HEAVY_ARMOUR, 100),
    HEALTH_SMALL(4, "item_health_small", ItemKind.SMALL_HEALTH, 5),
    HEALTH(5, "item_health", ItemKind.HEALTH, 25),
    HEALTH_LARGE(6, "item_health_large", ItemKind.LARGE_HEALTH, 50),
    HEALTH_MEGA(7, "item_health_mega", ItemKind.MEGA_HEALTH, 100),
    SHOTGUN(9, "weapon_shotgun", ItemKind.WEAPON_SHOTGUN, 10, Weapon.SHOTGUN),
    MACHINE_GUN(10, "weapon_machinegun", ItemKind.AMMO_MACHINE_GUN, 40, Weapon.MACHINE_GUN),
    GRENADE_LAUNCHER(
            11, "weapon_grenadelauncher", ItemKind.WEAPON_GRENADE, 10, Weapon.GRENADE_LAUNCHER),
    ROCKET_LAUNCHER(
            12, "weapon_rocketlauncher", ItemKind.WEAPON_ROCKET, 10, Weapon.ROCKET_LAUNCHER),
    LIGHTNING_GUN(13, "weapon_lightning", ItemKind.WEAPON_MACHINE_GUN, 100, Weapon.LIGHTNING_GUN),
    RAILGUN(14, "weapon_railgun", ItemKind.WEAPON_RIFLE, 10, Weapon.RAILGUN),
    PLASMA_GUN(15, "weapon_plasmagun", ItemKind.WEAPON_MACHINE_GUN, 50, Weapon.PLASMA_GUN),
    BFG(16, "weapon_bfg", ItemKind.WEAPON_ROCKET, 20, Weapon.BFG),
    SHELLS(18, "ammo_shells", ItemKind.AMMO_SHOTGUN, 10, Weapon.SHOTGUN),
    BULLETS(19, "ammo_bullets", ItemKind.AMMO_MACHINE_GUN, 50, Weapon.MACHINE_GUN),
    GRENADES(20, "ammo_grenades", ItemKind.AMMO_GRENADE, 5, Weapon.GRENADE_LAUNCHER),
    CELLS(21, "ammo_cells", ItemKind.AMMO_MACHINE_GUN, 30, Weapon.PLASMA_GUN),
    LIGHTNING(22, "ammo_lightning", ItemKind.AMMO_MACHINE_GUN, 60, Weapon.LIGHTNING_GUN),
    ROCKETS(23, "ammo_rockets", ItemKind.AMMO_ROCKET, 5, Weapon.ROCKET_LAUNCHER),
    SLUGS(24, "ammo_slugs", ItemKind.AMMO_RIFLE, 10, Weapon.RAILGUN),
    BFG_AMMO(25, "ammo_bfg", ItemKind.AMMO_ROCKET, 15, Weapon.BFG),
    QUAD(28, "item_quad", ItemKind.QUAD, 30);

    /** The number of items of Quake III; OpenArena has more. */
    private static final int ITEMS = 36;

    private static final PickupItem[] ALL = values();

    private static final int FIRST_AMMO = 18;

    private final int number;
    private final String classname;
    private final ItemKind kind;
    private final int amount;
    private final @Nullable Weapon weapon;

    PickupItem(int number, String classname, ItemKind kind, int amount) {
        this(number, classname, kind, amount, null);
    }

    PickupItem(int number, String classname, ItemKind kind, int amount, @Nullable Weapon weapon) {
        this.number = number;
        this.classname = classname;
        this.kind = kind;
        this.amount = amount;
        this.weapon = weapon;
    }

    /** The item that maps call so; empty if it is none that this server knows. */
    public static Optional<PickupItem> of(String classname) {
        return Arrays.stream(ALL).filter(item -> item.classname.equals(classname)).findFirst();
    }

    /** The item in this game: by its name if this game has that, else by its kind. */
    public static PickupItem of(PlacedItem item) {
        return of(item.classname()).orElseGet(() -> usual(item.kind()));
    }

    private static PickupItem usual(ItemKind kind) {
        return switch (kind) {
            case SMALL_HEALTH -> HEALTH_SMALL;
            case HEALTH -> HEALTH;
            case LARGE_HEALTH -> HEALTH_LARGE;
            case MEGA_HEALTH -> HEALTH_MEGA;
            case ARMOUR_SHARD -> ARMOR_SHARD;
            case LIGHT_ARMOUR -> ARMOR_COMBAT;
            case HEAVY_ARMOUR -> ARMOR_BODY;
            case WEAPON_SHOTGUN -> SHOTGUN;
            // All have the machine gun.
            case WEAPON_MACHINE_GUN -> PLASMA_GUN;
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

    /**
     * Marks of the items that clients load with a level, a digit each.
     *
     * @param flags whether there are flags
     */
    public static String marks(List<PlacedItem> items, boolean flags) {
        char[] marks = new char[ITEMS];
        Arrays.fill(marks, '0');
        marks[MACHINE_GUN.number] = '1';
        marks[SHOTGUN.number] = '1';
        for (PlacedItem item : items) {
            marks[of(item).number] = '1';
        }
        if (flags) {
            for (FlagItem flag : FlagItem.values()) {
                marks[flag.number()] = '1';
            }
        }
        return new String(marks);
    }

    /** Its number, which is the model of its entity and the parameter of its event. */
    public int number() {
        return number;
    }

    /** The kind that it is to other games. */
    public ItemKind kind() {
        return kind;
    }

    /** After how long it returns on this game's maps. */
    public Duration returnTime() {
        return Duration.ofSeconds(
                switch (kind) {
                    case ARMOUR_SHARD, LIGHT_ARMOUR, HEAVY_ARMOUR -> 25;
                    case SMALL_HEALTH, HEALTH, LARGE_HEALTH, MEGA_HEALTH -> 35;
                    case QUAD -> 120;
                    default -> isWeapon() ? 5 : 40;
                });
    }

    /** Points, rounds or seconds. */
    public int amount() {
        return amount;
    }

    /** The weapon that it is, or that uses it; null for health and armour. */
    public @Nullable Weapon weapon() {
        return weapon;
    }

    public boolean isWeapon() {
        return weapon != null && number < FIRST_AMMO;
    }

    public boolean isArmour() {
        return kind == ItemKind.ARMOUR_SHARD
                || kind == ItemKind.LIGHT_ARMOUR
                || kind == ItemKind.HEAVY_ARMOUR;
    }

    /** Whether its client does not predict the pickup, as it does of others. */
    public boolean isPowerup() {
        return this == QUAD;
    }

    /** Whether it heals above the maximum. */
    public boolean healsAbove() {
        return this == HEALTH_SMALL || this == HEALTH_MEGA;
    }
}
