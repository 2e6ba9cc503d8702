package dev.wishdir.arena;

import dev.wishdir.blocks.PlacedItem;
import dev.wishdir.motion.Vec3;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The items of the levels that are played. Games that play the same level share its items: what a
 * player of one takes is gone for all. Without a match there are none. Owned by the arena's thread;
 * times are nanoseconds of its clock.
 */
public final class ItemSpawns {
    private static final long NEVER = Long.MAX_VALUE;

    private final EventDispatcher dispatcher;
    private final Map<String, ItemGrid> byGame = new HashMap<>();
    private ItemGrid shared = new ItemGrid(List.of());
    private boolean on;
    private long nextReturn = NEVER;

    ItemSpawns(EventDispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    /** Sets whether there are items: a match is played, and its rules have some. */
    void setOn(boolean items) {
        on = items;
    }

    /** Sets the items of the games that set none of their own. */
    void setShared(List<PlacedItem> placed) {
        shared = gridOf(placed);
    }

    /** Sets the items of the level that a game plays. */
    void set(String game, List<PlacedItem> placed) {
        byGame.put(game, gridOf(placed));
    }

    /** The items of a level, with what is taken of them if it is played already. */
    private ItemGrid gridOf(List<PlacedItem> placed) {
        if (isOf(shared, placed)) {
            return shared;
        }
        for (ItemGrid grid : byGame.values()) {
            if (isOf(grid, placed)) {
                return grid;
            }
        }
        return new ItemGrid(placed);
    }

    private static boolean isOf(ItemGrid grid, List<PlacedItem> placed) {
        return grid.items().stream().map(Item::placed).toList().equals(placed);
    }

    /**
     * The items of the level that a game plays, by number; the same list until it plays another
     * level.
     */
    public List<Item> of(String game) {
        return on ? grid(game).items() : List.of();
    }

    private ItemGrid grid(String game) {
        return byGame.getOrDefault(game, shared);
    }

    /** Whether any item could be touched. */
    boolean isOn() {
        return on;
    }

    /** The items near a place, of which some may be taken; the array must not be changed. */
    Item[] near(String game, Vec3 feet) {
        return grid(game).near(feet);
    }

    /** A player has taken an item. */
    void take(long now, ActivePlayer player, Item item) {
        item.take(now);
        nextReturn = Math.min(nextReturn, item.back());
        dispatcher.dispatch(
                new ArenaEvent.ItemTaken(now, player.snapshot(), item.number(), item.placed()),
                player);
    }

    /** All items are there again, as a round starts. Sends no events. */
    void reset() {
        forEachGrid(grid -> grid.items().forEach(Item::giveBack));
        nextReturn = NEVER;
    }

    private void forEachGrid(Consumer<ItemGrid> action) {
        action.accept(shared);
        byGame.values().stream().distinct().filter(grid -> grid != shared).forEach(action);
    }

    /**
     * Brings items back that are due.
     *
     * @return when to call again
     */
    long advance(long now) {
        if (now < nextReturn) {
            return nextReturn;
        }
        nextReturn = NEVER;
        forEachGrid(grid -> {
            for (Item item : grid.items()) {
                if (!item.isPresent() && now >= item.back()) {
                    item.giveBack();
                    dispatcher.dispatch(
                            new ArenaEvent.ItemReturned(now, item.number(), item.placed()));
                } else if (!item.isPresent()) {
                    nextReturn = Math.min(nextReturn, item.back());
                }
            }
        });
        return nextReturn;
    }
}
