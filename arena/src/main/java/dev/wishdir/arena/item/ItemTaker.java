package dev.wishdir.arena.item;

/** Taker of the items that a game's player touches. */
@FunctionalInterface
public interface ItemTaker {
    /**
     * Gives the player what the item gives by its game's rules.
     *
     * @return false, without an effect, if the player has no use for it: it stays
     */
    boolean take(Item item);
}
