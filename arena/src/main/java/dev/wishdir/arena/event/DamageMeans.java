package dev.wishdir.arena.event;

import java.util.Locale;

/** Means of a hit: the kinds of weapons that the games have in common, and the rest. */
public enum DamageMeans {
    /** A fist, a chain saw, a gauntlet, a sword. */
    MELEE,
    /** A pistol, a blaster, a bow, a crossbow. */
    PISTOL,
    SHOTGUN,
    /** A chaingun, a machine gun, a plasma gun, a snowball. */
    MACHINE_GUN,
    /** A rifle, a rail gun, a trident that is thrown. */
    RIFLE,
    ROCKET,
    /** From a launcher or from the hand. */
    GRENADE,
    /** The BFG of both Quakes: its ball, its blast and its rays. */
    BFG,
    /** The player ended its own life, or its game's client reported that the level did. */
    SUICIDE;

    /** As in events and recordings: {@code machine-gun}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
