package dev.wishdir.quake2.map;

import dev.wishdir.arena.event.Level.File;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.game.level.MapChanger;
import dev.wishdir.idtech.IntermissionView;
import dev.wishdir.idtech.PlaneWorld;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;
import dev.wishdir.quake2.movement.Pmove;
import dev.wishdir.quake2.movement.Trigger;
import dev.wishdir.wire.Bytes;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A loaded map.
 *
 * @param name of its file, without folder and extension
 * @param title as players read it when they join
 * @param file the BSP file, which clients without it download
 * @param sky name of its sky
 * @param inlineModels number of brush models besides the world
 * @param areaBytes bytes of a bit set with one bit per area
 * @param bounds of the world, metres
 * @param space what blocks a player's body
 * @param spawns spawn points; at least one
 * @param intermission the view between two rounds; empty where each player keeps its own
 * @param triggers teleporters and jump pads
 * @param items that lie there in a match
 * @param bases of the two teams; empty if it has no flags
 * @param blocks the arena that it was generated from, or that was made from it
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
        Optional<IntermissionView> intermission,
        Pmove physics,
        List<Trigger> triggers,
        List<PlacedItem> items,
        Optional<FlagBases> bases,
        Optional<BlockArena> blocks)
        implements MapChanger.GameMap {
    /** This map as the original of an arena, which its players play instead of a generated map. */
    Quake2Map asOriginalOf(BlockArena arena) {
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
                intermission,
                physics,
                triggers,
                arena.items(),
                bases,
                Optional.of(arena));
    }

    private boolean isGenerated() {
        return blocks.filter(arena -> name.equals(arena.mapName())).isPresent();
    }

    /** Solids that stop shots and bodies. */
    public PlaneWorld world() {
        return physics.map();
    }

    /** The map as a level of the arena. */
    public dev.wishdir.arena.event.Level level() {
        return blocks.filter(_ -> isGenerated())
                .map(arena -> dev.wishdir.arena.event.Level.of(arena).with(files()))
                .orElseGet(() ->
                        new dev.wishdir.arena.event.Level(name, bounds, space, spawns, files())
                                .withItems(items)
                                .withBases(bases));
    }

    /** The spawn points in a match with flags: with those of the teams. */
    public List<Movement> flagSpawns() {
        Stream<Movement> given =
                bases.stream()
                        .flatMap(it -> Stream.of(it.red(), it.blue()))
                        .flatMap(base -> base.spawns().stream());
        return Stream.concat(spawns.stream(), given).distinct().toList();
    }

    /** The files that clients need. */
    public List<File> files() {
        Stream<File> map = Stream.of(new File(path(), file));
        return blocks.filter(_ -> isGenerated())
                .map(arena -> Stream.concat(map, Wal.files(arena.blocks()).stream()))
                .orElse(map)
                .toList();
    }

    /** The path of the file for clients. */
    public String path() {
        return "maps/" + name + ".bsp";
    }
}
