package dev.wishdir.idtech;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The parts of a Quake II map (IBSP version 38) that a server needs.
 *
 * @param entities the blocks of the entity text
 * @param brushes those of the world and of its models
 * @param boxes bounds of the models in file order: the world, then movers and triggers
 * @param areas number of areas, which doors may close off
 * @param world the solids for collision
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

    /** The number of models, including the world. */
    public int models() {
        return boxes.size();
    }

    /** The bounds of the world. */
    public Box bounds() {
        return boxes.getFirst();
    }

    /**
     * The bounds of a model.
     *
     * @param name as in entities, for example {@code *1}
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
     * @throws MalformedMapException if the bytes are not a valid IBSP 38 file
     */
    public static Bsp38 read(byte[] bytes) {
        Bsp38Reader reader = new Bsp38Reader(bytes);
        return new Bsp38(
                reader.entities(),
                reader.brushes(),
                reader.boxes(),
                reader.areas(),
                reader.world(),
                reader.standing());
    }
}
