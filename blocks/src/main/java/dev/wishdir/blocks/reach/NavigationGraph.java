package dev.wishdir.blocks.reach;

import dev.wishdir.blocks.arena.RaceCourse;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Vec3;

import java.util.List;
import java.util.Optional;

/**
 * The places of a level that a body can reach, half a metre apart in plan, and the paths between
 * them. Positions are those of the feet, metres.
 */
public interface NavigationGraph {
    /** The race course of the level; empty if it has none. */
    default Optional<RaceCourse> course() {
        return Optional.empty();
    }

    /** The places in a box, without those at edges if the level has edges that kill. */
    List<Vec3> placesIn(Bounds box);

    /** The places from which a path leads back to the first spawn point. */
    List<Vec3> placesWithReturn();

    /** Whether a place is within a metre of the feet. */
    boolean isReached(Vec3 feet);

    /** Whether nothing solid is between two points. */
    boolean isSeen(Vec3 from, Vec3 to);

    /**
     * The shortest path from one position to another, or to the places next to them.
     *
     * @return the places of the path at each half metre but for falls and flights, up to its end;
     *     empty if there is no path
     */
    List<Vec3> path(Vec3 from, Vec3 to);
}
