package dev.wishdir.quake2.map;

import dev.wishdir.blocks.arena.MoveTrigger;
import dev.wishdir.blocks.stock.StockMap;
import dev.wishdir.idtech.Box;
import dev.wishdir.idtech.Bsp38;
import dev.wishdir.idtech.MapEntities;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.quake2.movement.Trigger;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the move triggers of a map: teleporters and jump pads. See docs/protocols/quake2.md, 7. */
final class MoveTriggers {
    /** Trigger box of a teleporter, relative to its origin, units. */
    private static final Vec3f TRIGGER_MIN = new Vec3f(-8, -8, 8);

    private static final Vec3f TRIGGER_MAX = new Vec3f(8, 8, 24);

    /** Height of a teleported body above the target entity, units. */
    private static final float EXIT_HEIGHT_UNITS = 10;

    private static final float DEFAULT_SPEED = 1000;

    /** Velocities have 16 bits for eighths of a unit. */
    private static final double MAX_SPEED = 4000;

    private MoveTriggers() {}

    /** All triggers of a map; a teleporter without a target is ignored. */
    static List<Trigger> of(Bsp38 bsp) {
        List<Trigger> triggers = new ArrayList<>();
        for (Map<String, String> entity : bsp.entities()) {
            switch (entity.getOrDefault("classname", "")) {
                case "trigger_push" -> push(bsp, entity).ifPresent(triggers::add);
                case "misc_teleporter" -> teleport(bsp, entity).ifPresent(triggers::add);
                default -> {}
            }
        }
        return List.copyOf(triggers);
    }

    /** The same triggers for the conversion of the map to blocks. */
    static List<StockMap.TriggerArea> carriers(Bsp38 bsp) {
        List<StockMap.TriggerArea> carriers = new ArrayList<>();
        for (Trigger trigger : of(bsp)) {
            Box box = trigger.box();
            if (!box.isOrdered()) {
                continue;
            }
            Vec3 mins = metres(box.mins());
            Vec3 maxs = metres(box.maxs());
            Vec3 ground = new Vec3((mins.x() + maxs.x()) / 2, (mins.y() + maxs.y()) / 2, mins.z());
            Bounds area = new Bounds(mins, maxs);
            switch (trigger) {
                case Trigger.Teleport teleport ->
                        carriers.add(
                                new StockMap.TriggerArea(
                                        area, new MoveTrigger.Teleporter(ground, teleport.exit())));
                case Trigger.Push push -> {
                    double up = push.velocity().z() / 8.0;
                    if (up > 0) {
                        double seconds = up / Bsp38Compiler.GRAVITY;
                        Vec3f path =
                                new Vec3f(
                                        (float) (push.velocity().x() / 8.0 * seconds),
                                        (float) (push.velocity().y() / 8.0 * seconds),
                                        (float) (up * seconds / 2));
                        carriers.add(
                                new StockMap.TriggerArea(
                                        area,
                                        new MoveTrigger.JumpPad(
                                                ground, ground.plus(metres(path)))));
                    }
                }
            }
        }
        return carriers;
    }

    private static Vec3 metres(Vec3f units) {
        return new Vec3(units.x(), units.y(), units.z()).times(1 / Quake2Motion.SCALE);
    }

    private static Optional<Trigger> push(Bsp38 bsp, Map<String, String> entity) {
        float speed = MapEntities.number(entity.getOrDefault("speed", "")).orElse(DEFAULT_SPEED);
        Vec3 path = direction(entity).times(Math.clamp(10 * speed, -MAX_SPEED, MAX_SPEED));
        Triple velocity = Quake2Motion.velocity(path.times(1 / Quake2Motion.SCALE));
        return bsp.box(entity.getOrDefault("model", ""))
                .map(box -> new Trigger.Push(box, velocity));
    }

    /** The direction of an entity: up, down, or along its angles. */
    private static Vec3 direction(Map<String, String> entity) {
        float yaw = MapEntities.number(entity.getOrDefault("angle", "0")).orElse(0f);
        Vec3f angles = MapEntities.vector(entity, "angles").orElseGet(() -> new Vec3f(0, yaw, 0));
        if (angles.x() == 0 && angles.z() == 0 && (angles.y() == -1 || angles.y() == -2)) {
            return new Vec3(0, 0, angles.y() == -1 ? 1 : -1);
        }
        double turn = Math.toRadians(angles.y());
        double tilt = Math.toRadians(angles.x());
        double flat = Math.cos(tilt);
        return new Vec3(Math.cos(turn) * flat, Math.sin(turn) * flat, -Math.sin(tilt));
    }

    private static Optional<Trigger> teleport(Bsp38 bsp, Map<String, String> entity) {
        String target = entity.getOrDefault("target", "");
        Optional<Vec3f> origin = MapEntities.vector(entity, "origin");
        return bsp.entities().stream()
                .filter(to -> !target.isEmpty() && target.equals(to.get("targetname")))
                .findFirst()
                .flatMap(to ->
                        MapEntities.vector(to, "origin")
                                .map(at ->
                                        Quake2Motion.placed(
                                                at.x(),
                                                at.y(),
                                                at.z() + EXIT_HEIGHT_UNITS,
                                                MapEntities.number(to.getOrDefault("angle", "0"))
                                                        .orElse(0f))))
                .flatMap(exit ->
                        origin.map(at ->
                                new Trigger.Teleport(
                                        new Box(at.plus(TRIGGER_MIN), at.plus(TRIGGER_MAX)),
                                        exit)));
    }
}
