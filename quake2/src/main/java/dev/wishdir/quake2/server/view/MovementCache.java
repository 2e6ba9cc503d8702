package dev.wishdir.quake2.server.view;

import dev.wishdir.quake2.message.EntityDelta;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.wire.Writer;

/**
 * Cache of encoded entity deltas, shared by all viewers of a frame. Most viewers have the same base
 * of an entity, from one of the last few frames, so a delta is encoded once for all of them.
 */
final class MovementCache {
    /** Deltas kept per entity: viewers' bases are a few frames apart. */
    private static final int DELTAS_PER_ENTITY = 8;

    /** Maximum length of the delta of one entity. */
    private static final int MAX_DELTA_BYTES = 64;

    private final EntityState[] from;
    private final EntityState[] to;
    private final byte[] bytes;
    private final byte[] lengths;
    private final byte[] next;
    private final Writer writer = new Writer(MAX_DELTA_BYTES);

    /**
     * @param entities highest entity number plus one
     */
    MovementCache(int entities) {
        from = new EntityState[entities * DELTAS_PER_ENTITY];
        to = new EntityState[entities * DELTAS_PER_ENTITY];
        bytes = new byte[entities * DELTAS_PER_ENTITY * MAX_DELTA_BYTES];
        lengths = new byte[entities * DELTAS_PER_ENTITY];
        next = new byte[entities];
    }

    /**
     * Finds or encodes a delta. It is kept until {@link #DELTAS_PER_ENTITY} others of the same
     * entity were encoded.
     *
     * @param base state that the viewer has, or {@link EntityState#ZERO}
     * @param current state to send, or {@link EntityState#ZERO}; one of them exists
     */
    @SuppressWarnings(
            "ReferenceEquality") // equal states in different objects are rare, and only encoded
    // twice
    int find(int number, EntityState base, EntityState current) {
        int first = number * DELTAS_PER_ENTITY;
        for (int i = first; i < first + DELTAS_PER_ENTITY; i++) {
            if (from[i] == base && to[i] == current) {
                return i;
            }
        }
        int index = first + next[number];
        next[number] = (byte) ((next[number] + 1) % DELTAS_PER_ENTITY);
        from[index] = base;
        to[index] = current;
        encode(index, delta(number, base, current));
        return index;
    }

    private static EntityDelta delta(int number, EntityState base, EntityState current) {
        if (!current.exists()) {
            return EntityDelta.removal(number);
        }
        return base.exists()
                ? EntityDelta.between(number, base, current, false)
                : EntityDelta.between(number, EntityState.ZERO, current, true);
    }

    private void encode(int index, EntityDelta delta) {
        writer.reset();
        if (!delta.isEmpty()) {
            EntityDelta.wire(writer, delta);
            System.arraycopy(writer.array(), 0, bytes, index * MAX_DELTA_BYTES, writer.position());
        }
        lengths[index] = (byte) writer.position();
    }

    /** Length of a delta in bytes; 0 if nothing changed that is sent. */
    int length(int delta) {
        return lengths[delta];
    }

    void append(Writer w, int delta) {
        w.append(bytes, delta * MAX_DELTA_BYTES, lengths[delta]);
    }
}
