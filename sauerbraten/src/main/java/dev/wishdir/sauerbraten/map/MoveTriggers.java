package dev.wishdir.sauerbraten.map;

import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.map.Ogz.Entity;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The move triggers of a map: teleporters and jump pads, in canonical coordinates. Entities have
 * their index in the file, which clients refer to.
 */
public record MoveTriggers(List<Teleport> teleports, List<Pad> pads) {
    public static final MoveTriggers NONE = new MoveTriggers(List.of(), List.of());

    /** Distance at which feet touch a teleporter, metres. */
    public static final double TELEPORT_REACH = 16 / SauerbratenMotion.SCALE;

    /** Distance at which feet touch a jump pad, metres. */
    public static final double PAD_REACH = 12 / SauerbratenMotion.SCALE;

    /** Units per second of a jump pad's attributes, upwards and sideways. */
    static final double UP_SPEED = 12.5;

    static final double SIDEWAYS_SPEED = 10;

    /**
     * A teleporter.
     *
     * @param destination the entity that it leads to
     * @param to position of the feet there
     */
    public record Teleport(int entity, Vec3 place, int destination, Vec3 to, double yaw) {}

    /** A jump pad, and the velocity that it gives, metres per second. */
    public record Pad(int entity, Vec3 place, Vec3 velocity) {}

    public MoveTriggers {
        teleports = List.copyOf(teleports);
        pads = List.copyOf(pads);
    }

    /**
     * The triggers of a map; no more pairs of teleporter and destination than a map may have
     * entities.
     */
    public static MoveTriggers of(Ogz map, SauerbratenMotion motion) {
        List<Teleport> teleports = new ArrayList<>();
        List<Pad> pads = new ArrayList<>();
        List<Entity> entities = map.entities();
        for (int i = 0; i < entities.size(); i++) {
            Entity entity = entities.get(i);
            Vec3 place = motion.toCanonical(entity.place());
            if (entity.type() == Entity.TELEPORT) {
                for (int j = 0; j < entities.size(); j++) {
                    Entity to = entities.get(j);
                    if (to.type() == Entity.TELEDEST
                            && to.attr2() == entity.attr1()
                            && teleports.size() < Ogz.MAX_ENTITIES) {
                        double yaw = SauerbratenMotion.yaw(to.attr1());
                        teleports.add(
                                new Teleport(i, place, j, motion.toCanonical(to.place()), yaw));
                    }
                }
            } else if (entity.type() == Entity.JUMPPAD) {
                // The game's y is mirrored.
                Vec3 units =
                        new Vec3(
                                entity.attr3() * SIDEWAYS_SPEED,
                                -entity.attr2() * SIDEWAYS_SPEED,
                                entity.attr1() * UP_SPEED);
                pads.add(new Pad(i, place, units.times(1 / SauerbratenMotion.SCALE)));
            }
        }
        return new MoveTriggers(teleports, pads);
    }

    /** A teleporter by its entities. */
    public Optional<Teleport> teleport(int entity, int destination) {
        return teleports.stream()
                .filter(each -> each.entity == entity && each.destination == destination)
                .findFirst();
    }

    /** A jump pad by its entity. */
    public Optional<Pad> pad(int entity) {
        return pads.stream().filter(each -> each.entity == entity).findFirst();
    }
}
