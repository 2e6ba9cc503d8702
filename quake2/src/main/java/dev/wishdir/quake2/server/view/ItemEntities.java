package dev.wishdir.quake2.server.view;

import dev.wishdir.arena.item.Item;
import dev.wishdir.arena.item.ItemReach;
import dev.wishdir.arena.item.ItemSpawns;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.combat.PickupItem;
import dev.wishdir.quake2.combat.PrecacheTable;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.movement.ShotSpace;
import dev.wishdir.quake2.protocol.Quake2Codec;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** The items of the level, as entities with numbers above those of the missiles. */
public final class ItemEntities {
    private static final int FIRST =
            FrameEntities.MAX_PLAYERS + FrameEntities.MAX_FLAGS + FrameEntities.MAX_MISSILES + 1;

    /** From the base of an item's box to its origin, units. */
    private static final double BASE_UNITS = 15;

    private static final int ROTATES = 1;
    private static final int GLOWS = 512;
    private static final int ITEM_RESPAWN = 1;

    private static final int CROUCHED_UNITS = 28;
    private static final int STANDING_UNITS = 56;

    /** The boxes of a body and of an item, each a unit wider to all sides. */
    private static final ItemReach STANDING = reach(STANDING_UNITS);

    private static final ItemReach CROUCHED = reach(CROUCHED_UNITS);

    private final ItemSpawns spawns;
    private final BitSet numbers = new BitSet();

    /** The items whose states these are. */
    private List<Item> known = List.of();

    private List<EntityState> states = List.of();

    public ItemEntities(ItemSpawns spawns) {
        this.spawns = spawns;
    }

    private static ItemReach reach(int height) {
        return new ItemReach(
                new Vec3(-33, -33, -height - 2).times(1 / ShotSpace.SCALE),
                new Vec3(33, 33, 32).times(1 / ShotSpace.SCALE));
    }

    /** Reach of a body that touches items. */
    public static ItemReach reach(boolean crouched) {
        return crouched ? CROUCHED : STANDING;
    }

    /** The items of the level. */
    List<PickupItem> kinds() {
        return spawns.of(Quake2Codec.GAME).stream()
                .map(item -> PickupItem.of(item.placed()))
                .toList();
    }

    /** Shows the items of a level, whose models are in a table. */
    void describe(PrecacheTable precache) {
        known = spawns.of(Quake2Codec.GAME);
        numbers.clear();
        List<EntityState> all = new ArrayList<>();
        for (Item item : known) {
            PickupItem kind = PickupItem.of(item.placed());
            Vec3 origin = item.place().times(ShotSpace.SCALE).plus(new Vec3(0, 0, BASE_UNITS));
            Triple place = ShotSpace.eighths(origin);
            all.add(
                    new EntityState(
                            precache.model(kind.model()),
                            0,
                            0,
                            0,
                            0,
                            0,
                            kind.spins() ? ROTATES : 0,
                            GLOWS,
                            place,
                            Triple.ZERO,
                            Triple.ZERO,
                            0,
                            0,
                            0));
            if (item.isPresent()) {
                numbers.set(FIRST + item.number());
            }
        }
        states = List.copyOf(all);
    }

    /** The entity numbers of the items that lie there. */
    BitSet numbers() {
        return numbers;
    }

    /** Puts the items that lie there into the next frame; those that have returned with a sign. */
    void compose(FrameEntities frameEntities) {
        for (Item item : known) {
            int number = FIRST + item.number();
            if (item.isPresent()) {
                EntityState state = states.get(item.number());
                frameEntities.put(number, numbers.get(number) ? state : state.with(ITEM_RESPAWN));
            }
            numbers.set(number, item.isPresent());
        }
    }
}
