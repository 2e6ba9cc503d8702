package dev.wishdir.quake2.server.view;

import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.quake2.message.EntityState;

import java.util.Arrays;

/** The entities of one frame, shared by all viewers. */
public final class FrameEntities {
    /** Maximum number of players: skin numbers have eight bits. */
    static final int MAX_PLAYERS = 256;

    /** Maximum number of flags that stand or lie: each has a number at home, and one elsewhere. */
    static final int MAX_FLAGS = 4;

    /** Maximum number of missiles that are shown. */
    static final int MAX_MISSILES = 64;

    /** Highest entity number: players, flags after them, missiles, and items. */
    static final int MAX_NUMBER = MAX_PLAYERS + MAX_FLAGS + MAX_MISSILES + PlacedItem.MAX_ITEMS;

    /** No entity. */
    static final EntityState NOTHING = EntityState.ZERO;

    private EntityState[] entities = new EntityState[MAX_NUMBER + 1];
    private EntityState[] before = new EntityState[MAX_NUMBER + 1];
    private final EntityState[] passable = new EntityState[MAX_NUMBER + 1];
    private final MovementCache deltas = new MovementCache(MAX_NUMBER + 1);
    private final int areaBytes;
    private int size = 1;

    /**
     * @param areaBytes bytes of a bit set with one bit per area of the map
     */
    FrameEntities(int areaBytes) {
        this.areaBytes = areaBytes;
        Arrays.fill(entities, NOTHING);
        Arrays.fill(before, NOTHING);
        Arrays.fill(passable, NOTHING);
    }

    /** Starts the next frame, without entities. */
    public void begin() {
        EntityState[] swapped = before;
        before = entities;
        entities = swapped;
        Arrays.fill(entities, NOTHING);
    }

    /**
     * Puts an entity with a number of 1 to {@link #MAX_NUMBER}. One that looks as in the frame
     * before stays the same object, from which {@link MovementCache} sees that it is unchanged.
     */
    void put(int number, EntityState state) {
        entities[number] = state.equals(before[number]) ? before[number] : state;
        size = Math.max(size, number + 1);
    }

    /** Cache of the deltas to these entities. */
    MovementCache deltas() {
        return deltas;
    }

    int areaBytes() {
        return areaBytes;
    }

    /** Highest entity number plus one. */
    int size() {
        return size;
    }

    /** An entity, or {@link #NOTHING}. */
    public EntityState entity(int number) {
        return entities[number];
    }

    /** An entity for viewers whose bodies overlap it: passable. The same object for all of them. */
    EntityState passable(int number) {
        EntityState state = entities[number].passable();
        if (!state.equals(passable[number])) {
            passable[number] = state;
        }
        return passable[number];
    }
}
