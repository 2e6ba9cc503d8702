package dev.wishdir.quake2.server;

import dev.wishdir.quake2.message.EntityState;

import java.util.Arrays;

/** What there is to see in one frame, the same for all viewers. */
final class FrameEntities {
    /** The most players: a skin's number has eight bits. */
    static final int MAX_PLAYERS = 256;

    /** No entity: one without a model. */
    static final EntityState NOTHING = EntityState.ZERO;

    private EntityState[] entities = new EntityState[MAX_PLAYERS + 1];
    private EntityState[] before = new EntityState[MAX_PLAYERS + 1];
    private final EntityState[] passable = new EntityState[MAX_PLAYERS + 1];
    private final EntityDeltaCache deltas = new EntityDeltaCache(MAX_PLAYERS + 1);
    private final int areaBytes;
    private int size = 1;

    /**
     * @param areaBytes bytes of a bit for each area of the map
     */
    FrameEntities(int areaBytes) {
        this.areaBytes = areaBytes;
        Arrays.fill(entities, NOTHING);
        Arrays.fill(before, NOTHING);
        Arrays.fill(passable, NOTHING);
    }

    /** Whether there is no entity. */
    static boolean isNothing(EntityState state) {
        return state.model() == 0;
    }

    /** Starts over with the next frame, without entities. */
    void begin() {
        EntityState[] swapped = before;
        before = entities;
        entities = swapped;
        Arrays.fill(entities, NOTHING);
    }

    /**
     * Puts an entity, numbered 1 to {@link #MAX_PLAYERS}. One that looks as in the frame before
     * stays the same object, by which {@link EntityDeltaCache} knows that nothing is to be told.
     */
    void put(int number, EntityState state) {
        entities[number] = state.equals(before[number]) ? before[number] : state;
        size = Math.max(size, number + 1);
    }

    /** The deltas to what there is to see. */
    EntityDeltaCache deltas() {
        return deltas;
    }

    int areaBytes() {
        return areaBytes;
    }

    /** One more than the highest number of an entity. */
    int size() {
        return size;
    }

    /** The entity of a number, or {@link #NOTHING}. */
    EntityState entity(int number) {
        return entities[number];
    }

    /**
     * What one sees of an entity who is in its body: it stops him no more. The same object for all
     * of those, as {@link #entity} is.
     */
    EntityState passable(int number) {
        EntityState state = entities[number].passable();
        if (!state.equals(passable[number])) {
            passable[number] = state;
        }
        return passable[number];
    }
}
