package dev.wishdir.quake3.protocol;

import dev.wishdir.quake3.message.EntityDelta;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.Huffman;
import dev.wishdir.wire.BitWriter;

import org.jspecify.annotations.Nullable;

/**
 * Entity deltas shared by all connections of an endpoint: clients with the same delta base get the
 * same delta, encoded once. A direct-mapped cache of bounded size.
 */
public final class EntityDeltaCache {
    /** Several times the pairs that 64 players and their viewers make in a tenth of a second. */
    private static final int SIZE = 1 << 11;

    private record Known(EntityState from, EntityState to, EntityDelta delta) {
        /**
         * Whether this is the delta of two states, also if the client has the player in another
         * slot.
         */
        boolean is(EntityState base, EntityState state) {
            return from.hasSameValues(base)
                    && to.hasSameValues(state)
                    && (slot(from) == slot(to)
                            ? slot(base) == slot(state)
                            : slot(from) == slot(base) && slot(to) == slot(state));
        }

        private static int slot(EntityState state) {
            return state.get(EntityField.CLIENT_NUM);
        }
    }

    private final @Nullable Known[] entries = new Known[SIZE];
    private final BitWriter scratch = new BitWriter(Huffman.CODE, EntityDelta.MAX_BYTES);

    /** The delta of an entity to its base. */
    EntityDelta between(int number, EntityState from, EntityState to) {
        int slot = from.valuesIdentity() * 31 + to.valuesIdentity() & SIZE - 1;
        Known entry = entries[slot];
        if (entry == null || !entry.is(from, to)) {
            EntityDelta delta = new EntityDelta(number, false, to.since(from));
            entries[slot] = new Known(from, to, delta);
            return delta;
        }
        if (!entry.delta.isEncoded()) {
            // Encode at the second request: more will follow.
            entry = new Known(from, to, entry.delta.encoded(scratch));
            entries[slot] = entry;
        }
        return entry.delta.number() == number
                ? entry.delta
                : new EntityDelta(number, false, entry.delta.changes());
    }
}
