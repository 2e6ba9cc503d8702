package dev.wishdir.arena;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.wire.Bytes;
import dev.wishdir.world.CollisionSpace;
import dev.wishdir.world.blocks.ArenaCatalog;
import dev.wishdir.world.blocks.BlockArena;

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
        String name, Bounds bounds, CollisionSpace space, List<Movement> spawns, List<File> files) {
    /** The even arena. */
    public static final Level BOX = of(ArenaCatalog.FLAT);

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
        this(name, bounds, CollisionSpace.OPEN, List.of(), List.of());
    }

    /** An arena of blocks, the same in every game; each has files of its own for it. */
    public static Level of(BlockArena arena) {
        return new Level(arena.name(), arena.bounds(), arena.space(), arena.spawns(), List.of());
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
