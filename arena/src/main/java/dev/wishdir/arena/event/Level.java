package dev.wishdir.arena.event;

import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.blocks.arena.RaceCourse;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;
import dev.wishdir.wire.Bytes;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The level that a game plays: bounds, collision space, spawn points and files.
 *
 * @param name as players know it
 * @param bounds where a body may be, metres
 * @param space collision space: what is solid
 * @param spawns spawn points with view angles; empty if the game's clients choose
 * @param files that the game's clients need, with the names that the game uses
 * @param items that lie there while a match is played
 * @param course of a race; empty if the level has none
 * @param bases with the flags of two teams; empty if the level has none
 */
public record Level(
        String name,
        Bounds bounds,
        CollisionSpace space,
        List<Movement> spawns,
        List<File> files,
        List<PlacedItem> items,
        Optional<RaceCourse> course,
        Optional<FlagBases> bases) {
    /** The flat arena. */
    public static final Level BOX = of(ArenaCatalog.FLAT);

    /**
     * A file of a level.
     *
     * @param path where the game's clients look for it, with {@code /}
     */
    public record File(String path, Bytes content) {
        public File {
            Objects.requireNonNull(path, "path");
            Objects.requireNonNull(content, "content");
        }
    }

    public Level {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(bounds, "bounds");
        Objects.requireNonNull(space, "space");
        spawns = List.copyOf(Objects.requireNonNull(spawns, "spawns"));
        files = List.copyOf(Objects.requireNonNull(files, "files"));
        items = List.copyOf(Objects.requireNonNull(items, "items"));
        Objects.requireNonNull(course, "course");
        Objects.requireNonNull(bases, "bases");
    }

    /** A level without items, race course and flags. */
    public Level(
            String name,
            Bounds bounds,
            CollisionSpace space,
            List<Movement> spawns,
            List<File> files) {
        this(name, bounds, space, spawns, files, List.of(), Optional.empty(), Optional.empty());
    }

    /** A level of which only name and bounds are known. */
    public Level(String name, Bounds bounds) {
        this(name, bounds, CollisionSpace.OPEN, List.of(), List.of());
    }

    /** The level of an arena of blocks, without the files that each game adds. */
    public static Level of(BlockArena arena) {
        return new Level(
                arena.name(),
                arena.bounds(),
                arena.space(),
                arena.spawns(),
                List.of(),
                arena.items(),
                arena.course(),
                arena.bases());
    }

    /** This level with the files that a game's clients need. */
    public Level with(List<File> files) {
        return new Level(name, bounds, space, spawns, files, items, course, bases);
    }

    /** This level with items. */
    public Level withItems(List<PlacedItem> items) {
        return new Level(name, bounds, space, spawns, files, items, course, bases);
    }

    /** This level with flags, or without. */
    public Level withBases(Optional<FlagBases> bases) {
        return new Level(name, bounds, space, spawns, files, items, course, bases);
    }

    /** Whether name and bounds are equal, so that players would call it the same level. */
    public boolean isSame(Level other) {
        return name.equals(other.name) && bounds.equals(other.bounds);
    }
}
