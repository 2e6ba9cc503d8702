package dev.wishdir.quake3.client;

import dev.wishdir.game.BotWeapon;
import dev.wishdir.game.BotWeapon.Missile;
import dev.wishdir.quake3.combat.Weapon;
import dev.wishdir.quake3.combat.WeaponRules;
import dev.wishdir.quake3.message.PlayerArray;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.movement.Quake3Motion;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Weapons as bots use them: docs/protocols/quake3.md#weapons. */
final class WeaponTable {
    private static final double METRE = Quake3Motion.SCALE;
    private static final double GRAVITY = 800 / METRE;

    /** A grenade is thrown this much higher than its player looks, of its speed. */
    private static final double GRENADE_RISE = 0.2;

    /** Damage of a grenade: most explode near a body without touching it. */
    private static final double GRENADE_DAMAGE = 50;

    /** Distance of a victim at which bots use the gauntlet. */
    private static final double GAUNTLET_METRES = 1.6;

    /** Of a usual connection, and a frame of the server. */
    private static final double DELAY = 0.08;

    /** Bullets can hit a body as far away as the weapons of the other games do. */
    private static final double FAR_METRES = 60;

    /** The statistic with the weapons of a player; OpenArena has another one before it. */
    private static final int WEAPONS = 2;

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
        String name = weapon.name();
        WeaponRules rules = WeaponRules.of(weapon);
        double damage = rules.damage();
        double seconds = weapon.refireMillis() / 1e3;
        double speed = rules.speed() / METRE;
        double radius = rules.splashRadius() / METRE;
        return switch (weapon) {
            case GAUNTLET -> BotWeapon.instant(name, damage, seconds, GAUNTLET_METRES, 0);
            case MACHINE_GUN -> BotWeapon.instant(name, damage, seconds, FAR_METRES, 0.015);
            case SHOTGUN ->
                    BotWeapon.instant(
                            name, WeaponRules.PELLETS * damage, seconds, FAR_METRES, 0.05);
            case LIGHTNING_GUN -> BotWeapon.instant(name, damage, seconds, 768 / METRE, 0);
            case GRENADE_LAUNCHER ->
                    BotWeapon.launcher(
                            name,
                            GRENADE_DAMAGE,
                            seconds,
                            20,
                            new Missile(
                                    speed,
                                    GRENADE_RISE * rules.speed() / METRE,
                                    GRAVITY,
                                    radius,
                                    DELAY));
            default ->
                    rules.speed() == 0
                            ? BotWeapon.instant(name, damage, seconds, FAR_METRES, 0)
                            : BotWeapon.launcher(
                                    name,
                                    damage,
                                    seconds,
                                    FAR_METRES,
                                    Missile.rocket(speed, radius, DELAY));
        };
    }

    /** The weapons of a player with ammunition. */
    static List<BotWeapon> owned(PlayerState player, boolean openArena) {
        int owned = player.get(PlayerArray.STATS, openArena ? WEAPONS + 1 : WEAPONS);
        return Arrays.stream(Weapon.values())
                .filter(weapon -> (owned >> weapon.number() & 1) != 0)
                .filter(weapon -> player.get(PlayerArray.AMMO, weapon.number()) != 0)
                .map(WeaponTable::of)
                .toList();
    }

    /** The weapon in hand; empty for none. */
    static Optional<Weapon> inHand(PlayerState player) {
        return Weapon.of(player.get(PlayerField.WEAPON));
    }
}
