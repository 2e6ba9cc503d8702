package dev.wishdir.quake2.map;

import dev.wishdir.arena.Level.File;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.quake2.movement.PlayerPhysics;
import dev.wishdir.quake2.movement.Trigger;
import dev.wishdir.wire.Bytes;
import dev.wishdir.world.CollisionSpace;
import dev.wishdir.world.blocks.BlockArena;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A map that is played.
 *
 * @param name of its file, without folder and ending
 * @param title what players read when they join
 * @param file the BSP file, which clients without it are given
 * @param sky name of its sky
 * @param inlineModels how many brush models the file has beside the world
 * @param areaBytes bytes of a bit for each of its areas
 * @param bounds a box around the world, metres
 * @param space what stops a player's body
 * @param spawns where bodies may appear; at least one
 * @param triggers what takes bodies elsewhere
 * @param blocks what it was generated from, or what was made of it
 */
public record Quake2Map(
        String name,
        String title,
        Bytes file,
        String sky,
        int inlineModels,
        int areaBytes,
        Bounds bounds,
        CollisionSpace space,
        List<Movement> spawns,
        PlayerPhysics physics,
        List<Trigger> triggers,
        Optional<BlockArena> blocks) {
    /** The same map, as the one of which an arena was made: its players play it instead. */
    Quake2Map insteadOf(BlockArena arena) {
        return new Quake2Map(
                name,
                title,
                file,
                sky,
                inlineModels,
                areaBytes,
                bounds,
                space,
                spawns,
                physics,
                triggers,
                Optional.of(arena));
    }

    private boolean isGenerated() {
        return blocks.filter(arena -> name.equals(Bsp38Compiler.name(arena))).isPresent();
    }

    /** What the arena knows of it. */
    public dev.wishdir.arena.Level played() {
        return blocks.filter(_ -> isGenerated())
                .map(arena -> dev.wishdir.arena.Level.of(arena).with(files()))
                .orElseGet(() -> new dev.wishdir.arena.Level(name, bounds, space, spawns, files()));
    }

    /** What clients that lack it are given. */
    public List<File> files() {
        Stream<File> map = Stream.of(new File(path(), file));
        return blocks.filter(_ -> isGenerated())
                .map(arena -> Stream.concat(map, Wal.files(arena.blocks()).stream()))
                .orElse(map)
                .toList();
    }

    /** The path by which clients know the file. */
    public String path() {
        return "maps/" + name + ".bsp";
    }
}
