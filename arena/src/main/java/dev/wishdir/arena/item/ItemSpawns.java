package dev.wishdir.arena.item;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.MirrorResult;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.player.ActivePlayer;
import dev.wishdir.arena.relay.EventDispatcher;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The items of the levels that are played. Games that play the same level share its items: what a
 * player of one takes is gone for all. Without a match there are none. Owned by the arena's thread;
 * times are nanoseconds of its clock.
 */
public final class ItemSpawns {
    private static final long NEVER = Long.MAX_VALUE;

    /** Checks where a player of another server was. */
    @FunctionalInterface
    public interface PlaceCheck {
        /** Whether it can have been at a place at a time. */
        MirrorResult check(long made, Vec3 place);
    }

    private final EventDispatcher dispatcher;
    private final Map<String, ItemGrid> byGame = new HashMap<>();
    private ItemGrid shared = new ItemGrid(List.of());
    private boolean on;
    private long nextReturn = NEVER;

    public ItemSpawns(EventDispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    /** Sets whether there are items: a match is played, and its rules have some. */
    public void setOn(boolean items) {
        on = items;
    }

    /** Sets the items of the games that set none of their own. */
    public void setShared(List<PlacedItem> placed) {
        shared = gridOf(placed);
    }

    /** Sets the items of the level that a game plays. */
    public void set(String game, List<PlacedItem> placed) {
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
    public boolean isOn() {
        return on;
    }

    /** The items near a place, of which some may be taken; the array must not be changed. */
    public Item[] near(String game, Vec3 feet) {
        return grid(game).near(feet);
    }

    /** A player has taken an item. */
    public void take(long now, ActivePlayer player, Item item) {
        take(now, player, item, now + item.placed().returnTime().toNanos());
    }

    private void take(long now, @Nullable ActivePlayer player, Item item, long until) {
        item.take(player, until);
        nextReturn = Math.min(nextReturn, item.back());
        if (player == null) {
            dispatcher.dispatch(new ArenaEvent.ItemVanished(now, item.number(), item.placed()));
            return;
        }
        dispatcher.dispatch(
                new ArenaEvent.ItemTaken(now, player.snapshot(), item.number(), item.placed()),
                player);
    }

    /** The items that players of this server, or such that have left, took, until they return. */
    public List<ItemPickup> pickups(long now) {
        List<ItemPickup> pickups = new ArrayList<>();
        forEachGrid(grid -> {
            for (Item item : grid.items()) {
                Optional<PlayerId> taker = item.taker();
                if (item.isTaken() && taker.filter(PlayerId::isMirrored).isEmpty()) {
                    long left = Math.max(0, item.back() - now);
                    pickups.add(
                            new ItemPickup(
                                    taker, item.number(), item.placed(), Duration.ofNanos(left)));
                }
            }
        });
        return pickups;
    }

    /**
     * Takes an item that a player of another server took there. If players of two servers took it
     * before one knew of the other, both have it, and it returns as after the earlier pickup.
     *
     * @param player null if it is not here any more
     */
    public MirrorResult mirror(
            long now, @Nullable ActivePlayer player, ItemPickup pickup, PlaceCheck places) {
        Item item = player == null ? find(pickup) : find(grid(player.game()), pickup);
        long left = pickup.left().toNanos();
        if (!on || item == null || left <= 0) {
            return MirrorResult.NO_EFFECT;
        }
        long until = now + left;
        int order = item.comparePickup(until);
        if (order < 0) {
            return MirrorResult.NO_EFFECT;
        }
        if (pickup.left().compareTo(item.placed().returnTime()) > 0) {
            return MirrorResult.IMPOSSIBLE;
        }
        if (order == 0 && player == null && !item.isBeforeReturn(until)) {
            return MirrorResult.NO_EFFECT;
        }
        long made = until - item.placed().returnTime().toNanos();
        MirrorResult reached = places.check(made, item.place());
        if (reached != MirrorResult.TAKEN) {
            return reached;
        }
        if (order == 0) {
            item.advanceReturn(until);
            nextReturn = Math.min(nextReturn, item.back());
            return MirrorResult.TAKEN;
        }
        if (!item.isPresent()) {
            giveBack(now, item);
        }
        take(now, player, item, until);
        return MirrorResult.TAKEN;
    }

    private @Nullable Item find(ItemPickup pickup) {
        Item found = find(shared, pickup);
        for (ItemGrid grid : byGame.values()) {
            found = found == null ? find(grid, pickup) : found;
        }
        return found;
    }

    private static @Nullable Item find(ItemGrid grid, ItemPickup pickup) {
        int number = pickup.number();
        return number >= 0
                        && number < grid.items().size()
                        && grid.items().get(number).isLike(pickup.item())
                ? grid.items().get(number)
                : null;
    }

    private void giveBack(long now, Item item) {
        item.giveBack();
        dispatcher.dispatch(new ArenaEvent.ItemReturned(now, item.number(), item.placed()));
    }

    /** A round starts: items are there again, but those that come later. Sends no events. */
    public void reset(long now) {
        forEachGrid(grid -> grid.items().forEach(item -> item.reset(now)));
        // The next look finds out when the first of them comes.
        nextReturn = now;
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
    public long advance(long now) {
        if (now < nextReturn) {
            return nextReturn;
        }
        nextReturn = NEVER;
        forEachGrid(grid -> {
            for (Item item : grid.items()) {
                if (!item.isPresent() && now >= item.back()) {
                    giveBack(now, item);
                } else if (!item.isPresent()) {
                    nextReturn = Math.min(nextReturn, item.back());
                }
            }
        });
        return nextReturn;
    }
}
