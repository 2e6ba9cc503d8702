package dev.wishdir.idtech;

import dev.wishdir.motion.Vec3f;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The parts of a Quake III map (IBSP version 46) that a server needs.
 *
 * @param entities the blocks of the entity text
 * @param models the world, then movers and triggers, which entities refer to as {@code *1}, {@code
 *     *2} …
 * @param leafs the areas of the world
 */
public record Bsp46(List<Map<String, String>> entities, List<Model> models, AreaTree leafs) {
    /**
     * A part of the map, relative to its own origin.
     *
     * @param bounds a box around it
     * @param brushes its solids, then the facets of its curved patches
     */
    public record Model(Box bounds, List<Brush> brushes) {
        public Model {
            brushes = List.copyOf(brushes);
        }
    }

    public Bsp46 {
        entities = List.copyOf(entities);
        models = List.copyOf(models);
    }

    /**
     * Reads a map.
     *
     * @throws MalformedMapException if the bytes are not a valid IBSP 46 file
     */
    public static Bsp46 read(byte[] bytes) {
        Bsp46Reader reader = new Bsp46Reader(bytes);
        return new Bsp46(reader.entities(), reader.models(Model::new), reader.leafs());
    }

    /** The three numbers of an entity's key such as {@code origin}; empty if they are not three. */
    public static Optional<Vec3f> vector(Map<String, String> entity, String key) {
        return MapEntities.vector(entity, key);
    }

    /** The number of an entity's key such as {@code angle}; empty if it is not a number. */
    public static Optional<Float> number(Map<String, String> entity, String key) {
        return MapEntities.number(entity.getOrDefault(key, ""));
    }

    /** The index of an entity's model; empty if it has no model of the map. */
    public Optional<Integer> model(Map<String, String> entity) {
        String name = entity.getOrDefault("model", "");
        if (!name.matches("\\*[0-9]{1,6}")) {
            return Optional.empty();
        }
        int model = Integer.parseInt(name.substring(1));
        return model > 0 && model < models.size() ? Optional.of(model) : Optional.empty();
    }

    /** The solids of a model, relative to its own origin. */
    public BrushWorld solids(int model) {
        return new BrushWorld(models.get(model).brushes());
    }

    /**
     * The solids for collision.
     *
     * @param standing classes of entities whose models are static, such as {@code func_static};
     *     models of all other entities are left out
     */
    public BrushWorld world(Set<String> standing) {
        return new BrushWorld(standing(standing));
    }

    /** The brushes of {@link #world}: those of the map's world, then those of static models. */
    public List<Brush> standing(Set<String> standing) {
        List<Brush> brushes = new ArrayList<>(models.getFirst().brushes());
        Set<Integer> taken = new HashSet<>();
        for (Map<String, String> entity : entities) {
            Optional<Integer> model = model(entity);
            if (model.isPresent()
                    && standing.contains(entity.getOrDefault("classname", ""))
                    && taken.add(model.get())) {
                Vec3f origin = vector(entity, "origin").orElse(Vec3f.ZERO);
                models.get(model.get())
                        .brushes()
                        .forEach(each -> brushes.add(each.translated(origin)));
            }
        }
        return List.copyOf(brushes);
    }
}
