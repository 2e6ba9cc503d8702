package dev.wishdir.quake2.map;

import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.idtech.MapEntities;
import dev.wishdir.idtech.PlaneWorld;
import dev.wishdir.idtech.Trace;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake2.combat.PickupItem;
import dev.wishdir.quake2.movement.Quake2Motion;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The items of a map. Left out are those that this server does not know, that are not there in
 * deathmatch, and that appear only when something activates them.
 */
final class MapItems {
    private static final int NOT_IN_DEATHMATCH = 2_048;
    private static final int SOLID = 1;
    private static final float FALL_UNITS = 128;
    private static final Vec3f MINS = new Vec3f(-15, -15, -15);
    private static final Vec3f MAXS = new Vec3f(15, 15, 15);

    private MapItems() {}

    static List<PlacedItem> of(List<Map<String, String>> entities, PlaneWorld world) {
        List<PlacedItem> items = new ArrayList<>();
        for (Map<String, String> entity : entities) {
            String classname = entity.getOrDefault("classname", "");
            Optional<PickupItem> item = PickupItem.of(classname);
            float flags = MapEntities.number(entity.getOrDefault("spawnflags", "0")).orElse(0f);
            if (item.isPresent()
                    && items.size() < PlacedItem.MAX_ITEMS
                    && ((int) flags & NOT_IN_DEATHMATCH) == 0
                    && !entity.containsKey("targetname")) {
                MapEntities.vector(entity, "origin")
                        .flatMap(origin -> place(origin, world))
                        .ifPresent(place ->
                                items.add(
                                        new PlacedItem(
                                                item.get().kind(),
                                                place,
                                                item.get().returnTime(),
                                                classname)));
            }
        }
        return List.copyOf(items);
    }

    /** Place of an item: on the floor, if there is one near below; empty if it is in a solid. */
    static Optional<Vec3> place(Vec3f origin, PlaneWorld world) {
        Trace fall = world.trace(origin, MINS, MAXS, origin.withZ(origin.z() - FALL_UNITS), SOLID);
        Vec3 base =
                new Vec3(fall.end().x(), fall.end().y(), fall.end().z() + MINS.z())
                        .times(1 / Quake2Motion.SCALE);
        return fall.startSolid() || !base.isFinite() ? Optional.empty() : Optional.of(base);
    }
}
