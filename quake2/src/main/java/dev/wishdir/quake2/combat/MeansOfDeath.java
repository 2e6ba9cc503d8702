package dev.wishdir.quake2.combat;

import dev.wishdir.arena.event.DamageMeans;

/** Means of death by this game's weapons, with the lines about deaths. */
public enum MeansOfDeath {
    BLASTER(DamageMeans.PISTOL, "was blasted by", ""),
    SHOTGUN(DamageMeans.SHOTGUN, "was gunned down by", ""),
    SUPER_SHOTGUN(DamageMeans.SHOTGUN, "was blown away by", "'s super shotgun"),
    MACHINE_GUN(DamageMeans.MACHINE_GUN, "was machinegunned by", ""),
    CHAINGUN(DamageMeans.MACHINE_GUN, "was cut in half by", "'s chaingun"),
    GRENADE(DamageMeans.GRENADE, "was popped by", "'s grenade"),
    GRENADE_SPLASH(DamageMeans.GRENADE, "was shredded by", "'s shrapnel"),
    ROCKET(DamageMeans.ROCKET, "ate", "'s rocket"),
    ROCKET_SPLASH(DamageMeans.ROCKET, "almost dodged", "'s rocket"),
    HYPERBLASTER(DamageMeans.MACHINE_GUN, "was melted by", "'s hyperblaster"),
    RAILGUN(DamageMeans.RIFLE, "was railed by", ""),
    BFG_LASER(DamageMeans.BFG, "saw the pretty lights from", "'s BFG"),
    BFG_BLAST(DamageMeans.BFG, "was disintegrated by", "'s BFG blast"),
    BFG_EFFECT(DamageMeans.BFG, "couldn't hide from", "'s BFG"),
    HAND_GRENADE(DamageMeans.GRENADE, "caught", "'s handgrenade"),
    HAND_GRENADE_SPLASH(DamageMeans.GRENADE, "didn't see", "'s handgrenade"),
    HELD_GRENADE(DamageMeans.GRENADE, "feels", "'s pain");

    private final DamageMeans kind;
    private final String phrase;
    private final String suffix;

    MeansOfDeath(DamageMeans kind, String phrase, String suffix) {
        this.kind = kind;
        this.phrase = phrase;
        this.suffix = suffix;
    }

    /** Means of a weapon's bullets and bolts. */
    public static MeansOfDeath of(Weapon weapon) {
        return switch (weapon) {
            case BLASTER -> BLASTER;
            case SHOTGUN -> SHOTGUN;
            case SUPER_SHOTGUN -> SUPER_SHOTGUN;
            case MACHINE_GUN -> MACHINE_GUN;
            case CHAINGUN -> CHAINGUN;
            case HYPERBLASTER -> HYPERBLASTER;
            case RAILGUN -> RAILGUN;
            case GRENADE_LAUNCHER -> GRENADE;
            case ROCKET_LAUNCHER -> ROCKET;
            case HAND_GRENADE -> HAND_GRENADE;
            case BFG -> BFG_BLAST;
        };
    }

    /** The kind of weapon that it is to other games. */
    public DamageMeans kind() {
        return kind;
    }

    /** Whether armour takes less of it. */
    public boolean isEnergy() {
        return switch (this) {
            case BLASTER, HYPERBLASTER, BFG_LASER, BFG_EFFECT -> true;
            default -> false;
        };
    }

    /** The line about a victim of another player. */
    public String line(String victim, String killer) {
        return victim + " " + phrase + " " + killer + suffix;
    }

    /** The line about a player that is its own victim. */
    public String ownLine(String victim) {
        return victim
                + switch (this) {
                    case ROCKET, ROCKET_SPLASH -> " blew himself up.";
                    case GRENADE, GRENADE_SPLASH, HAND_GRENADE, HAND_GRENADE_SPLASH ->
                            " tripped on his own grenade.";
                    case HELD_GRENADE -> " tried to put the pin back in.";
                    case BFG_LASER, BFG_BLAST, BFG_EFFECT -> " should have used a smaller gun.";
                    default -> " killed himself.";
                };
    }
}
