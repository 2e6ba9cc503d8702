package dev.wishdir.quake2.server;

import dev.wishdir.quake2.message.EntityDelta;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.wire.Writer;

/**
 * Entities' deltas as bytes. Most viewers of a scene hold the very same of an entity, that of one
 * of the last few frames: a delta is encoded once for all of them.
 */
final class EntityDeltaCache {
    /** How many deltas of an entity are kept: viewers are a few frames behind each other. */
    private static final int KEPT = 8;

    /** The most bytes of one entity's delta. */
    private static final int MAX_DELTA_BYTES = 64;

    private final EntityState[] from;
    private final EntityState[] to;
    private final byte[] bytes;
    private final byte[] lengths;
    private final byte[] next;
    private final Writer writer = new Writer(MAX_DELTA_BYTES);

    /**
     * @param entities one more than the highest number of an entity
     */
    EntityDeltaCache(int entities) {
        from = new EntityState[entities * KEPT];
        to = new EntityState[entities * KEPT];
        bytes = new byte[entities * KEPT * MAX_DELTA_BYTES];
        lengths = new byte[entities * KEPT];
        next = new byte[entities];
    }

    /**
     * Finds a delta, or makes it. It stays until {@link #KEPT} others of the same entity were made.
     *
     * @param had what the viewer holds, or {@link FrameEntities#NOTHING}
     * @param now what it should see, or {@link FrameEntities#NOTHING}; not both are nothing
     */
    @SuppressWarnings(
            "ReferenceEquality") // equal states that are not the same are rare: encoded twice
    int find(int number, EntityState had, EntityState now) {
        int first = number * KEPT;
        for (int i = first; i < first + KEPT; i++) {
            if (from[i] == had && to[i] == now) {
                return i;
            }
        }
        int made = first + next[number];
        next[number] = (byte) ((next[number] + 1) % KEPT);
        from[made] = had;
        to[made] = now;
        encode(made, delta(number, had, now));
        return made;
    }

    private static EntityDelta delta(int number, EntityState had, EntityState now) {
        if (FrameEntities.isNothing(now)) {
            return EntityDelta.removal(number);
        }
        return FrameEntities.isNothing(had)
                ? EntityDelta.between(number, EntityState.ZERO, now, true)
                : EntityDelta.between(number, had, now, false);
    }

    private void encode(int at, EntityDelta delta) {
        writer.reset();
        if (!delta.isEmpty()) {
            EntityDelta.wire(writer, delta);
            System.arraycopy(writer.array(), 0, bytes, at * MAX_DELTA_BYTES, writer.position());
        }
        lengths[at] = (byte) writer.position();
    }

    /** Bytes of a delta; none if nothing changed that is told. */
    int length(int delta) {
        return lengths[delta];
    }

    void append(Writer w, int delta) {
        w.append(bytes, delta * MAX_DELTA_BYTES, lengths[delta]);
    }
}
