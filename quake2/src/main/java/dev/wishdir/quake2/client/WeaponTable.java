package dev.wishdir.quake2.client;

import dev.wishdir.game.BotWeapon;
import dev.wishdir.game.BotWeapon.Missile;
import dev.wishdir.quake2.combat.Weapon;
import dev.wishdir.quake2.movement.Quake2Motion;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Weapons as bots use them. */
final class WeaponTable {
    private static final double METRE = Quake2Motion.SCALE;
    private static final double GRAVITY = 800 / METRE;
    private static final double GRENADE_RISE = 200 / METRE;
    private static final double BOLT_SPEED = 1000 / METRE;

    /** Of a usual connection, and a frame of the server's ten a second. */
    private static final double DELAY = 0.13;

    /** Bullets can hit a body as far away as the weapons of the other games do. */
    private static final double FAR_METRES = 60;

    private static final Map<Weapon, BotWeapon> ALL = new EnumMap<>(Weapon.class);

    static {
        for (Weapon weapon : Weapon.values()) {
            ALL.put(weapon, weapon(weapon));
        }
    }

    private WeaponTable() {}

    static BotWeapon of(Weapon weapon) {
        return Objects.requireNonNull(ALL.get(weapon));
    }

    /** The weapon of an entry of this table; empty for another. */
    static Optional<Weapon> weapon(BotWeapon known) {
        return Arrays.stream(Weapon.values()).filter(each -> of(each).equals(known)).findFirst();
    }

    private static BotWeapon weapon(Weapon weapon) {
        String name = weapon.title();
        return switch (weapon) {
            case BLASTER ->
                    new BotWeapon(name, 15, 0.5, 0, FAR_METRES, 0, Missile.bolt(BOLT_SPEED, DELAY));
            case SHOTGUN -> BotWeapon.instant(name, 48, 1.1, FAR_METRES, 0.03);
            case SUPER_SHOTGUN -> BotWeapon.instant(name, 120, 1.2, FAR_METRES, 0.1);
            case MACHINE_GUN -> BotWeapon.instant(name, 8, 0.1, FAR_METRES, 0.03);
            case CHAINGUN -> BotWeapon.instant(name, 13, 0.1, FAR_METRES, 0.04);
            case HAND_GRENADE ->
                    BotWeapon.launcher(
                            name,
                            50,
                            2,
                            16,
                            new Missile(400 / METRE, GRENADE_RISE, GRAVITY, 5, DELAY));
            case GRENADE_LAUNCHER ->
                    BotWeapon.launcher(
                            name,
                            72,
                            1.2,
                            20,
                            new Missile(600 / METRE, GRENADE_RISE, GRAVITY, 5, DELAY));
            case ROCKET_LAUNCHER ->
                    BotWeapon.launcher(
                            name, 100, 0.8, FAR_METRES, Missile.rocket(650 / METRE, 3.75, DELAY));
            case HYPERBLASTER ->
                    new BotWeapon(name, 15, 0.1, 0, FAR_METRES, 0, Missile.bolt(BOLT_SPEED, DELAY));
            case RAILGUN -> BotWeapon.instant(name, 100, 1.5, FAR_METRES, 0);
            case BFG ->
                    BotWeapon.launcher(
                            name, 450, 3, FAR_METRES, Missile.rocket(400 / METRE, 8, DELAY));
        };
    }
}
