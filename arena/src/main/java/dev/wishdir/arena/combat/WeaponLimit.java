package dev.wishdir.arena.combat;

import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.Vitals;

/**
 * The most that a kind of weapon does in any game: the limit of what other servers report of their
 * players. Damage on the scale of {@link Vitals}, without quad damage and damage factors.
 *
 * @param damage of one hit
 * @param perSecond damage on one victim by a player that never misses
 * @param range metres from the player
 */
public record WeaponLimit(double damage, double perSecond, double range) {
    /** Largest factor of quad damage. */
    public static final double QUAD_FACTOR = 4;

    /** Seconds of fire that count at once: hits that were held up, a blast among many. */
    public static final double MAX_FIRE_SECONDS = 4;

    /** A rifle of Sauerbraten and the guns of both Quakes. */
    private static final double FAR_METRES = 260;

    /** A blow reaches 3 m from a body of a metre. */
    private static final double REACH_METRES = 5;

    /** At 25 m/s, for 2.5 s. */
    private static final double THROW_METRES = 65;

    public static WeaponLimit of(DamageMeans means) {
        return switch (means) {
            case MELEE -> new WeaponLimit(70, 200, REACH_METRES);
            case PISTOL -> new WeaponLimit(90, 90, FAR_METRES);
            case SHOTGUN -> new WeaponLimit(200, 150, FAR_METRES);
            case MACHINE_GUN -> new WeaponLimit(30, 300, FAR_METRES);
            case RIFLE -> new WeaponLimit(150, 100, FAR_METRES);
            case ROCKET -> new WeaponLimit(120, 150, FAR_METRES);
            case GRENADE -> new WeaponLimit(130, 200, THROW_METRES);
            case BFG -> new WeaponLimit(500, 600, FAR_METRES);
            // No player does this to another one.
            case SUICIDE -> new WeaponLimit(0, 1, 0);
        };
    }
}
