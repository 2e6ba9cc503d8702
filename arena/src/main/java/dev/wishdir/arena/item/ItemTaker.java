package dev.wishdir.arena.item;

/** What a game does with an item that its player touches. */
@FunctionalInterface
public interface ItemTaker {
    /**
     * Gives the player what the item gives by its game's rules.
     *
     * @return false, without an effect, if the player has no use for it: it stays
     */
    boolean take(Item item);
}
