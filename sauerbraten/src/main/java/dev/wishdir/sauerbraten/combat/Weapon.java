package dev.wishdir.sauerbraten.combat;

import dev.wishdir.arena.event.DamageMeans;

import java.util.Optional;

/** The guns of players by their number on the wire, with the game's own table. */
public enum Weapon {
    FIST(250, 50, 1, 14, 80, DamageMeans.MELEE),
    SHOTGUN(1400, 10, 20, 1024, 80, DamageMeans.SHOTGUN),
    CHAINGUN(100, 30, 1, 1024, 80, DamageMeans.MACHINE_GUN),
    ROCKET_LAUNCHER(800, 120, 1, 1024, 160, DamageMeans.ROCKET),
    RIFLE(1500, 100, 1, 2048, 80, DamageMeans.RIFLE),
    GRENADE_LAUNCHER(600, 90, 1, 1024, 250, DamageMeans.GRENADE),
    PISTOL(500, 35, 1, 1024, 80, DamageMeans.PISTOL);

    /** Factor of damage and push of a body with quad damage. */
    public static final int QUAD_FACTOR = 4;

    /** Largest stray of the shotgun's rays for each unit of the way, by its number in the game. */
    private static final double SHOTGUN_SPREAD = 400 / 1024.0 / 2;

    /** Time from a shot to the next of any gun, milliseconds. */
    public final int delayMillis;

    /** Of one ray. */
    public final int damage;

    /** Of one shot. */
    public final int rays;

    /** Units from the eye. */
    public final int range;

    /** Speed that a hit with 100 damage gives its victim, units a second. */
    public final int push;

    /** Kind of the weapon for other games. */
    public final DamageMeans means;

    Weapon(int delayMillis, int damage, int rays, int range, int push, DamageMeans means) {
        this.delayMillis = delayMillis;
        this.damage = damage;
        this.rays = rays;
        this.range = range;
        this.push = push;
        this.means = means;
    }

    /** The gun with a number; empty for those of monsters and barrels, and for no gun. */
    public static Optional<Weapon> of(int number) {
        return number < 0 || number >= values().length
                ? Optional.empty()
                : Optional.of(values()[number]);
    }

    /**
     * The gun of a kind; the rocket launcher for a BFG, the pistol for what else this game does not
     * have.
     */
    public static Weapon of(DamageMeans means) {
        if (means == DamageMeans.BFG) {
            return ROCKET_LAUNCHER;
        }
        for (Weapon gun : values()) {
            if (gun.means == means) {
                return gun;
            }
        }
        return PISTOL;
    }

    /** Its number on the wire. */
    public int number() {
        return ordinal();
    }

    /** Whether it sends a projectile instead of rays. */
    public boolean hasProjectile() {
        return this == ROCKET_LAUNCHER || this == GRENADE_LAUNCHER;
    }

    /** Stray of a ray from the line of fire for each unit of its way. */
    public double spread() {
        return this == SHOTGUN ? SHOTGUN_SPREAD : 0;
    }

    /** Blast radius, units; 0 without a projectile. */
    public int radius() {
        return switch (this) {
            case ROCKET_LAUNCHER -> 40;
            case GRENADE_LAUNCHER -> 45;
            default -> 0;
        };
    }

    /** Speed of its projectile, units a second; 0 without one. */
    public int projectileSpeed() {
        return switch (this) {
            case ROCKET_LAUNCHER -> 320;
            case GRENADE_LAUNCHER -> 200;
            default -> 0;
        };
    }

    /** The longest flight of its projectile over a distance, milliseconds. */
    public int flightMillis(double units) {
        return this == GRENADE_LAUNCHER ? 1500 : (int) (1000 * units / projectileSpeed());
    }

    /** Ammunition of a pick-up; 0 for the fist. */
    public int pickup() {
        return switch (this) {
            case FIST -> 0;
            case SHOTGUN, GRENADE_LAUNCHER -> 10;
            case CHAINGUN -> 20;
            case ROCKET_LAUNCHER, RIFLE -> 5;
            case PISTOL -> 30;
        };
    }

    /** The most ammunition that pick-ups give. */
    public int maxAmmo() {
        return this == PISTOL ? 120 : 3 * pickup();
    }

    /**
     * The damage of a blast, computed step by step in single precision as clients do.
     *
     * @param factor of the damage
     * @param sixteenths distance from the explosion, sixteenths of a unit
     * @param self whether it is the player's own projectile
     */
    public int blastDamage(int factor, int sixteenths, boolean self) {
        float distance = sixteenths / 16f;
        int points = (int) (damage * factor * (1 - distance / 1.5f / radius()));
        return self ? points / 2 : points;
    }
}
