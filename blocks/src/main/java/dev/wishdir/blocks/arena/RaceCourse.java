package dev.wishdir.blocks.arena;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Vec3;

import java.util.ArrayList;
import java.util.List;

/**
 * The course of a race in an arena: boxes for the middle of a runner's feet. A run begins where
 * they leave the start, passes the check points in order, and ends where they enter the finish.
 *
 * @param checkpoints in the order in which they are passed; at most {@link #MAX_CHECKPOINTS}
 */
public record RaceCourse(Bounds start, List<Bounds> checkpoints, Bounds finish) {
    public static final int MAX_CHECKPOINTS = 32;

    /**
     * A box reaches this far below its lower side: feet on the ground are a little below it in
     * games that calculate with 32 bits.
     */
    public static final double GROUND_ALLOWANCE_METRES = 0.25;

    /**
     * @throws IllegalArgumentException if there are too many check points, or the start and the
     *     finish overlap
     */
    public RaceCourse {
        if (checkpoints.size() > MAX_CHECKPOINTS) {
            throw new IllegalArgumentException(
                    "a course has at most "
                            + MAX_CHECKPOINTS
                            + " check points, not "
                            + checkpoints.size());
        }
        if (overlap(start, finish)) {
            throw new IllegalArgumentException("the start and the finish overlap");
        }
        checkpoints = List.copyOf(checkpoints);
    }

    /**
     * A box on the ground.
     *
     * @param ground the middle of its lower side
     * @param size its extent along x, y and z, metres
     */
    static Bounds box(Vec3 ground, Vec3 size) {
        Vec3 half = new Vec3(size.x() / 2, size.y() / 2, 0);
        return new Bounds(ground.minus(half), ground.plus(half).plus(new Vec3(0, 0, size.z())));
    }

    /** Whether feet are in a box of a course. */
    public static boolean contains(Bounds box, Vec3 feet) {
        return box.contains(feet)
                || box.contains(feet.plus(new Vec3(0, 0, GROUND_ALLOWANCE_METRES)));
    }

    /** All boxes in the order of a run. */
    public List<Bounds> boxes() {
        List<Bounds> boxes = new ArrayList<>(checkpoints);
        boxes.addFirst(start);
        boxes.add(finish);
        return boxes;
    }

    /** No run is shorter, metres: straight from each box to the next. */
    public double minLength() {
        double length = 0;
        List<Bounds> boxes = boxes();
        for (int i = 1; i < boxes.size(); i++) {
            Bounds from = boxes.get(i - 1);
            Vec3 to = boxes.get(i).clamp(from.center());
            length += to.distance(from.clamp(to));
        }
        return length;
    }

    private static boolean overlap(Bounds one, Bounds other) {
        return one.min().x() <= other.max().x()
                && other.min().x() <= one.max().x()
                && one.min().y() <= other.max().y()
                && other.min().y() <= one.max().y()
                && one.min().z() <= other.max().z()
                && other.min().z() <= one.max().z();
    }
}
