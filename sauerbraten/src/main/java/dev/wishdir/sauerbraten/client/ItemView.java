package dev.wishdir.sauerbraten.client;

import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.ItemMessage;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The items that a server has placed at a headless client, and what it asks for. */
final class ItemView {
    private static final int FIRST_TYPE = 8;
    private static final int LAST_TYPE = 18;

    /** More entities than a client has. */
    private static final int MAX_ENTITIES = 10_000;

    /** Distance of the feet from a touched item, units. */
    private static final double TOUCH_UNITS = 12;

    private static final double HEIGHT_UNITS = 4;

    /**
     * An item.
     *
     * @param at units
     */
    record Entity(int type, Vec3 at) {}

    private final Map<Integer, Entity> entities = new TreeMap<>();
    private final Set<Integer> present = new HashSet<>();

    /** Items that it asked for, which are not answered. */
    private final Set<Integer> asked = new HashSet<>();

    /** Another map. */
    void clear() {
        entities.clear();
        present.clear();
        asked.clear();
    }

    void place(EditMessage.EditEnt entity) {
        boolean item = entity.type() >= FIRST_TYPE && entity.type() <= LAST_TYPE;
        if (item && entity.ent() >= 0 && entity.ent() < MAX_ENTITIES) {
            Vec3 at = new Vec3(entity.x(), entity.y(), entity.z()).times(1 / 16.0);
            entities.put(entity.ent(), new Entity(entity.type(), at));
        } else {
            entities.remove(entity.ent());
            present.remove(entity.ent());
        }
    }

    void spawn(ItemMessage.ItemSpawn item) {
        if (entities.containsKey(item.item())) {
            present.add(item.item());
        }
        asked.remove(item.item());
    }

    /**
     * A player has taken an item, or this one can't.
     *
     * @return the type of the item; 0 if it is unknown
     */
    int taken(ItemMessage.ItemAcc item) {
        asked.remove(item.item());
        if (item.cn() >= 0) {
            present.remove(item.item());
        }
        Entity entity = entities.get(item.item());
        return entity == null ? 0 : entity.type();
    }

    /** The items that a body touches and has not asked for. */
    List<Integer> touched(Vec3 feet, SauerbratenMotion motion) {
        Vec3 units = motion.toNative(feet);
        return present.stream()
                .filter(index -> {
                    Entity entity = entities.get(index);
                    return entity != null && entity.at().distance(units) < TOUCH_UNITS;
                })
                .filter(asked::add)
                .toList();
    }

    /** The places of the items that are there, metres. */
    List<Vec3> places(SauerbratenMotion motion) {
        return entities.entrySet().stream()
                .filter(each -> present.contains(each.getKey()))
                .map(each ->
                        motion.toCanonical(
                                each.getValue().at().minus(new Vec3(0, 0, HEIGHT_UNITS))))
                .toList();
    }
}
