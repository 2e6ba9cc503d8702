package dev.wishdir.arena.combat;

import dev.wishdir.arena.event.Vitals;

/** Rule by which the armour of a game's bodies takes damage, with the rounding of that game. */
@FunctionalInterface
public interface ArmourRule {
    /** Armour takes its share exactly. */
    ArmourRule EXACT = (damage, vitals) -> damage * vitals.absorption();

    /**
     * Part of the damage that the armour takes. The arena limits it to the damage and to the armour
     * that is left.
     *
     * @param damage before armour
     * @param vitals before the hit
     */
    double absorbed(double damage, Vitals vitals);
}
