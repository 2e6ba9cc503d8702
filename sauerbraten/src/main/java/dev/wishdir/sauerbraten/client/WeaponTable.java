package dev.wishdir.sauerbraten.client;

import dev.wishdir.game.BotWeapon;
import dev.wishdir.sauerbraten.combat.Weapon;
import dev.wishdir.sauerbraten.movement.GrenadeMotion;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Guns as bots use them. */
final class WeaponTable {
    private static final double METRE = SauerbratenMotion.SCALE;
    private static final double MILLIS_PER_SECOND = 1000;

    /** The part of grenades that do not roll past: they do not explode at a wall. */
    private static final double GRENADE_SHARE = 0.5;

    /** Farther away a grenade is over before it is there. */
    private static final double GRENADE_METRES = 20;

    /** Rays stray half as far as they may, on average. */
    private static final double MEAN = 0.5;

    /** Spread by the number of the gun, in the game's own measure. */
    private static final double[] SPREAD = {0, 400, 100, 0, 0, 0, 50};

    private static final double SPREAD_UNITS = 1024;

    private static final Map<Weapon, BotWeapon> ALL = new EnumMap<>(Weapon.class);

    static {
        for (Weapon gun : Weapon.values()) {
            ALL.put(gun, weapon(gun));
        }
    }

    private WeaponTable() {}

    static BotWeapon of(Weapon gun) {
        return Objects.requireNonNull(ALL.get(gun));
    }

    /** The gun of a weapon of this table; empty for another. */
    static Optional<Weapon> gun(BotWeapon weapon) {
        return Arrays.stream(Weapon.values()).filter(gun -> of(gun).equals(weapon)).findFirst();
    }

    /** Largest stray of a ray of a gun for each metre of its way. */
    static double spread(Weapon gun) {
        return SPREAD[gun.number()] / SPREAD_UNITS / 2;
    }

    private static BotWeapon weapon(Weapon gun) {
        double damage = gun.damage * gun.rays;
        double seconds = gun.delayMillis / MILLIS_PER_SECOND;
        double speed = gun.projectileSpeed() / METRE;
        double splash = gun.radius() / METRE;
        String name = gun.name();
        return switch (gun) {
            case ROCKET_LAUNCHER ->
                    BotWeapon.launcher(
                            name,
                            damage,
                            seconds,
                            gun.range / METRE,
                            BotWeapon.Missile.rocket(speed, splash, 0));
            case GRENADE_LAUNCHER ->
                    BotWeapon.launcher(
                            name,
                            damage * GRENADE_SHARE,
                            seconds,
                            GRENADE_METRES,
                            new BotWeapon.Missile(
                                    speed,
                                    speed * GrenadeMotion.RAISE,
                                    GrenadeMotion.GRAVITY,
                                    splash,
                                    0));
            default ->
                    BotWeapon.instant(name, damage, seconds, gun.range / METRE, MEAN * spread(gun));
        };
    }
}
