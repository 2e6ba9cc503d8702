package dev.wishdir.sauerbraten.map;

import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.map.Ogz.Entity;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What of a map takes bodies elsewhere. Canonical; entities by their numbers in the file, by which
 * clients name them.
 */
public record MoveTriggers(List<Teleport> teleports, List<Pad> pads) {
    public static final MoveTriggers NONE = new MoveTriggers(List.of(), List.of());

    /** How near its place feet touch a teleporter, metres. */
    public static final double TELEPORT_REACH = 16 / SauerbratenMotion.SCALE;

    /** How near its place feet touch a jump pad, metres. */
    public static final double PAD_REACH = 12 / SauerbratenMotion.SCALE;

    /** What attributes of a jump pad are in units a second, upwards and to the sides. */
    static final double UP = 12.5;

    static final double SIDEWAYS = 10;

    /**
     * A teleporter and where it leads.
     *
     * @param destination the entity that it leads to
     * @param to where feet then are
     */
    public record Teleport(int entity, Vec3 place, int destination, Vec3 to, double yaw) {}

    /** A jump pad, and the velocity of who leaves it, metres a second. */
    public record Pad(int entity, Vec3 place, Vec3 velocity) {}

    /** Keeps copies of the lists. */
    public MoveTriggers {
        teleports = List.copyOf(teleports);
        pads = List.copyOf(pads);
    }

    /**
     * Those of a map; of teleporters and where they lead no more pairs than it may have entities.
     */
    public static MoveTriggers of(Ogz map, SauerbratenMotion motion) {
        List<Teleport> teleports = new ArrayList<>();
        List<Pad> pads = new ArrayList<>();
        List<Entity> all = map.entities();
        for (int i = 0; i < all.size(); i++) {
            Entity entity = all.get(i);
            Vec3 place = motion.toCanonical(entity.place());
            if (entity.type() == Entity.TELEPORT) {
                for (int j = 0; j < all.size(); j++) {
                    Entity to = all.get(j);
                    if (to.type() == Entity.TELEDEST
                            && to.attr2() == entity.attr1()
                            && teleports.size() < Ogz.MAX_ENTITIES) {
                        double yaw = SauerbratenMotion.yaw(to.attr1());
                        teleports.add(
                                new Teleport(i, place, j, motion.toCanonical(to.place()), yaw));
                    }
                }
            } else if (entity.type() == Entity.JUMPPAD) {
                // The game's y is the other way round.
                Vec3 units =
                        new Vec3(
                                entity.attr3() * SIDEWAYS,
                                -entity.attr2() * SIDEWAYS,
                                entity.attr1() * UP);
                pads.add(new Pad(i, place, units.times(1 / SauerbratenMotion.SCALE)));
            }
        }
        return new MoveTriggers(teleports, pads);
    }

    /** A teleporter by the numbers of its entities. */
    public Optional<Teleport> teleport(int entity, int destination) {
        return teleports.stream()
                .filter(each -> each.entity == entity && each.destination == destination)
                .findFirst();
    }

    /** A jump pad by its number. */
    public Optional<Pad> pad(int entity) {
        return pads.stream().filter(each -> each.entity == entity).findFirst();
    }
}
