package dev.wishdir.arena.combat;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.motion.Vec3;

/** Law by which a game's explosions reach a body: distance and line of sight. Metres. */
public interface SplashLaw {
    /** The distance that decides about the damage; the body is out of reach from the radius on. */
    double distance(Vec3 explosion, BodyBox.Placed box);

    /** Whether the explosion reaches the body past the level's solids. */
    boolean isSeen(Vec3 explosion, BodyBox.Placed box);

    /**
     * A body that an explosion reaches.
     *
     * @param distance by the law
     */
    record Reached(PlayerId victim, BodyBox.Placed box, double distance) {}
}
