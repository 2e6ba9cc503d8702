package dev.wishdir.quake3.protocol;

import dev.wishdir.quake3.message.EntityDelta;
import dev.wishdir.quake3.message.EntityState;

import org.jspecify.annotations.Nullable;

/**
 * How entities differ from their bases, for all connections of an endpoint: those who see a player
 * from the same base get what was made, and encoded, for one of them. Bounded: a newer one takes
 * the place of another.
 */
public final class EntityDeltas {
    /** Several times the pairs that 64 players and their viewers make in a tenth of a second. */
    private static final int SIZE = 1 << 11;

    private record Known(EntityState from, EntityState to, EntityDelta delta) {}

    private final @Nullable Known[] known = new Known[SIZE];

    /** How an entity differs from its base. */
    EntityDelta between(int number, EntityState from, EntityState to) {
        int slot = System.identityHashCode(from) * 31 + System.identityHashCode(to) & SIZE - 1;
        Known there = known[slot];
        if (there != null
                && there.delta.number() == number
                && there.from.equals(from)
                && there.to.equals(to)) {
            if (!there.delta.isEncoded()) {
                // Asked for again: it will be once more.
                there = new Known(from, to, there.delta.encoded());
                known[slot] = there;
            }
            return there.delta;
        }
        EntityDelta delta = new EntityDelta(number, false, to.since(from));
        known[slot] = new Known(from, to, delta);
        return delta;
    }
}
