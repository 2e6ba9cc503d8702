package dev.wishdir.arena.combat;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.motion.Vec3;

import java.util.List;
import java.util.Optional;

/**
 * Result of a straight shot that the server decides.
 *
 * @param bodies the bodies before the wall, nearest first
 * @param end where the wall is, or the end of the ray, metres
 * @param wall whether a wall ends it
 */
public record ShotTrace(List<BodyHit> bodies, Vec3 end, boolean wall) {
    /**
     * A body that a shot or a missile meets.
     *
     * @param place where it enters the box, metres
     * @param part of the line before it, 0 to 1
     * @param box where the body counts as being
     */
    public record BodyHit(PlayerId victim, Vec3 place, double part, BodyBox.Placed box) {}

    public ShotTrace {
        bodies = List.copyOf(bodies);
    }

    /** The nearest body; empty if the wall or nothing is nearer. */
    public Optional<BodyHit> first() {
        return bodies.stream().findFirst();
    }
}
