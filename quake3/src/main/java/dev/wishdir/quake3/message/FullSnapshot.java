package dev.wishdir.quake3.message;

import dev.wishdir.wire.Bytes;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A snapshot without delta coding: the whole state that a client sees at one time.
 *
 * @param serverTime milliseconds
 * @param flags 1 rate delayed, 2 not active, 4 toggles at every start of the map
 * @param areabits one bit per hidden area, at most 32 bytes; empty if none is hidden
 * @param player the client's own player, or the one that it follows
 * @param entities by number, 0..1022
 */
public record FullSnapshot(
        int serverTime,
        int flags,
        Bytes areabits,
        PlayerState player,
        SortedMap<Integer, EntityState> entities)
        implements Quake3Message {
    private static final int MAX_AREA_BYTES = 32;

    /**
     * Keeps a copy of the entities.
     *
     * @throws IllegalArgumentException for a number or area bits that can't be encoded
     */
    public FullSnapshot {
        entities = Collections.unmodifiableSortedMap(new TreeMap<>(entities));
        if (!entities.isEmpty()
                && (entities.firstKey() < 0 || entities.lastKey() >= EntityState.NONE)) {
            throw new IllegalArgumentException(
                    "entities are numbered "
                            + entities.firstKey()
                            + ".."
                            + entities.lastKey()
                            + ", must be 0.."
                            + (EntityState.NONE - 1));
        }
        if (areabits.length() > MAX_AREA_BYTES) {
            throw new IllegalArgumentException(
                    areabits.length() + " bytes of area bits, limit " + MAX_AREA_BYTES);
        }
    }

    @Override
    public String name() {
        return "snapshot";
    }

    /** This snapshot with another state of the client's player. */
    public FullSnapshot withPlayer(PlayerState changed) {
        return new FullSnapshot(serverTime, flags, areabits, changed, entities);
    }

    /** This snapshot with another entity, or another state of one. */
    public FullSnapshot withEntity(int number, EntityState state) {
        SortedMap<Integer, EntityState> changed = new TreeMap<>(entities);
        changed.put(number, state);
        return new FullSnapshot(serverTime, flags, areabits, player, changed);
    }

    /** This snapshot without an entity. */
    public FullSnapshot withoutEntity(int number) {
        SortedMap<Integer, EntityState> changed = new TreeMap<>(entities);
        changed.remove(number);
        return new FullSnapshot(serverTime, flags, areabits, player, changed);
    }
}
