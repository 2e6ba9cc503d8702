package dev.wishdir.bedrock.combat;

import dev.wishdir.arena.event.MatchMode;

import java.util.List;

/**
 * Items of a player at the beginning of each life, by the mode of the match.
 *
 * @param stacks the items in the first slots of the hot bar
 */
public record Loadout(List<Stack> stacks) {
    /** A number of the same items. */
    record Stack(Weapon item, int count) {}

    private static final Loadout EMPTY = new Loadout(List.of());

    private static final Loadout FIGHT =
            of(
                    one(Weapon.IRON_SWORD),
                    one(Weapon.BOW),
                    new Stack(Weapon.ARROW, 16),
                    full(Weapon.SNOWBALL),
                    one(Weapon.CROSSBOW),
                    one(Weapon.TRIDENT));

    /** All of it, with as much as lies in a slot. */
    private static final Loadout EFFICIENCY =
            of(
                    one(Weapon.IRON_SWORD),
                    one(Weapon.BOW),
                    full(Weapon.ARROW),
                    full(Weapon.SNOWBALL),
                    one(Weapon.CROSSBOW),
                    one(Weapon.TRIDENT));

    /** Only what kills. */
    private static final Loadout INSTAGIB =
            of(
                    one(Weapon.IRON_SWORD),
                    one(Weapon.BOW),
                    full(Weapon.ARROW),
                    one(Weapon.CROSSBOW),
                    one(Weapon.TRIDENT));

    private static Loadout of(Stack... stacks) {
        return new Loadout(List.of(stacks));
    }

    private static Stack one(Weapon item) {
        return new Stack(item, 1);
    }

    private static Stack full(Weapon item) {
        return new Stack(item, item.maxCount());
    }

    /** The kit of a mode; empty where no player is hit. */
    public static Loadout of(MatchMode mode) {
        return switch (mode) {
            case FFA, TEAM, CTF -> FIGHT;
            case INSTA, CTF_INSTA -> INSTAGIB;
            case CTF_EFFIC -> EFFICIENCY;
            case NONE, RACE -> EMPTY;
        };
    }
}
