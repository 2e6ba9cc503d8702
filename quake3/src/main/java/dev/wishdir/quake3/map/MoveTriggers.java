package dev.wishdir.quake3.map;

import dev.wishdir.blocks.arena.MoveTrigger;
import dev.wishdir.blocks.stock.StockMap;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.movement.Quake3Motion;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Converts a map's teleporters and jump pads for games that play it as blocks. */
final class MoveTriggers {
    /** The flag of a trigger that works only for spectators. */
    private static final int SPECTATORS_ONLY = 1;

    private MoveTriggers() {}

    static List<StockMap.TriggerArea> of(Quake3Map map) {
        List<StockMap.TriggerArea> carriers = new ArrayList<>();
        for (MapEntity entity : map.entities()) {
            boolean teleports = entity.classname().equals("trigger_teleport");
            if (teleports && !entity.flag(SPECTATORS_ONLY)
                    || entity.classname().equals("trigger_push")) {
                carrier(map, entity, teleports).ifPresent(carriers::add);
            }
        }
        return carriers;
    }

    private static Optional<StockMap.TriggerArea> carrier(
            Quake3Map map, MapEntity entity, boolean teleports) {
        Optional<Bounds> area = map.area(entity);
        Optional<MapEntity> target =
                map.entities().stream()
                        .filter(each -> !entity.text("target").isEmpty())
                        .filter(each -> each.text("targetname").equals(entity.text("target")))
                        .filter(each -> each.vector("origin").isPresent())
                        .findFirst();
        if (area.isEmpty() || target.isEmpty()) {
            return Optional.empty();
        }
        Vec3 min = area.get().min();
        Vec3 max = area.get().max();
        Vec3 to = metres(target.get().origin());
        Vec3 ground = new Vec3((min.x() + max.x()) / 2, (min.y() + max.y()) / 2, min.z());
        // The apex is as high above the ground as the target is above the middle of the trigger.
        Vec3 apex = new Vec3(to.x(), to.y(), ground.z() + to.z() - (min.z() + max.z()) / 2);
        if (!teleports && apex.z() <= ground.z()) {
            return Optional.empty();
        }
        return Optional.of(
                new StockMap.TriggerArea(
                        area.get(),
                        teleports
                                ? new MoveTrigger.Teleporter(
                                        ground,
                                        Movement.at(
                                                to.minus(
                                                        new Vec3(
                                                                0,
                                                                0,
                                                                Quake3Motion.FEET
                                                                        / Quake3Motion.SCALE)),
                                                target.get().angles().y()))
                                : new MoveTrigger.JumpPad(ground, apex)));
    }

    private static Vec3 metres(Vec3f units) {
        return new Vec3(units.x(), units.y(), units.z()).times(1 / Quake3Motion.SCALE);
    }
}
