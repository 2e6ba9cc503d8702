package dev.wishdir.world;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a server needs of a map of Quake III: the solids of IBSP version 46 and its entities.
 *
 * @param entities the blocks of its entity text
 * @param models the world, then what moves or is touched, which entities name {@code *1}, {@code
 *     *2} …
 * @param leafs of which areas the world is made
 */
public record Bsp46(List<Map<String, String>> entities, List<Model> models, AreaTree leafs) {
    /**
     * A part of the map.
     *
     * @param bounds a box around it, at the origin
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
     * @throws MalformedMapException where the bytes are no IBSP 46
     */
    public static Bsp46 read(byte[] bytes) {
        return new Bsp46Reader(bytes).read();
    }

    /** Three numbers of an entity's key, as of {@code origin}; empty where they are not three. */
    public static Optional<Vec3f> vector(Map<String, String> entity, String key) {
        return MapEntities.vector(entity, key);
    }

    /** A number of an entity's key, as of {@code angle}; empty where it is none. */
    public static Optional<Float> number(Map<String, String> entity, String key) {
        return MapEntities.number(entity.getOrDefault(key, ""));
    }

    /** The number of an entity's model; empty where it has none of the map's. */
    public Optional<Integer> model(Map<String, String> entity) {
        String name = entity.getOrDefault("model", "");
        if (!name.matches("\\*[0-9]{1,6}")) {
            return Optional.empty();
        }
        int model = Integer.parseInt(name.substring(1));
        return model > 0 && model < models.size() ? Optional.of(model) : Optional.empty();
    }

    /** The solids of a model, at its own origin. */
    public BrushWorld solids(int model) {
        return new BrushWorld(models.get(model).brushes());
    }

    /**
     * What players run into.
     *
     * @param standing the classes of entities whose models stand where the map put them, as of
     *     {@code func_static}; all others are not there
     */
    public BrushWorld world(Set<String> standing) {
        return new BrushWorld(standing(standing));
    }

    /** The same as a list: the brushes of the world, then those of models that stand there. */
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
