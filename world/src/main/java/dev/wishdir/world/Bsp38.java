package dev.wishdir.world;

import java.util.List;
import java.util.Map;

/**
 * What a server needs of a map of Quake II: the solids of IBSP version 38 and its entities.
 *
 * @param entities the blocks of its entity text
 * @param brushes those of the world and of its models
 * @param models the world, then what moves or is touched
 * @param bounds a box around the world, as the file has it
 * @param areas how many parts of the map doors may shut off
 * @param world what players run into
 * @param standing the brushes of the world alone, without those of its models
 */
public record Bsp38(
        List<Map<String, String>> entities,
        List<Brush> brushes,
        int models,
        Box bounds,
        int areas,
        PlaneWorld world,
        List<Brush> standing) {
    public Bsp38 {
        entities = List.copyOf(entities);
        brushes = List.copyOf(brushes);
        standing = List.copyOf(standing);
    }

    /**
     * Reads a map.
     *
     * @throws MalformedMapException where the bytes are no IBSP 38
     */
    public static Bsp38 read(byte[] bytes) {
        return new Bsp38Reader(bytes).read();
    }
}
