package dev.wishdir.quake2.map;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.quake2.movement.Physics;
import dev.wishdir.wire.Bytes;
import dev.wishdir.world.Space;

import java.util.List;

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
 */
public record Level(
        String name,
        String title,
        Bytes file,
        String sky,
        int inlineModels,
        int areaBytes,
        Bounds bounds,
        Space space,
        List<Movement> spawns,
        Physics physics) {
    /** What the arena knows of it. */
    public dev.wishdir.arena.Level played() {
        List<dev.wishdir.arena.Level.File> files =
                List.of(new dev.wishdir.arena.Level.File(path(), file));
        return name.equals(BoxMap.NAME)
                ? dev.wishdir.arena.Level.BOX.with(files)
                : new dev.wishdir.arena.Level(name, bounds, space, spawns, files);
    }

    /** The path by which clients know the file. */
    public String path() {
        return "maps/" + name + ".bsp";
    }
}
