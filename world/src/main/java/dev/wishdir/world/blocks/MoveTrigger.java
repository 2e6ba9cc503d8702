package dev.wishdir.world.blocks;

import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.List;
import java.util.Optional;

/** What takes whoever comes near elsewhere: each game has an entity or a message of its own. */
public sealed interface MoveTrigger {
    /** How far to each side of its middle it is touched, metres. */
    double radius();

    /** How high above its ground, and how far below, metres. */
    double HEIGHT_METRES = 0.25;

    /** The middle of its ground, metres. */
    Vec3 place();

    /** Where it leads, metres: the feet. */
    Vec3 target();

    /**
     * Whoever touches it stands elsewhere.
     *
     * @param exit where its feet then are, and where it looks
     */
    record Teleporter(Vec3 place, Movement exit) implements MoveTrigger {
        /** How far to each side of its middle it is touched, metres. */
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
     * Whoever touches it is thrown.
     *
     * @param apex where its feet are when it is highest
     */
    record JumpPad(Vec3 place, Vec3 apex) implements MoveTrigger {
        /** How far to each side of its middle it is touched, metres. */
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

    /** Whether a body of such a width that is there touches it. */
    default boolean touches(Vec3 feet, double width) {
        Vec3 off = feet.minus(place());
        double reach = radius() + width / 2;
        return Math.abs(off.x()) < reach
                && Math.abs(off.y()) < reach
                && off.z() < HEIGHT_METRES
                && off.z() > -HEIGHT_METRES;
    }

    /** That which a body there touches first. */
    static Optional<MoveTrigger> at(List<MoveTrigger> passages, Vec3 feet, double width) {
        for (int i = 0; i < passages.size(); i++) {
            if (passages.get(i).touches(feet, width)) {
                return Optional.of(passages.get(i));
            }
        }
        return Optional.empty();
    }
}
