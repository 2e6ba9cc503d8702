package dev.wishdir.blocks.arena;

import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.List;
import java.util.Optional;

/** A teleporter or jump pad. Each game has its own entity or message for it. */
public sealed interface MoveTrigger {
    /** Half its width, metres. */
    double radius();

    /** Maximum distance of the feet above and below its place, metres. */
    double HEIGHT_METRES = 0.25;

    /** The centre of its base, metres. */
    Vec3 place();

    /** Exit: position of the feet, metres. */
    Vec3 target();

    /**
     * Moves a body to another place.
     *
     * @param exit position and view direction of the body afterwards
     */
    record Teleporter(Vec3 place, Movement exit) implements MoveTrigger {
        /** Half its width, metres. */
        public static final double RADIUS_METRES = 0.25;

        @Override
        public double radius() {
            return RADIUS_METRES;
        }

        @Override
        public Vec3 target() {
            return exit.position();
        }
    }

    /**
     * Throws a body.
     *
     * @param apex position of the feet at the highest point of the flight
     */
    record JumpPad(Vec3 place, Vec3 apex) implements MoveTrigger {
        /** Half its width, metres. */
        public static final double RADIUS_METRES = 0.75;

        @Override
        public double radius() {
            return RADIUS_METRES;
        }

        @Override
        public Vec3 target() {
            return apex;
        }
    }

    /** Whether a body of the given width touches it. */
    default boolean touches(Vec3 feet, double width) {
        Vec3 off = feet.minus(place());
        double reach = radius() + width / 2;
        return Math.abs(off.x()) < reach
                && Math.abs(off.y()) < reach
                && off.z() < HEIGHT_METRES
                && off.z() > -HEIGHT_METRES;
    }

    /** The first trigger of the list that a body touches. */
    static Optional<MoveTrigger> at(List<MoveTrigger> triggers, Vec3 feet, double width) {
        for (int i = 0; i < triggers.size(); i++) {
            if (triggers.get(i).touches(feet, width)) {
                return Optional.of(triggers.get(i));
            }
        }
        return Optional.empty();
    }
}
