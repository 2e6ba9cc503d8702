package dev.wishdir.quake2.combat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The weapons and ammunition of one life. */
public final class Inventory {
    /** Number of counts in an inventory message. */
    private static final int ITEMS = 256;

    /** The weapons that are chosen when the one in hand is empty, the best first. */
    private static final List<Weapon> BEST =
            List.of(
                    Weapon.RAILGUN,
                    Weapon.HYPERBLASTER,
                    Weapon.CHAINGUN,
                    Weapon.MACHINE_GUN,
                    Weapon.SUPER_SHOTGUN,
                    Weapon.SHOTGUN);

    private final Set<Weapon> weapons;
    private final Map<Ammo, Integer> ammo = new EnumMap<>(Ammo.class);
    private final boolean isEndless;

    /** The blaster. */
    public Inventory() {
        this(Weapon.BLASTER, false);
    }

    private Inventory(Weapon first, boolean isEndless) {
        weapons = EnumSet.of(first);
        this.isEndless = isEndless;
    }

    /** Only one weapon, with ammunition that is not used up. */
    public static Inventory endless(Weapon weapon) {
        Inventory inventory = new Inventory(weapon, true);
        weapon.ammo().ifPresent(kind -> inventory.set(kind, kind.max()));
        return inventory;
    }

    /** Gives a weapon. */
    public void give(Weapon weapon) {
        weapons.add(weapon);
    }

    /** Sets how much there is of a kind of ammunition, at most its maximum. */
    public void set(Ammo kind, int amount) {
        ammo.put(kind, Math.clamp(amount, 0, kind.max()));
    }

    /** Amount of a kind of ammunition. */
    public int count(Ammo kind) {
        return ammo.getOrDefault(kind, 0);
    }

    /** Amount of ammunition for a weapon; 0 if it needs none. */
    public int ammo(Weapon weapon) {
        return weapon.ammo().map(this::count).orElse(0);
    }

    /** Whether a weapon is there; hand grenades are as long as there is one. */
    public boolean has(Weapon weapon) {
        return weapon == Weapon.HAND_GRENADE ? ammo(weapon) > 0 : weapons.contains(weapon);
    }

    /** Whether there is enough ammunition for a shot. */
    boolean canFire(Weapon weapon) {
        return weapon.ammo().isEmpty() || ammo(weapon) >= weapon.use();
    }

    void spend(Weapon weapon, int amount) {
        if (!isEndless) {
            weapon.ammo().ifPresent(kind -> set(kind, count(kind) - amount));
        }
    }

    /** The weapon to take when the one in hand is empty. */
    Weapon best() {
        return BEST.stream()
                .filter(weapon -> has(weapon) && canFire(weapon))
                .findFirst()
                .orElse(Weapon.BLASTER);
    }

    /** The owned weapon with ammunition that follows another one, in the order of their numbers. */
    Optional<Weapon> next(Weapon after, boolean backwards) {
        List<Weapon> all = new ArrayList<>(List.of(Weapon.values()));
        Collections.rotate(all, -all.indexOf(after));
        all.removeFirst();
        if (backwards) {
            Collections.reverse(all);
        }
        return all.stream().filter(weapon -> has(weapon) && canFire(weapon)).findFirst();
    }

    /** The counts of all items, by their numbers. */
    public List<Integer> counts() {
        List<Integer> counts = new ArrayList<>(Collections.nCopies(ITEMS, 0));
        weapons.forEach(weapon -> counts.set(weapon.item(), 1));
        ammo.forEach((kind, amount) -> counts.set(kind.item(), amount));
        return List.copyOf(counts);
    }
}
