package dev.wishdir.quake2.combat;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Equipment with which a player spawns in a match. */
public enum Loadout {
    /** As in the game: the rest are items of a map. */
    BLASTER,
    /** All weapons, with half of the ammunition that a player can carry. */
    ALL;

    /** The names of all, for an error or a help text. */
    public static String names() {
        return Arrays.stream(values()).map(Loadout::toString).collect(Collectors.joining(" or "));
    }

    /**
     * A loadout by its name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Loadout named(String name) {
        return Arrays.stream(values())
                .filter(each -> each.toString().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("must be " + names() + ", is '" + name + "'"));
    }

    /** Inventory at the beginning of a life. */
    public Inventory inventory() {
        Inventory inventory = new Inventory();
        if (this == ALL) {
            Arrays.stream(Weapon.values()).forEach(inventory::give);
            Arrays.stream(Ammo.values()).forEach(kind -> inventory.set(kind, kind.max() / 2));
        }
        return inventory;
    }

    /** As an option has it: {@code all}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
