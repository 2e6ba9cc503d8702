package dev.wishdir.quake3.protocol;

import dev.wishdir.quake3.message.EntityDelta;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.Huffman;
import dev.wishdir.wire.BitWriter;

import org.jspecify.annotations.Nullable;

/**
 * How entities differ from their bases, for all connections of an endpoint: those who see a player
 * from the same base get what was made, and encoded, for one of them. Bounded: a newer one takes
 * the place of another.
 */
public final class EntityDeltaCache {
    /** Several times the pairs that 64 players and their viewers make in a tenth of a second. */
    private static final int SIZE = 1 << 11;

    private record Known(EntityState from, EntityState to, EntityDelta delta) {
        /** Whether it is that of two, or of who knows the same player by another slot. */
        boolean is(EntityState was, EntityState now) {
            return from.isLike(was)
                    && to.isLike(now)
                    && (slot(from) == slot(to)
                            ? slot(was) == slot(now)
                            : slot(from) == slot(was) && slot(to) == slot(now));
        }

        private static int slot(EntityState state) {
            return state.get(EntityField.CLIENT_NUM);
        }
    }

    private final @Nullable Known[] known = new Known[SIZE];
    private final BitWriter scratch = new BitWriter(Huffman.CODE, EntityDelta.MAX_BYTES);

    /** How an entity differs from its base. */
    EntityDelta between(int number, EntityState from, EntityState to) {
        int slot = from.likeness() * 31 + to.likeness() & SIZE - 1;
        Known there = known[slot];
        if (there == null || !there.is(from, to)) {
            EntityDelta delta = new EntityDelta(number, false, to.since(from));
            known[slot] = new Known(from, to, delta);
            return delta;
        }
        if (!there.delta.isEncoded()) {
            // Asked for again: it will be once more.
            there = new Known(from, to, there.delta.encoded(scratch));
            known[slot] = there;
        }
        return there.delta.number() == number
                ? there.delta
                : new EntityDelta(number, false, there.delta.changes());
    }
}
