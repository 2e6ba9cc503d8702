package dev.wishdir.world;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a server needs of a map of Quake III: the solids of IBSP version 46. Curved patches are not
 * among them: a player walks through one.
 *
 * @param entities the blocks of its entity text
 * @param brushes the world's, then those of movers that stand where the map put them
 */
public record Bsp46(List<Map<String, String>> entities, List<Brush> brushes) {
    private static final int ENTITIES = 0;
    private static final int SHADERS = 1;
    private static final int PLANES = 2;
    private static final int MODELS = 7;
    private static final int BRUSHES = 8;
    private static final int BRUSH_SIDES = 9;
    private static final int LUMPS = 17;

    private static final int SHADER_SIZE = 72;
    private static final int PLANE_SIZE = 16;
    private static final int MODEL_SIZE = 40;
    private static final int BRUSH_SIZE = 12;
    private static final int SIDE_SIZE = 8;

    /** Movers that block where they rest: a closed door is no hole. */
    private static final Set<String> RESTING =
            Set.of("func_door", "func_button", "func_static", "func_plat");

    /** More sides than any brush has. */
    private static final int MOST_SIDES = 1024;

    public Bsp46 {
        entities = List.copyOf(entities);
        brushes = List.copyOf(brushes);
    }

    /**
     * Reads a map.
     *
     * @throws MalformedMapException where the bytes are no IBSP 46
     */
    public static Bsp46 read(byte[] bytes) {
        Lumps lumps = new Lumps(bytes, 46, LUMPS);
        List<Map<String, String>> entities = MapEntities.read(lumps.text(ENTITIES));
        List<Brush> brushes = new ArrayList<>();
        int models = lumps.count(MODELS, MODEL_SIZE);
        if (models == 0) {
            throw new MalformedMapException(0, "has no model 0, the world");
        }
        boolean[] taken = new boolean[models];
        int sides = model(lumps, 0, Vec3f.ZERO, brushes, 0);
        taken[0] = true;
        for (Map<String, String> entity : entities) {
            String name = entity.getOrDefault("model", "");
            if (!RESTING.contains(entity.getOrDefault("classname", ""))
                    || !name.matches("\\*[0-9]{1,6}")) {
                continue;
            }
            int model = Integer.parseInt(name.substring(1));
            if (model < models && !taken[model]) {
                taken[model] = true;
                Vec3f origin = MapEntities.vector(entity, "origin").orElse(Vec3f.ZERO);
                sides = model(lumps, model, origin, brushes, sides);
            }
        }
        return new Bsp46(entities, brushes);
    }

    /** Three numbers of an entity's key, as of {@code origin}; empty where they are not three. */
    public static Optional<Vec3f> vector(Map<String, String> entity, String key) {
        return MapEntities.vector(entity, key);
    }

    /** A number of an entity's key, as of {@code angle}; empty where it is none. */
    public static Optional<Float> number(Map<String, String> entity, String key) {
        return MapEntities.number(entity.getOrDefault(key, ""));
    }

    /** The brushes, ready to be traced against. */
    public BrushWorld world() {
        return new BrushWorld(brushes);
    }

    /** Adds a model's brushes; returns how many sides there now are, which no map shares. */
    private static int model(
            Lumps lumps, int model, Vec3f origin, List<Brush> brushes, int sidesBefore) {
        ByteBuffer file = lumps.file();
        int at = lumps.record(MODELS, MODEL_SIZE, model);
        int first = file.getInt(at + 32);
        int count = file.getInt(at + 36);
        Lumps.run(at + 32, "brushes", first, count, lumps.count(BRUSHES, BRUSH_SIZE));
        int sides = sidesBefore;
        for (int i = first; i < first + count; i++) {
            int record = lumps.record(BRUSHES, BRUSH_SIZE, i);
            Brush brush = brush(lumps, record, origin);
            sides += brush.sides().size();
            if (sides > lumps.count(BRUSH_SIDES, SIDE_SIZE)) {
                throw new MalformedMapException(record, "brushes share their sides");
            }
            if (brush.sides().size() >= Brush.AXIAL) {
                brushes.add(brush);
            }
        }
        return sides;
    }

    private static Brush brush(Lumps lumps, int at, Vec3f origin) {
        ByteBuffer file = lumps.file();
        int first = file.getInt(at);
        int count = file.getInt(at + 4);
        Lumps.run(at, "brush sides", first, count, lumps.count(BRUSH_SIDES, SIDE_SIZE));
        if (count > MOST_SIDES) {
            throw new MalformedMapException(at + 4, "a brush of " + count + " sides");
        }
        List<Brush.Side> sides = new ArrayList<>(count);
        for (int i = first; i < first + count; i++) {
            int side = lumps.record(BRUSH_SIDES, SIDE_SIZE, i);
            int planes = lumps.count(PLANES, PLANE_SIZE);
            int plane = Lumps.below(side, "plane", file.getInt(side), planes);
            Plane still = lumps.plane(lumps.record(PLANES, PLANE_SIZE, plane));
            sides.add(
                    new Brush.Side(
                            new Plane(still.normal(), still.dist() + still.normal().dot(origin)),
                            file.getInt(shader(lumps, side + 4) + 64)));
        }
        int contents = file.getInt(shader(lumps, at + 8) + 68);
        if (count < Brush.AXIAL) {
            return new Brush(contents, new Box(Vec3f.ZERO, Vec3f.ZERO), sides);
        }
        Box bounds =
                new Box(
                        new Vec3f(-dist(sides, 0), -dist(sides, 2), -dist(sides, 4)),
                        new Vec3f(dist(sides, 1), dist(sides, 3), dist(sides, 5)));
        return new Brush(contents, bounds, sides);
    }

    private static float dist(List<Brush.Side> sides, int side) {
        return sides.get(side).plane().dist();
    }

    private static int shader(Lumps lumps, int at) {
        int count = lumps.count(SHADERS, SHADER_SIZE);
        int shader = Lumps.below(at, "shader", lumps.file().getInt(at), count);
        return lumps.record(SHADERS, SHADER_SIZE, shader);
    }
}
