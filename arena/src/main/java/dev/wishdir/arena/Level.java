package dev.wishdir.arena;

import dev.wishdir.motion.Bounds;
import dev.wishdir.world.BoxArena;

/**
 * What is played.
 *
 * @param name as players know it
 * @param bounds where a body may be, metres
 */
public record Level(String name, Bounds bounds) {
    /** The generated arena, the same in every game. */
    public static final Level BOX = new Level("arena", BoxArena.BOUNDS);
}
