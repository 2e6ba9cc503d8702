package dev.wishdir.bedrock.server;

import dev.wishdir.arena.MatchMode;

import java.util.List;

/**
 * What a player is given with each life, by the mode of the match.
 *
 * @param stacks the items in the first slots of the hot bar
 */
record Kit(List<Stack> stacks) {
    /** A number of the same items. */
    record Stack(WeaponItem item, int count) {}

    private static final Kit EMPTY = new Kit(List.of());

    private static final Kit FIGHT =
            of(
                    one(WeaponItem.IRON_SWORD),
                    one(WeaponItem.BOW),
                    new Stack(WeaponItem.ARROW, 16),
                    full(WeaponItem.SNOWBALL),
                    one(WeaponItem.CROSSBOW),
                    one(WeaponItem.TRIDENT));

    /** Only what kills. */
    private static final Kit INSTAGIB =
            of(
                    one(WeaponItem.IRON_SWORD),
                    one(WeaponItem.BOW),
                    full(WeaponItem.ARROW),
                    one(WeaponItem.CROSSBOW),
                    one(WeaponItem.TRIDENT));

    private static Kit of(Stack... stacks) {
        return new Kit(List.of(stacks));
    }

    private static Stack one(WeaponItem item) {
        return new Stack(item, 1);
    }

    private static Stack full(WeaponItem item) {
        return new Stack(item, item.maxCount());
    }

    /** The kit of a mode; empty where no player is hit. */
    static Kit of(MatchMode mode) {
        return switch (mode) {
            case FFA, TEAM -> FIGHT;
            case INSTA -> INSTAGIB;
            case NONE, RACE -> EMPTY;
        };
    }
}
