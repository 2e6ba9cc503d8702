package dev.wishdir.arena;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.wire.Bytes;
import dev.wishdir.world.BoxArena;
import dev.wishdir.world.Space;

import java.util.List;

/**
 * What is played.
 *
 * @param name as players know it
 * @param bounds where a body may be, metres
 * @param space what is solid in it
 * @param spawns where bodies appear, and where they look; none where the game's clients choose
 * @param files what the game's clients need of it, as the game names them
 */
public record Level(
        String name, Bounds bounds, Space space, List<Movement> spawns, List<File> files) {
    /** The generated arena, the same in every game; each has files of its own for it. */
    public static final Level BOX =
            new Level("arena", BoxArena.BOUNDS, BoxArena.SPACE, BoxArena.SPAWNS, List.of());

    /**
     * A file of a level.
     *
     * @param path where the game's clients look for it, with {@code /}
     */
    public record File(String path, Bytes content) {}

    public Level {
        spawns = List.copyOf(spawns);
        files = List.copyOf(files);
    }

    /** A level of which only the place is known. */
    public Level(String name, Bounds bounds) {
        this(name, bounds, Space.OPEN, List.of(), List.of());
    }

    /** The same with the files that a game's clients need. */
    public Level with(List<File> files) {
        return new Level(name, bounds, space, spawns, files);
    }

    /** Whether players would say that it is the same one. */
    boolean isSame(Level other) {
        return name.equals(other.name) && bounds.equals(other.bounds);
    }
}
