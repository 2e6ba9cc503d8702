package dev.wishdir.world;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a server needs of a map of Quake II: the solids of IBSP version 38 and its entities.
 *
 * @param entities the blocks of its entity text
 * @param brushes those of the world and of its models
 * @param boxes around its models, as the file has them: the world, then what moves or is touched
 * @param areas how many parts of the map doors may shut off
 * @param world what players run into
 * @param standing the brushes of the world only, without those of its models
 */
public record Bsp38(
        List<Map<String, String>> entities,
        List<Brush> brushes,
        List<Box> boxes,
        int areas,
        PlaneWorld world,
        List<Brush> standing) {
    public Bsp38 {
        entities = List.copyOf(entities);
        brushes = List.copyOf(brushes);
        standing = List.copyOf(standing);
        boxes = List.copyOf(boxes);
    }

    /** How many models there are, with the world. */
    public int models() {
        return boxes.size();
    }

    /** A box around the world. */
    public Box bounds() {
        return boxes.getFirst();
    }

    /**
     * A box around a model.
     *
     * @param name as entities have it, as {@code *1}
     */
    public Optional<Box> box(String name) {
        if (!name.matches("\\*[0-9]{1,4}")) {
            return Optional.empty();
        }
        int model = Integer.parseInt(name.substring(1));
        return model < boxes.size() ? Optional.of(boxes.get(model)) : Optional.empty();
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
