package dev.wishdir.arena.combat;

import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;

/**
 * The box that a game's shots meet where a body is: upright on its feet, metres. A shooter's game
 * gives all bodies its own box.
 *
 * @param width along each side
 * @param height when upright
 * @param crouchedHeight when crouched
 */
public record BodyBox(double width, double height, double crouchedHeight) {
    /** The box of a body at a place. */
    public Placed at(Vec3 feet, Stance stance) {
        return new Placed(feet, width, stance.crouched() ? crouchedHeight : height);
    }

    /**
     * A box at a place.
     *
     * @param feet the centre of its lower side
     */
    public record Placed(Vec3 feet, double width, double height) {
        public Vec3 centre() {
            return feet.plus(new Vec3(0, 0, height / 2));
        }

        /** This box with a margin on all sides, metres. */
        public Placed grown(double margin) {
            return new Placed(
                    feet.minus(new Vec3(0, 0, margin)), width + 2 * margin, height + 2 * margin);
        }

        /** The distance of a point; 0 inside. */
        public double distance(Vec3 point) {
            double half = width / 2;
            return new Vec3(
                            Math.max(0, Math.abs(point.x() - feet.x()) - half),
                            Math.max(0, Math.abs(point.y() - feet.y()) - half),
                            Math.max(
                                    0,
                                    Math.max(feet.z() - point.z(), point.z() - feet.z() - height)))
                    .length();
        }

        /**
         * The part of a straight line before it enters, from 0 to 1; 0 if it starts inside.
         *
         * @return infinity if it does not meet the box
         */
        public double entry(Vec3 from, Vec3 to) {
            double half = width / 2;
            Range x = Range.of(from.x(), to.x(), feet.x() - half, feet.x() + half);
            Range y = Range.of(from.y(), to.y(), feet.y() - half, feet.y() + half);
            Range z = Range.of(from.z(), to.z(), feet.z(), feet.z() + height);
            double first = Math.max(0, Math.max(x.first, Math.max(y.first, z.first)));
            double last = Math.min(1, Math.min(x.last, Math.min(y.last, z.last)));
            return first <= last ? first : Double.POSITIVE_INFINITY;
        }
    }

    /** The part of a line between two planes; empty if {@code first} is greater. */
    private record Range(double first, double last) {
        static Range of(double from, double to, double least, double most) {
            if (from == to) {
                return from >= least && from <= most
                        ? new Range(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY)
                        : new Range(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);
            }
            double one = (least - from) / (to - from);
            double other = (most - from) / (to - from);
            return new Range(Math.min(one, other), Math.max(one, other));
        }
    }
}
