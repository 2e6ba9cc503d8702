package dev.wishdir.quake2.message;

import dev.wishdir.wire.Bytes;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A frame without delta coding, as an interceptor gets it: the whole state that a client sees.
 *
 * @param number of the frame; an interceptor can't change it
 * @param suppressed number of frames not sent since the last one, because of the client's rate
 * @param areaBits a bit for each visible area of the map
 * @param player the client's own player
 * @param entities by number, from 1
 */
public record FullFrame(
        int number,
        int suppressed,
        Bytes areaBits,
        PlayerState player,
        SortedMap<Integer, EntityState> entities)
        implements Quake2Message {
    /** The highest number of an entity. */
    public static final int MAX_ENTITY = 1_023;

    /**
     * Keeps a copy of the entities.
     *
     * @throws IllegalArgumentException for a number or area bits that can't be encoded
     */
    public FullFrame {
        entities = Collections.unmodifiableSortedMap(new TreeMap<>(entities));
        if (!entities.isEmpty() && (entities.firstKey() < 1 || entities.lastKey() > MAX_ENTITY)) {
            throw new IllegalArgumentException(
                    "entities are numbered "
                            + entities.firstKey()
                            + ".."
                            + entities.lastKey()
                            + ", must be 1.."
                            + MAX_ENTITY);
        }
        if (areaBits.length() > 0xFF) {
            throw new IllegalArgumentException(
                    areaBits.length() + " bytes of area bits, limit " + 0xFF);
        }
    }

    /** This frame with another state of the client's player. */
    public FullFrame withPlayer(PlayerState changed) {
        return new FullFrame(number, suppressed, areaBits, changed, entities);
    }

    /** This frame with another entity, or another state of one. */
    public FullFrame withEntity(int entity, EntityState state) {
        SortedMap<Integer, EntityState> changed = new TreeMap<>(entities);
        changed.put(entity, state);
        return new FullFrame(number, suppressed, areaBits, player, changed);
    }

    /** This frame without an entity. */
    public FullFrame withoutEntity(int entity) {
        SortedMap<Integer, EntityState> changed = new TreeMap<>(entities);
        changed.remove(entity);
        return new FullFrame(number, suppressed, areaBits, player, changed);
    }

    @Override
    public String label() {
        return "frame";
    }

    @Override
    public Map<String, ?> fields() {
        Map<String, Object> all = new LinkedHashMap<>();
        entities.forEach(
                (entity, state) -> all.put(entity.toString(), EntityDelta.fields(entity, state)));
        return FieldCodecs.of(
                "frame", number,
                "suppress", suppressed,
                "areabits", areaBits.hex(),
                "ps", player.fields(),
                "entities", all);
    }
}
