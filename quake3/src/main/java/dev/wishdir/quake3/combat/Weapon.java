package dev.wishdir.quake3.combat;

import dev.wishdir.arena.event.DamageMeans;

import java.util.Arrays;
import java.util.Optional;

/**
 * The weapons that all clients of the family have, with what a client predicts of them:
 * docs/protocols/quake3.md#weapons. A player with another number ends some clients, so that there
 * is none.
 */
public enum Weapon {
    GAUNTLET(1, 400, Weapon.ENDLESS),
    MACHINE_GUN(2, 100, 100),
    SHOTGUN(3, 1000, 20),
    GRENADE_LAUNCHER(4, 800, 15),
    ROCKET_LAUNCHER(5, 800, 15),
    LIGHTNING_GUN(6, 50, 160),
    RAILGUN(7, 1500, 20),
    PLASMA_GUN(8, 100, 80),
    BFG(9, 200, 35);

    /** Ammunition that is never used up. */
    public static final int ENDLESS = -1;

    private static final Weapon[] ALL = values();

    private final int number;
    private final int refireMillis;
    private final int rounds;

    /**
     * @param rounds with which a life begins that has the weapon
     */
    Weapon(int number, int refireMillis, int rounds) {
        this.number = number;
        this.refireMillis = refireMillis;
        this.rounds = rounds;
    }

    /** The weapon with a number; empty if there is none that all clients have. */
    public static Optional<Weapon> of(int number) {
        return Arrays.stream(ALL).filter(weapon -> weapon.number == number).findFirst();
    }

    /** The nearest to a weapon of another game. */
    public static Weapon of(DamageMeans means) {
        return switch (means) {
            case MELEE, SUICIDE -> GAUNTLET;
            case PISTOL, MACHINE_GUN -> MACHINE_GUN;
            case SHOTGUN -> SHOTGUN;
            case RIFLE -> RAILGUN;
            case ROCKET -> ROCKET_LAUNCHER;
            case GRENADE -> GRENADE_LAUNCHER;
            case BFG -> BFG;
        };
    }

    public int number() {
        return number;
    }

    /** The bit of the weapon in a player's statistics. */
    public int bit() {
        return 1 << number;
    }

    /** Time until the next shot. */
    public int refireMillis() {
        return refireMillis;
    }

    public int rounds() {
        return rounds;
    }
}
