package dev.wishdir.quake3.combat;

import dev.wishdir.arena.event.DamageMeans;

/** Causes of death that an obituary names. All clients of the family know these numbers. */
public enum MeansOfDeath {
    UNKNOWN(0),
    SHOTGUN(1),
    GAUNTLET(2),
    MACHINE_GUN(3),
    GRENADE(4),
    GRENADE_SPLASH(5),
    ROCKET(6),
    ROCKET_SPLASH(7),
    PLASMA(8),
    PLASMA_SPLASH(9),
    RAILGUN(10),
    LIGHTNING(11),
    BFG(12),
    BFG_SPLASH(13),
    FALLING(19),
    SUICIDE(20),
    TRIGGER_HURT(22);

    private final int number;

    MeansOfDeath(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    /** The nearest means of a weapon of another game. */
    public static MeansOfDeath of(DamageMeans means) {
        return switch (means) {
            case MELEE -> GAUNTLET;
            // "was killed by": this game has no pistol, no blaster and no bow.
            case PISTOL -> UNKNOWN;
            case MACHINE_GUN -> MACHINE_GUN;
            case SHOTGUN -> SHOTGUN;
            case RIFLE -> RAILGUN;
            case ROCKET -> ROCKET;
            case GRENADE -> GRENADE;
            case BFG -> BFG;
            case SUICIDE -> SUICIDE;
        };
    }

    public DamageMeans kind() {
        return switch (this) {
            case GAUNTLET -> DamageMeans.MELEE;
            case SHOTGUN -> DamageMeans.SHOTGUN;
            case MACHINE_GUN, LIGHTNING, PLASMA, PLASMA_SPLASH -> DamageMeans.MACHINE_GUN;
            case RAILGUN -> DamageMeans.RIFLE;
            case GRENADE, GRENADE_SPLASH -> DamageMeans.GRENADE;
            case ROCKET, ROCKET_SPLASH -> DamageMeans.ROCKET;
            case BFG, BFG_SPLASH -> DamageMeans.BFG;
            case UNKNOWN, FALLING, SUICIDE, TRIGGER_HURT -> DamageMeans.SUICIDE;
        };
    }
}
