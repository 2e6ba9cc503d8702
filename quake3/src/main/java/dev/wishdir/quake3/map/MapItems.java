package dev.wishdir.quake3.map;

import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.idtech.BrushWorld;
import dev.wishdir.idtech.Trace;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.combat.PickupItem;
import dev.wishdir.quake3.movement.Pmove;
import dev.wishdir.quake3.movement.Quake3Motion;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The items of a map: docs/protocols/quake3.md#items. Left out are those that this server does not
 * know, that appear only when something activates them, and all but the first of a group that takes
 * turns.
 */
final class MapItems {
    private static final int SUSPENDED = 1;
    private static final float FALL_UNITS = 4_096;
    private static final Vec3f MINS = new Vec3f(-15, -15, -15);
    private static final Vec3f MAXS = new Vec3f(15, 15, 15);

    private MapItems() {}

    static List<PlacedItem> of(List<MapEntity> entities, BrushWorld world) {
        List<PlacedItem> items = new ArrayList<>();
        Set<String> groups = new HashSet<>();
        for (MapEntity entity : entities) {
            Optional<PickupItem> item = PickupItem.of(entity.classname());
            String group = entity.text("team");
            if (item.isPresent()
                    && items.size() < PlacedItem.MAX_ITEMS
                    && entity.text("targetname").isEmpty()
                    && (group.isEmpty() || groups.add(group))) {
                place(entity, world)
                        .ifPresent(place ->
                                items.add(
                                        new PlacedItem(
                                                item.get().kind(),
                                                place,
                                                returnTime(entity, item.get()),
                                                entity.classname())));
            }
        }
        return List.copyOf(items);
    }

    /** Place of an item: on the floor below, or hanging; empty if it is in a solid. */
    static Optional<Vec3> place(MapEntity entity, BrushWorld world) {
        Vec3f origin = entity.origin();
        if (!entity.flag(SUSPENDED)) {
            Trace floor =
                    world.trace(
                            origin, MINS, MAXS, origin.withZ(origin.z() - FALL_UNITS), Pmove.SOLID);
            if (floor.startSolid()) {
                return Optional.empty();
            }
            origin = floor.end();
        }
        Vec3 base = new Vec3(origin.x(), origin.y(), origin.z() + MINS.z());
        return base.isFinite() ? Optional.of(base.times(1 / Quake3Motion.SCALE)) : Optional.empty();
    }

    private static Duration returnTime(MapEntity entity, PickupItem item) {
        float wait = entity.number("wait", 0);
        Duration time = wait > 0 ? Duration.ofMillis((long) (wait * 1_000)) : item.returnTime();
        return wait < 0 || time.compareTo(PlacedItem.MAX_RETURN_TIME) > 0
                ? PlacedItem.MAX_RETURN_TIME
                : time.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : time;
    }
}
