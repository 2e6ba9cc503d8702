package dev.wishdir.arena;

import dev.wishdir.motion.Bounds;

/**
 * What is played.
 *
 * @param name as players know it
 * @param bounds where a body may be, metres
 */
public record Level(String name, Bounds bounds) {}
