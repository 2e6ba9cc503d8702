package dev.wishdir.quake3.movement;

import dev.wishdir.quake3.combat.CombatState;
import dev.wishdir.quake3.combat.PickupItem;
import dev.wishdir.quake3.combat.Weapon;

/** Effects of items on a body. A client predicts the same: docs/protocols/quake3.md#items. */
final class ItemEffects {
    /** Items give no more ammunition of a weapon than this. */
    private static final int MAX_AMMO = 200;

    private ItemEffects() {}

    /**
     * Gives a body an item, if it has use for it.
     *
     * @return whether it has
     */
    static boolean take(PmoveState b, CombatState combat, PickupItem item) {
        if (b.health <= 0) {
            return false;
        }
        Weapon weapon = item.weapon();
        if (weapon != null) {
            return takeWeapon(b, item, weapon);
        }
        if (item.isPowerup()) {
            return true;
        }
        int most = 2 * b.maxHealth;
        if (item.isArmour()) {
            if (combat.armour() >= most) {
                return false;
            }
            combat.setArmour(Math.min(combat.armour() + item.amount(), most));
            return true;
        }
        int highest = item.healsAbove() ? most : b.maxHealth;
        if (b.health >= highest) {
            return false;
        }
        b.health = Math.min(b.health + item.amount(), highest);
        return true;
    }

    private static boolean takeWeapon(PmoveState b, PickupItem item, Weapon weapon) {
        int held = b.ammo[weapon.number()];
        if (!item.isWeapon() && held >= MAX_AMMO) {
            return false;
        }
        int more = !item.isWeapon() ? item.amount() : Math.max(1, item.amount() - held);
        b.ammo[weapon.number()] = Math.max(held, Math.min(held + more, MAX_AMMO));
        if (item.isWeapon()) {
            b.weapons |= weapon.bit();
        }
        return true;
    }
}
